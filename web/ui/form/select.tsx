import { ChevronsUpDown, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Field, type FieldLook, useFieldControl } from './field.tsx';
import fieldStyles from './field.module.css';
import styles from './select.module.css';
import { texts } from '../shell/texts.ts';

export type Option<Value extends string = string> = {
  readonly value: Value;
  readonly label: string;
  /** A line of text below the label. A Select doesn't show it. */
  readonly description?: ReactNode;
  readonly icon?: LucideIcon | undefined;
  readonly disabled?: boolean | undefined;
};

export type SelectProps<Value extends string> = FieldLook & {
  readonly options: readonly Option<Value>[];
  /** Null if nothing is selected yet. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly placeholder?: string | undefined;
};

/** Selects one of a few options with the browser's own list. For many options or for searching, use Combobox. */
export function Select<Value extends string>({
  options,
  value,
  onChange,
  placeholder = texts.field.choose,
  ...look
}: SelectProps<Value>) {
  return (
    <Field {...look}>
      <span className={fieldStyles.control}>
        <FieldSelect value={value ?? ''} onChange={(event) => onChange(event.target.value as Value)}>
          {value === null && (
            <option value="" disabled hidden>
              {placeholder}
            </option>
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </FieldSelect>
        <ChevronsUpDown className={styles.icon} aria-hidden />
      </span>
    </Field>
  );
}

function FieldSelect(select: ComponentProps<'select'>) {
  return <select {...useFieldControl()} {...select} className={styles.select} />;
}
