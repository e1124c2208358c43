import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown, Plus, Search, X } from 'lucide-react';
import { classNames } from './class-names.ts';
import styles from './combobox.module.css';
import { Field, type FieldLook } from './field.tsx';
import fieldStyles from './field.module.css';
import { type OptionSource, useOptions } from './options.ts';
import popup from './popup.module.css';
import type { Option } from './select.tsx';
import selectStyles from './select.module.css';
import { texts } from './texts.ts';

export type ComboboxProps = FieldLook &
  OptionSource & {
    /** Null: nothing is chosen. */
    readonly value: string | null;
    readonly onChange: (value: string | null, option: Option | null) => void;
    readonly placeholder?: string | undefined;
    /** False: something has to be chosen, so there is no cross to clear it. */
    readonly clearable?: boolean | undefined;
  };

/** One of many, found by typing: among `options`, or by asking with `load`. */
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
      <Base.Root
        {...rootProps(source)}
        value={value === null ? null : source.optionOf(value)}
        onValueChange={(option: Option | null) => onChange(option?.value ?? null, option)}
        disabled={look.disabled}
      >
        <span className={fieldStyles.control}>
          <Base.Trigger className={styles.trigger}>
            <span className={selectStyles.value} data-placeholder={value === null ? '' : undefined}>
              {value === null ? (placeholder ?? texts.field.choose) : source.optionOf(value).label}
            </span>
            {!canClear && (
              <Base.Icon className={selectStyles.icon}>
                <ChevronsUpDown aria-hidden />
              </Base.Icon>
            )}
          </Base.Trigger>
          {canClear && (
            <button
              type="button"
              className={styles.clear}
              aria-label={texts.clear}
              onClick={() => onChange(null, null)}
            >
              <X aria-hidden />
            </button>
          )}
        </span>
        <Choices source={source} label={look.label} />
      </Base.Root>
    </Field>
  );
}

export type MultiComboboxProps = FieldLook &
  OptionSource & {
    readonly value: readonly string[];
    readonly onChange: (value: string[]) => void;
    /** What the button says that adds another. */
    readonly addLabel?: string | undefined;
  };

/** Several of many, each as a chip that can be taken out again. */
export function MultiCombobox({ value, onChange, addLabel, options, load, find, ...look }: MultiComboboxProps) {
  const source = useOptions({ options, load, find }, value);
  const remove = (removed: string) => onChange(value.filter((each) => each !== removed));
  return (
    <Field {...look}>
      <Base.Root
        {...rootProps(source)}
        multiple
        value={value.map((each) => source.optionOf(each))}
        onValueChange={(chosen: Option[]) => onChange(chosen.map((option) => option.value))}
        disabled={look.disabled}
      >
        <span className={classNames(fieldStyles.control, styles.chips)}>
          {value.map((each) => (
            <Chip
              key={each}
              label={source.optionOf(each).label}
              onRemove={look.disabled === true ? undefined : () => remove(each)}
            />
          ))}
          <Base.Trigger className={styles.add}>
            <Plus aria-hidden />
            {addLabel ?? texts.field.add}
          </Base.Trigger>
        </span>
        <Choices source={source} label={look.label} />
      </Base.Root>
    </Field>
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

/** The field to search and its choices, open in their place: within a popup that is there already. */
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
    // What the service has found is found, whatever it is called.
    ...(remote ? { filter: null } : {}),
  };
}

/**
 * The field to search lies in the popup. Were it the control itself, Base UI would hide the rest of the page from screen readers while somebody types, and with
 * it what can still have the focus.
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
