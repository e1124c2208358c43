import { useMemo } from 'react';
import { Combobox } from '#ui/combobox.tsx';
import type { FieldLook } from '#ui/field.tsx';

export type CurrencyFieldProps = FieldLook & {
  readonly value: string;
  readonly onChange: (currency: string) => void;
};

/** A currency, found by its code or its name. The service refuses the few that are none any more. */
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
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((code) => {
    const name = names.of(code) ?? code;
    return { value: code, label: name === code ? code : `${code} · ${name}` };
  });
}
