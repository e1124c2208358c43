import type { ReactNode } from 'react';
import { classNames } from '../controls/class-names.ts';
import { Field, type FieldLook } from './field.tsx';
import styles from './field.module.css';
import { majorText, parseMoney, symbolOf } from '../formats/money.ts';
import { FieldInput } from './text-field.tsx';
import { useTypedNumber } from './typed-number.ts';
import { typedTexts } from './typed-texts.ts';

export type MoneyFieldProps = FieldLook & {
  /**
   * The amount in hundredths of the currency unit, even for currencies without cents. Null while the field is empty.
   */
  readonly value: number | null;
  /** Called during input with each valid amount, and with null for an empty field. */
  readonly onChange: (value: number | null) => void;
  /** The ISO 4217 code. Its symbol is shown before the amount. Empty for a number that applies to any currency. */
  readonly currency: string;
  readonly placeholder?: string | undefined;
  readonly suffix?: ReactNode;
};

/**
 * Renders a field for an exact amount. The typed amount is parsed without rounding, and shown with two decimals after
 * the field loses the focus.
 */
export function MoneyField({
  value,
  onChange,
  currency,
  placeholder = '0.00',
  suffix,
  error,
  ...look
}: MoneyFieldProps) {
  const { input, isFaulty } = useTypedNumber({ value, onChange, textOf: majorText, parse: parseMoney });
  return (
    <Field {...look} error={isFaulty ? typedTexts.notMoney : error}>
      <span className={styles.control}>
        {currency !== '' && <span className={styles.affix}>{symbolOf(currency)}</span>}
        <FieldInput {...input} inputMode="decimal" placeholder={placeholder} />
        {suffix !== undefined && <span className={classNames(styles.affix, styles.suffix)}>{suffix}</span>}
      </span>
    </Field>
  );
}
