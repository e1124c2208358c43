import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown, Plus, Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../controls/class-names.ts';
import styles from './combobox.module.css';
import { Field, type FieldLook, useFieldControl } from './field.tsx';
import fieldStyles from './field.module.css';
import { type OptionSource, useOptions } from './options.ts';
import popup from '../overlay/popup.module.css';
import type { Option } from './select.tsx';
import { texts } from '../shell/texts.ts';

export type ComboboxProps = FieldLook &
  OptionSource & {
    /** Null if nothing is selected. */
    readonly value: string | null;
    readonly onChange: (value: string | null, option: Option | null) => void;
    readonly placeholder?: string | undefined;
    /** Whether to show the button that clears the selection. Default: true. */
    readonly clearable?: boolean | undefined;
  };

/** Selects one of many options by typing: from `options`, or from results of `load`. */
export function Combobox({
  value,
  onChange,
  placeholder,
  clearable = true,
  options,
  load,
  find,
  ...look
}: ComboboxProps) {
  const source = useOptions({ options, load, find }, value === null ? [] : [value]);
  const canClear = clearable && value !== null && look.disabled !== true;
  return (
    <Field {...look}>
      <span className={fieldStyles.control}>
        <Opener
          source={source}
          label={look.label}
          chosen={value === null ? [] : [source.optionOf(value)]}
          onChoose={([option]) => onChange(option?.value ?? null, option ?? null)}
          className={styles.trigger}
        >
          <span className={styles.value} data-placeholder={value === null ? '' : undefined}>
            {value === null ? (placeholder ?? texts.field.choose) : source.optionOf(value).label}
          </span>
          {!canClear && (
            <span className={styles.icon} aria-hidden>
              <ChevronsUpDown />
            </span>
          )}
        </Opener>
        {canClear && (
          <button type="button" className={styles.clear} aria-label={texts.clear} onClick={() => onChange(null, null)}>
            <X aria-hidden />
          </button>
        )}
      </span>
    </Field>
  );
}

export type MultiComboboxProps = FieldLook &
  OptionSource & {
    readonly value: readonly string[];
    readonly onChange: (value: string[]) => void;
    /** The label of the button that adds an option. */
    readonly addLabel?: string | undefined;
  };

/** Selects several of many options. Each selected option is shown as a chip that can be removed. */
export function MultiCombobox({ value, onChange, addLabel, options, load, find, ...look }: MultiComboboxProps) {
  const source = useOptions({ options, load, find }, value);
  const remove = (removed: string) => onChange(value.filter((each) => each !== removed));
  return (
    <Field {...look}>
      <span className={classNames(fieldStyles.control, styles.chips)}>
        {value.map((each) => (
          <Chip
            key={each}
            label={source.optionOf(each).label}
            onRemove={look.disabled === true ? undefined : () => remove(each)}
          />
        ))}
        <Opener
          multiple
          source={source}
          label={look.label}
          chosen={value.map((each) => source.optionOf(each))}
          onChoose={(chosen) => onChange(chosen.map((option) => option.value))}
          className={styles.add}
        >
          <Plus aria-hidden />
          {addLabel ?? texts.field.add}
        </Opener>
      </span>
    </Field>
  );
}

type OpenerProps = {
  readonly source: Source;
  readonly label: ReactNode;
  readonly chosen: readonly Option[];
  readonly onChoose: (chosen: readonly Option[]) => void;
  readonly multiple?: boolean | undefined;
  readonly className: string | undefined;
  readonly children: ReactNode;
};

/** Renders the button that opens the options. */
function Opener({ source, label, chosen, onChoose, multiple, className, children }: OpenerProps) {
  const { name: _, disabled, ...control } = useFieldControl();
  const inside = (
    <>
      <Base.Trigger {...control} className={className}>
        {children}
      </Base.Trigger>
      <Choices source={source} label={label} />
    </>
  );
  return multiple === true ? (
    <Base.Root {...rootProps(source)} disabled={disabled} multiple value={[...chosen]} onValueChange={onChoose}>
      {inside}
    </Base.Root>
  ) : (
    <Base.Root
      {...rootProps(source)}
      disabled={disabled}
      value={chosen[0] ?? null}
      onValueChange={(option: Option | null) => onChoose(option === null ? [] : [option])}
    >
      {inside}
    </Base.Root>
  );
}

function Chip({ label, onRemove }: { readonly label: string; readonly onRemove: (() => void) | undefined }) {
  return (
    <span className={styles.chip}>
      {label}
      {onRemove !== undefined && (
        <button type="button" className={styles.remove} aria-label={texts.remove(label)} onClick={onRemove}>
          <X aria-hidden />
        </button>
      )}
    </span>
  );
}

export type ChooserProps = OptionSource & {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string | null, option: Option | null) => void;
};

/** Renders a search field with its options inside an existing popup. */
export function Chooser({ label, value, onChange, options, load, find }: ChooserProps) {
  const source = useOptions({ options, load, find }, value === null ? [] : [value]);
  return (
    <Base.Root
      {...rootProps(source)}
      inline
      open
      value={value === null ? null : source.optionOf(value)}
      onValueChange={(option: Option | null) => onChange(option?.value ?? null, option)}
    >
      <Results source={source} label={label} />
    </Base.Root>
  );
}

type Source = ReturnType<typeof useOptions>;

function rootProps({ items, search, remote }: Source) {
  return {
    items,
    autoHighlight: true,
    itemToStringLabel: ({ label }: Option) => label,
    itemToStringValue: ({ value }: Option) => value,
    isItemEqualToValue: (one: Option, other: Option) => one.value === other.value,
    onInputValueChange: search,
    // Show all results from the service, even if their names don't contain the text.
    ...(remote ? { filter: null } : {}),
  };
}

/**
 * Shows the options with the search field inside the popup. If the field were the control itself, Base UI would hide
 * the rest of the page from screen readers during input. The hidden elements could still get the focus.
 */
function Choices({ source, label }: { readonly source: Source; readonly label: FieldLook['label'] }) {
  const name = typeof label === 'string' ? label : texts.field.search;
  return (
    <Base.Portal>
      <Base.Positioner className={popup.positioner} sideOffset={4} align="start" collisionPadding={8}>
        <Base.Popup className={classNames(popup.popup, styles.popup)} aria-label={name}>
          <Results source={source} label={name} />
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

function Results({ source: { loading }, label }: { readonly source: Source; readonly label: string }) {
  return (
    <>
      <span className={styles.search}>
        <Search aria-hidden />
        <Base.Input className={styles.input} placeholder={texts.field.search} aria-label={label} />
      </span>
      <div className={styles.results}>
        <Base.Status className={popup.status}>{loading ? texts.loading : null}</Base.Status>
        <Base.Empty className={popup.empty}>{loading ? null : texts.field.noMatch}</Base.Empty>
        <Base.List>
          {(option: Option) => (
            <Base.Item key={option.value} value={option} disabled={option.disabled} className={popup.item}>
              {option.icon && <option.icon aria-hidden />}
              <span className={popup.words}>
                {option.label}
                {option.description !== undefined && <span className={popup.description}>{option.description}</span>}
              </span>
              <span className={popup.tick}>
                <Base.ItemIndicator>
                  <Check aria-hidden />
                </Base.ItemIndicator>
              </span>
            </Base.Item>
          )}
        </Base.List>
      </div>
    </>
  );
}
