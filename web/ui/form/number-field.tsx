import type { KeyboardEvent, ReactNode } from 'react';
import { classNames } from '../controls/class-names.ts';
import { Field, type FieldLook } from './field.tsx';
import styles from './field.module.css';
import { numberText, parseNumber } from '../formats/numbers.ts';
import { FieldInput } from './text-field.tsx';
import { useTypedNumber } from './typed-number.ts';
import { typedTexts } from './typed-texts.ts';

export type NumberFieldProps = FieldLook & {
  /** Null while the field is empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The maximum number of decimals. Default: 0. */
  readonly decimals?: number | undefined;
  readonly suffix?: ReactNode;
};

/**
 * Renders a field for a number in the reader's locale. The Up and Down keys change the number by 1, or by 10 with
 * Shift. A number that is not from `min` to `max` is an error. For amounts, use MoneyField.
 */
export function NumberField({
  value,
  onChange,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
  decimals = 0,
  suffix,
  error,
  ...look
}: NumberFieldProps) {
  const within = (number: number) => Math.min(max, Math.max(min, Number(number.toFixed(decimals))));
  const { input, isFaulty, showNumber } = useTypedNumber({
    value,
    onChange,
    textOf: (number) => numberText(number, decimals),
    // A number out of range is an error. If it were replaced with the nearest allowed number, the form would submit a
    // number that the user did not type.
    parse: (text) => {
      const number = parseNumber(text, decimals);
      return number === undefined || within(number) !== number ? undefined : number;
    },
  });
  const isNumber = parseNumber(input.value, decimals) !== undefined;
  const stepByArrow = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    showNumber();
    onChange(within((value ?? 0) + direction * (event.shiftKey ? 10 : 1)));
  };
  return (
    <Field
      {...look}
      error={isFaulty ? (isNumber ? typedTexts.notInRange(min, max) : typedTexts.notNumber(decimals)) : error}
    >
      <span className={styles.control}>
        <FieldInput {...input} inputMode={decimals > 0 ? 'decimal' : 'numeric'} onKeyDown={stepByArrow} />
        {suffix !== undefined && <span className={classNames(styles.affix, styles.suffix)}>{suffix}</span>}
      </span>
    </Field>
  );
}

const DIRECTIONS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };
