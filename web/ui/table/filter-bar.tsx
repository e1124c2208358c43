import { Check, ChevronDown, Plus, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { classNames } from '../controls/class-names.ts';
import styles from './filter-bar.module.css';
import { filterNames, type Filter, filterText, isSet } from './filters.ts';
import type { ChangeList, ListState } from './list-query.ts';
import { useOptions } from '../form/options.ts';
import { Popover } from '../overlay/popover.tsx';
import popup from '../overlay/popup.module.css';
import { dayOf, getPageZone, startOf } from '../formats/time.ts';
import { TextField } from '../form/text-field.tsx';
import { listTexts } from './list-texts.ts';
import { texts } from '../shell/texts.ts';

export type { Filter } from './filters.ts';

export type FilterBarProps = {
  readonly filters: readonly Filter[];
  readonly state: ListState;
  /** The callback `onChange` of DataTable. */
  readonly onChange: ChangeList;
  /** The filter that is always visible as a text field, such as `search`. */
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

/** The pause in typing after which a search starts, in milliseconds. */
const SEARCH_PAUSE_MS = 300;

type SearchFieldProps = { readonly name: string; readonly label: string } & Pick<FilterBarProps, 'state' | 'onChange'>;

/**
 * Renders a search field. The search starts when typing pauses, because a call for each letter would be too much load.
 * It starts immediately on Enter, or when the field loses the focus.
 */
function SearchField({ name, label, state, onChange }: SearchFieldProps) {
  const given = state[name];
  const [text, setText] = useState(given ?? '');
  /** The search text whose results the list shows or loads. */
  const sent = useRef(given);
  useEffect(() => {
    if (given === sent.current) return;
    // Another control changed the search, for example to clear it.
    sent.current = given;
    setText(given ?? '');
  }, [given]);
  const apply = () => {
    const value = text.trim() || undefined;
    if (value === sent.current) return;
    sent.current = value;
    onChange({ [name]: value, after: undefined, page: undefined }, { replace: true });
  };
  const newest = useRef(apply);
  useEffect(() => {
    newest.current = apply;
  });
  useEffect(() => {
    const timer = setTimeout(() => newest.current(), SEARCH_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className={styles.search}>
      <TextField
        label={label}
        hideLabel
        type="search"
        placeholder={label}
        prefix={<Search aria-hidden />}
        value={text}
        onChange={setText}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply();
        }}
      />
    </div>
  );
}

type PillProps = {
  readonly filter: Filter;
  readonly state: ListState;
  readonly onChange: (patch: ListState) => void;
};

function FilterPill({ filter, state, onChange }: PillProps) {
  const set = isSet(filter, state);
  const lookup = filter.kind === 'lookup' ? filter : undefined;
  const value = state[filterNames(filter)[0] ?? ''];
  const source = useOptions({ find: lookup?.find }, lookup !== undefined && value !== undefined ? [value] : []);
  const shown = lookup !== undefined && value !== undefined ? source.optionOf(value).label : filterText(filter, state);
  const clear = () => onChange(Object.fromEntries(filterNames(filter).map((name) => [name, undefined])));
  const trigger = (
    <button type="button" className={classNames(styles.pill, set && styles.set)}>
      {!set && <Plus aria-hidden />}
      <span className={styles.words}>
        {filter.label}
        {set && ' '}
        {set && <span className={styles.value}>{shown}</span>}
      </span>
      {set && <ChevronDown aria-hidden />}
    </button>
  );
  return (
    <span className={styles.withRemove}>
      <Popover trigger={trigger} label={listTexts.filter.edit(filter.label)} className={PANELS[filter.kind]}>
        {(close) => (
          <FilterPanel
            filter={filter}
            state={state}
            onChange={(patch) => {
              close();
              onChange(patch);
            }}
          />
        )}
      </Popover>
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

const PANELS = { choice: undefined, lookup: popup.bare, text: popup.panel, period: popup.panel };

function FilterPanel({ filter, state, onChange }: PillProps) {
  switch (filter.kind) {
    case 'choice':
      return <Choices filter={filter} state={state} onChange={onChange} />;
    case 'lookup':
      return (
        <div className={styles.lookup}>
          <filter.chooser
            label={filter.label}
            value={state[filter.name] ?? null}
            load={filter.load}
            find={filter.find}
            onChange={(value) => onChange({ [filter.name]: value ?? undefined })}
          />
        </div>
      );
    case 'text':
      return <Typed filter={filter} state={state} onChange={onChange} />;
    case 'period':
      return <Span filter={filter} state={state} onChange={onChange} />;
    default:
      return filter satisfies never;
  }
}

type PanelProps<Kind extends Filter['kind']> = Omit<PillProps, 'filter'> & {
  readonly filter: Extract<Filter, { kind: Kind }>;
};

function Choices({ filter, state, onChange }: PanelProps<'choice'>) {
  const chosen = state[filter.name];
  return (
    <div className={styles.choices}>
      {filter.options.map(({ value, label, icon: Icon }) => (
        <button
          key={value}
          type="button"
          className={popup.item}
          aria-pressed={value === chosen}
          onClick={() => onChange({ [filter.name]: value === chosen ? undefined : value })}
        >
          {Icon && <Icon aria-hidden />}
          <span className={popup.words}>{label}</span>
          <span className={popup.tick}>{value === chosen && <Check aria-hidden />}</span>
        </button>
      ))}
    </div>
  );
}

function Typed({ filter, state, onChange }: PanelProps<'text'>) {
  const [text, setText] = useState(state[filter.name] ?? '');
  return (
    <form
      className={styles.panel}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onChange({ [filter.name]: text.trim() || undefined });
      }}
    >
      <TextField
        label={filter.label}
        value={text}
        onChange={setText}
        description={filter.description}
        placeholder={filter.placeholder}
      />
      <Button type="submit" variant="primary" size="small">
        {texts.apply}
      </Button>
    </form>
  );
}

function Span({ filter, state, onChange }: PanelProps<'period'>) {
  const [from, setFrom] = useState(() => dayIn(state[filter.from]));
  const [until, setUntil] = useState(() => dayIn(state[filter.until]));
  return (
    <form
      className={styles.panel}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onChange({
          [filter.from]: from === '' ? undefined : startOf(from),
          [filter.until]: until === '' ? undefined : startOf(until),
        });
      }}
    >
      <TextField label={listTexts.filter.from} type="date" value={from} onChange={setFrom} />
      <TextField
        label={listTexts.filter.until}
        type="date"
        value={until}
        onChange={setUntil}
        description={texts.period.zone(getPageZone())}
      />
      <Button type="submit" variant="primary" size="small">
        {texts.apply}
      </Button>
    </form>
  );
}

/** Returns the day of a time in the URL, or an empty text if there is no valid time. */
function dayIn(moment: string | undefined): string {
  return moment === undefined || Number.isNaN(Date.parse(moment)) ? '' : dayOf(moment);
}
