import { useMemo } from 'react';
import { Combobox } from '#web/ui/form/combobox.tsx';
import type { FieldLook } from '#web/ui/form/field.tsx';

export type CurrencyFieldProps = FieldLook & {
  readonly value: string;
  readonly onChange: (currency: string) => void;
};

/** Selects a currency by its code or name. The list contains a few obsolete currencies, which the service refuses. */
export function CurrencyField({ value, onChange, ...look }: CurrencyFieldProps) {
  const options = useMemo(() => currencyOptions(), []);
  return (
    <Combobox
      {...look}
      clearable={false}
      value={value}
      onChange={(code) => onChange(code ?? value)}
      options={options}
    />
  );
}

function currencyOptions() {
  return Intl.supportedValuesOf('currency').map((code) => ({ value: code, label: currencyLabel(code) }));
}

let names: Intl.DisplayNames | undefined;

/** Returns a currency as a text such as `USD · US Dollar`. Returns a text that is not a currency code unchanged. */
export function currencyLabel(code: string): string {
  if (!/^[A-Z]{3}$/.test(code)) return code;
  names ??= new Intl.DisplayNames(undefined, { type: 'currency' });
  const name = names.of(code) ?? code;
  return name === code ? code : `${code} · ${name}`;
}
