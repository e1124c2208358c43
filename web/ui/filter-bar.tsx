import { ChevronDown, Plus, Search, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { closedTrigger } from './closed-trigger.ts';
import styles from './filter-bar.module.css';
import { filterNames, type Filter, filterText, isSet } from './filters.ts';
import type { ChangeList, ListState } from './list-query.ts';
import { onDemand, usePart } from './on-demand.ts';
import { useOptions } from './options.ts';
import { TextField } from './text-field.tsx';
import { listTexts } from './list-texts.ts';

export type { Filter } from './filters.ts';

export type FilterBarProps = {
  readonly filters: readonly Filter[];
  readonly state: ListState;
  /** The same callback as that of DataTable. */
  readonly onChange: ChangeList;
  /** The filter that is always visible as a text field: `q`. */
  readonly search?: { readonly name: string; readonly label: string } | undefined;
};

/** Shows filters as pills. Active filters show their value and can be removed. */
export function FilterBar({ filters, state, onChange, search }: FilterBarProps) {
  const set = filters.filter((filter) => isSet(filter, state));
  const change = (patch: ListState) => onChange({ ...patch, after: undefined, page: undefined });
  const clear = () => change(Object.fromEntries(set.flatMap(filterNames).map((name) => [name, undefined])));
  return (
    <div className={styles.bar} role="group" aria-label={listTexts.filter.filters}>
      {search !== undefined && <SearchField key={search.name} {...search} state={state} onChange={onChange} />}
      {filters.map((filter) => (
        <FilterPill key={filter.id} filter={filter} state={state} onChange={change} />
      ))}
      {set.length > 1 && (
        <Button size="small" variant="ghost" onClick={clear}>
          {listTexts.filter.clearAll}
        </Button>
      )}
    </div>
  );
}

type SearchFieldProps = { readonly name: string; readonly label: string } & Pick<FilterBarProps, 'state' | 'onChange'>;

/**
 * Renders a search field. It applies with Enter or when it loses the focus, because a call per letter would be too
 * many.
 */
function SearchField({ name, label, state, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState({ text: state[name] ?? '', of: state[name] });
  const text = typed.of === state[name] ? typed.text : (state[name] ?? '');
  const apply = () => {
    const value = text.trim() || undefined;
    if (value !== state[name]) onChange({ [name]: value, after: undefined, page: undefined });
  };
  return (
    <div className={styles.search}>
      <TextField
        label={label}
        hideLabel
        type="search"
        placeholder={label}
        prefix={<Search aria-hidden />}
        value={text}
        onChange={(now) => setTyped({ text: now, of: state[name] })}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply();
        }}
      />
    </div>
  );
}

const popups = onDemand(() => import('./filter-popup.tsx'));

export type PillProps = {
  readonly filter: Filter;
  readonly state: ListState;
  readonly onChange: (patch: ListState) => void;
};

function FilterPill({ filter, state, onChange }: PillProps) {
  const [isWanted, setWanted] = useState(false);
  const part = usePart(popups, isWanted);
  const set = isSet(filter, state);
  const lookup = filter.kind === 'lookup' ? filter : undefined;
  const value = state[filterNames(filter)[0] ?? ''];
  const source = useOptions({ find: lookup?.find }, lookup !== undefined && value !== undefined ? [value] : []);
  const shown = lookup !== undefined && value !== undefined ? source.optionOf(value).label : filterText(filter, state);
  const clear = () => onChange(Object.fromEntries(filterNames(filter).map((name) => [name, undefined])));
  const words = (
    <>
      {!set && <Plus aria-hidden />}
      <span className={styles.words}>
        {filter.label}
        {set && ' '}
        {set && <span className={styles.value}>{shown}</span>}
      </span>
      {set && <ChevronDown aria-hidden />}
    </>
  );
  return (
    <span className={styles.withRemove}>
      {part === undefined ? (
        <button
          type="button"
          {...closedTrigger('dialog', popups.load, () => setWanted(true))}
          className={classNames(styles.pill, set && styles.set)}
        >
          {words}
        </button>
      ) : (
        <part.FilterPopup filter={filter} state={state} onChange={onChange}>
          {words}
        </part.FilterPopup>
      )}
      {set && (
        <button
          type="button"
          className={styles.remove}
          aria-label={listTexts.filter.remove(filter.label)}
          onClick={clear}
        >
          <X aria-hidden />
        </button>
      )}
    </span>
  );
}
