import { type ReactNode, useState } from 'react';
import { classNames } from '../controls/class-names.ts';
import { Field, type FieldLook } from './field.tsx';
import { useRefusals } from './form.tsx';
import styles from './field.module.css';
import { majorText, parseMoney, symbolOf } from '../formats/money.ts';
import { FieldInput } from './text-field.tsx';
import { texts } from '../shell/texts.ts';

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
  // Keep the typed text until the amount changes from outside or the field loses the focus.
  const [typed, setTyped] = useState<{
    readonly text: string;
    readonly value: number | null;
    readonly refusals: number;
  }>();
  const text = typed !== undefined && typed.value === value ? typed.text : value === null ? '' : majorText(value);
  const [left, setLeft] = useState(true);
  const refusals = useRefusals();
  const isRefused = typed !== undefined && typed.refusals < refusals;
  const unreadable = text.trim() !== '' && parseMoney(text) === undefined;
  const change = (now: string) => {
    const minor = now.trim() === '' ? null : parseMoney(now);
    setTyped({ text: now, value: minor === undefined ? value : minor, refusals });
    if (minor !== undefined) onChange(minor);
  };
  return (
    <Field {...look} error={unreadable && (left || isRefused) ? texts.field.notMoney : error}>
      <span className={styles.control}>
        {currency !== '' && <span className={styles.affix}>{symbolOf(currency)}</span>}
        <FieldInput
          inputMode="decimal"
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          data-unreadable={unreadable || undefined}
          onChange={(event) => change(event.target.value)}
          onFocus={() => setLeft(false)}
          onBlur={() => {
            setLeft(true);
            if (!unreadable) setTyped(undefined);
          }}
        />
        {suffix !== undefined && <span className={classNames(styles.affix, styles.suffix)}>{suffix}</span>}
      </span>
    </Field>
  );
}
