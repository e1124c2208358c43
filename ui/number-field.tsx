import { NumberField as Base } from '@base-ui/react/number-field';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Field, type FieldLook, useFieldControl } from './field.tsx';
import styles from './field.module.css';

export type NumberFieldProps = FieldLook & {
  /** Null while the field is empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** What an arrow key adds: 1. */
  readonly step?: number | undefined;
  /** How many decimals it may have: none. */
  readonly decimals?: number | undefined;
  readonly prefix?: ReactNode;
  readonly suffix?: ReactNode;
  readonly placeholder?: string | undefined;
  readonly required?: boolean | undefined;
};

/** A number, written by the reader's habits. For amounts there is MoneyField. */
export function NumberField({
  value,
  onChange,
  min,
  max,
  step = 1,
  decimals = 0,
  prefix,
  suffix,
  placeholder,
  required,
  ...look
}: NumberFieldProps) {
  return (
    <Field {...look}>
      <Control {...{ value, onChange, min, max, step, decimals, prefix, suffix, placeholder, required }} />
    </Field>
  );
}

type ControlProps = Omit<NumberFieldProps, keyof FieldLook>;

function Control({ value, onChange, min, max, step, decimals, prefix, suffix, placeholder, required }: ControlProps) {
  const { id, name, disabled, ...control } = useFieldControl();
  return (
    <Base.Root
      id={id}
      name={name}
      value={value}
      onValueChange={(now) => onChange(now)}
      min={min}
      max={max}
      step={step}
      required={required}
      disabled={disabled}
      format={{ maximumFractionDigits: decimals }}
    >
      <Base.Group className={styles.control}>
        {prefix !== undefined && <span className={styles.affix}>{prefix}</span>}
        <Base.Input {...control} className={styles.input} placeholder={placeholder} />
        {suffix !== undefined && <span className={classNames(styles.affix, styles.suffix)}>{suffix}</span>}
      </Base.Group>
    </Base.Root>
  );
}
