import type { ChangePortalTaxDetailsBody, TaxDetails } from '@whence/sdk';
import { type HTMLInputAutoCompleteAttribute, useState } from 'react';
import { Form, FormActions } from '../form/form.tsx';
import { RadioCards } from '../form/radio-cards.tsx';
import { Select } from '../form/select.tsx';
import { TextField } from '../form/text-field.tsx';
import { COUNTRY_OPTIONS, EU_COUNTRIES } from './country-options.ts';
import { taxWords as texts } from './tax-texts.ts';
import { useCall } from '../shell/call.ts';

type Given = ChangePortalTaxDetailsBody['taxDetails'];
type Name = keyof typeof EMPTY;

export type TaxFormProps = {
  readonly before: TaxDetails | null;
  readonly onSave: (details: Given) => Promise<unknown>;
  readonly onClose: () => void;
};

const EMPTY = {
  firstName: '',
  lastName: '',
  legalName: '',
  street: '',
  city: '',
  region: '',
  postalCode: '',
  addressCountry: '',
  tin: '',
  tinCountry: '',
  vatNumber: '',
  registrationNumber: '',
  dateOfBirth: '',
};

const STATUSES = (['individual', 'business'] as const).map((value) => ({
  value,
  label: texts.statuses[value],
  description: texts.statusHelp[value],
}));
const OTHER_COUNTRIES = [{ value: '', label: texts.same }, ...COUNTRY_OPTIONS];

/**
 * Edits tax details. Shows only the fields that the status and the country need. Masked numbers can stay unchanged,
 * because the service then keeps the stored numbers.
 */
export function TaxForm({ before, onSave, onClose }: TaxFormProps) {
  const [status, setStatus] = useState(before?.status ?? 'individual');
  const [country, setCountry] = useState<string | null>(before?.country ?? null);
  const [fields, setFields] = useState(() => fieldsOf(before));
  const isIndividual = status === 'individual';
  const isUs = country === 'US';
  const isEu = EU_COUNTRIES.has(country ?? '');
  const needsTin = isUs || isEu;
  const isUsAddress = (fields.addressCountry || country) === 'US';
  const shown: Readonly<Partial<Record<Name, boolean>>> = {
    firstName: isIndividual,
    lastName: isIndividual,
    legalName: !isIndividual,
    registrationNumber: !isIndividual,
    dateOfBirth: isIndividual && isEu,
    tinCountry: fields.tin.trim() !== '',
  };
  const save = useCall(() => onSave(givenOf(status, country ?? '', fields, shown)), { onDone: onClose });
  const set = (name: Name) => (value: string) => setFields({ ...fields, [name]: value });
  const line = (name: Name, optional = false, autoComplete: HTMLInputAutoCompleteAttribute = 'off', help?: string) =>
    shown[name] !== false && (
      <TextField
        label={labelOf(name)}
        name={`taxDetails.${name}`}
        optional={optional}
        description={help}
        autoComplete={autoComplete}
        value={fields[name]}
        onChange={set(name)}
      />
    );
  const otherCountry = (name: 'addressCountry' | 'tinCountry') =>
    shown[name] !== false && (
      <Select
        label={labelOf(name)}
        name={`taxDetails.${name}`}
        options={OTHER_COUNTRIES}
        value={fields[name]}
        onChange={set(name)}
      />
    );
  return (
    <Form call={save}>
      <RadioCards
        label={texts.status}
        name="taxDetails.status"
        min={170}
        options={STATUSES}
        value={status}
        onChange={setStatus}
      />
      <Select
        label={texts.country}
        name="taxDetails.country"
        options={COUNTRY_OPTIONS}
        value={country}
        onChange={setCountry}
      />
      {line('firstName', false, 'given-name')}
      {line('lastName', false, 'family-name')}
      {line('legalName', false, 'organization', texts.legalNameHelp)}
      {line('street', false, 'street-address')}
      {line('postalCode', !isUsAddress, 'postal-code')}
      {line('city', false, 'address-level2')}
      {line('region', !isUsAddress, 'address-level1')}
      {otherCountry('addressCountry')}
      {line('tin', !needsTin, 'off', texts.tinHelp(isUs))}
      {otherCountry('tinCountry')}
      {line('vatNumber', true)}
      {line('registrationNumber', !isEu)}
      {line('dateOfBirth', false, 'bday', texts.dateOfBirthHelp)}
      <FormActions submitLabel={texts.save} disabled={country === null} onCancel={onClose} />
    </Form>
  );
}

function labelOf(name: Name): string {
  return texts[name];
}

function fieldsOf(before: TaxDetails | null): typeof EMPTY {
  if (before === null) return EMPTY;
  const known = Object.keys(EMPTY).map((name) => [name, before[name as Name] ?? '']);
  const fields = Object.fromEntries(known) as typeof EMPTY;
  const otherOf = (country: string): string => (country === before.country ? '' : country);
  // If the tax residence changes, the countries of the address and of the tax number also change, unless they were
  // different before.
  return { ...fields, addressCountry: otherOf(fields.addressCountry), tinCountry: otherOf(fields.tinCountry) };
}

/** Returns the body of the call. Empty and hidden fields are absent. */
function givenOf(
  status: Given['status'],
  country: string,
  fields: typeof EMPTY,
  shown: Readonly<Partial<Record<Name, boolean>>>,
): Given {
  const { street, city, ...others } = fields;
  const given = Object.entries(others).filter(([name, value]) => shown[name as Name] !== false && value.trim() !== '');
  return {
    status,
    country,
    street: street.trim(),
    city: city.trim(),
    ...(Object.fromEntries(given.map(([name, value]) => [name, value.trim()])) as Partial<typeof others>),
  };
}
