import { ChevronsUpDown, Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classNames } from './class-names.ts';
import { closedTrigger } from './closed-trigger.ts';
import styles from './combobox.module.css';
import { Field, type FieldLook, useFieldControl } from './field.tsx';
import fieldStyles from './field.module.css';
import { onDemand, usePart } from './on-demand.ts';
import { type OptionSource, useOptions } from './options.ts';
import type { Option } from './select.tsx';
import selectStyles from './select.module.css';
import { texts } from './texts.ts';

export type ComboboxProps = FieldLook &
  OptionSource & {
    /** Null if nothing is selected. */
    readonly value: string | null;
    readonly onChange: (value: string | null, option: Option | null) => void;
    readonly placeholder?: string | undefined;
    /** False makes a selection mandatory, without a button to clear it. */
    readonly clearable?: boolean | undefined;
  };

const popups = onDemand(() => import('./combobox-popup.tsx'));

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
          <span className={selectStyles.value} data-placeholder={value === null ? '' : undefined}>
            {value === null ? (placeholder ?? texts.field.choose) : source.optionOf(value).label}
          </span>
          {!canClear && (
            <span className={selectStyles.icon} aria-hidden>
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

/** Selects several of many options. Each is shown as a chip that can be removed. */
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

/** The props of the button that opens the options, before and after the popup has loaded. */
export type OpenerProps = {
  readonly source: ReturnType<typeof useOptions>;
  readonly label: ReactNode;
  readonly chosen: readonly Option[];
  readonly onChoose: (chosen: readonly Option[]) => void;
  readonly multiple?: boolean | undefined;
  readonly className: string | undefined;
  readonly children: ReactNode;
};

function Opener(props: OpenerProps) {
  const { name: _, ...control } = useFieldControl();
  const [isWanted, setWanted] = useState(false);
  const part = usePart(popups, isWanted);
  if (part !== undefined) return <part.ComboboxPopup {...props} />;
  const open = closedTrigger('dialog', popups.load, () => setWanted(true));
  const closed = { ...control, ...open, role: 'combobox' };
  return (
    <button type="button" {...closed} className={props.className}>
      {props.children}
    </button>
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
