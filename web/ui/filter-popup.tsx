import { Popover } from '@base-ui/react/popover';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Chooser } from './combobox-popup.tsx';
import type { PillProps } from './filter-bar.tsx';
import styles from './filter-bar.module.css';
import { type Filter, isSet } from './filters.ts';
import type { ListState } from './list-query.ts';
import popup from './popup.module.css';
import { TextField } from './text-field.tsx';
import { listTexts } from './list-texts.ts';
import { texts } from './texts.ts';
import { holdTyping } from './typed-ahead.ts';

/** Renders the button of a filter and its options, which are open initially. */
export function FilterPopup({ filter, state, onChange, children }: PillProps & { readonly children: ReactNode }) {
  const [open, setOpen] = useState(true);
  const apply = (patch: ListState) => {
    onChange(patch);
    setOpen(false);
  };
  const change = (now: boolean) => {
    if (now) holdTyping();
    setOpen(now);
  };
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger className={classNames(styles.pill, isSet(filter, state) && styles.set)}>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={popup.positioner} sideOffset={4} align="start" collisionPadding={8}>
          <Popover.Popup
            className={classNames(
              popup.popup,
              filter.kind === 'lookup' && popup.bare,
              (filter.kind === 'text' || filter.kind === 'period') && popup.panel,
            )}
            aria-label={listTexts.filter.edit(filter.label)}
          >
            <FilterPanel filter={filter} state={state} onChange={apply} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function FilterPanel({ filter, state, onChange }: PillProps) {
  switch (filter.kind) {
    case 'choice':
      return <Choices filter={filter} state={state} onChange={onChange} />;
    case 'lookup':
      return (
        <div className={styles.lookup}>
          <Chooser
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
  const [from, setFrom] = useState(state[filter.from]?.slice(0, 16) ?? '');
  const [until, setUntil] = useState(state[filter.until]?.slice(0, 16) ?? '');
  const day = (moment: string) => moment.slice(0, 10);
  return (
    <form
      className={styles.panel}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onChange({
          [filter.from]: from === '' ? undefined : `${day(from)}T00:00:00Z`,
          [filter.until]: until === '' ? undefined : `${day(until)}T00:00:00Z`,
        });
      }}
    >
      <TextField label={listTexts.filter.from} type="date" value={day(from)} onChange={setFrom} />
      <TextField
        label={listTexts.filter.until}
        type="date"
        value={day(until)}
        onChange={setUntil}
        description={texts.period.utc}
      />
      <Button type="submit" variant="primary" size="small">
        {texts.apply}
      </Button>
    </form>
  );
}
