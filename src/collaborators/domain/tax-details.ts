import { isDay } from '#core/day.ts';
import { isInEu } from '#core/country.ts';

export const TAX_STATUSES = ['individual', 'business'] as const;
export type TaxStatus = (typeof TAX_STATUSES)[number];

/**
 * The tax details of a collaborator, as Form 1099-NEC and DAC7 report them (docs/decisions/0074). They are encrypted at
 * rest. Fields that a collaborator doesn't need are null.
 */
export type TaxDetails = {
  readonly status: TaxStatus;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The registered name of a business. */
  readonly legalName: string | null;
  /** The country of tax residence. All countries are codes of ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly street: string;
  readonly city: string;
  readonly region: string | null;
  readonly postalCode: string | null;
  readonly addressCountry: string;
  /** The tax identification number. */
  readonly tin: string | null;
  readonly tinCountry: string | null;
  readonly vatNumber: string | null;
  readonly registrationNumber: string | null;
  /** A day, as YYYY-MM-DD. */
  readonly dateOfBirth: string | null;
};

/** Tax details in a request. The default of `addressCountry` and `tinCountry` is the country of tax residence. */
export type GivenTaxDetails = Omit<TaxDetails, 'addressCountry'> & { readonly addressCountry: string | null };

export type TaxFault = {
  readonly field: keyof TaxDetails;
  readonly code: 'required' | 'not-applicable' | 'invalid-format';
  readonly detail: string;
};

export type CheckedTaxDetails =
  | { readonly kind: 'valid'; readonly details: TaxDetails }
  | { readonly kind: 'faulty'; readonly faults: readonly TaxFault[] };

type Field = keyof TaxDetails;
type Need = 'required' | 'optional' | 'none';

/**
 * Checks that tax details have the fields that tax reports need. Returns the details in the form to store: numbers in
 * capitals, and a TIN of the United States as 9 digits. Returns all faults if there are any. Numbers are checked only
 * loosely, because each country has its own formats and may change them.
 */
export function checkedTaxDetails(given: GivenTaxDetails): CheckedTaxDetails {
  const { country } = given;
  const tinCountry = given.tin === null ? given.tinCountry : (given.tinCountry ?? country);
  const details: TaxDetails = {
    ...given,
    addressCountry: given.addressCountry ?? country,
    tin: tinOf(given.tin, tinCountry),
    tinCountry,
    vatNumber: numberOf(given.vatNumber),
    registrationNumber: numberOf(given.registrationNumber),
  };
  const faults = [...needFaults(details), ...formatFaults(details)];
  return faults.length > 0 ? { kind: 'faulty', faults } : { kind: 'valid', details };
}

/**
 * Returns for each field whether the details require it, may contain it, or must not contain it. This depends on their
 * status and countries. Unlisted fields are always required.
 */
function needsOf({ status, country, addressCountry, tin }: TaxDetails): Partial<Readonly<Record<Field, Need>>> {
  const isIndividual = status === 'individual';
  const isInUs = addressCountry === US;
  return {
    firstName: isIndividual ? 'required' : 'none',
    lastName: isIndividual ? 'required' : 'none',
    legalName: isIndividual ? 'none' : 'required',
    region: isInUs ? 'required' : 'optional',
    postalCode: isInUs ? 'required' : 'optional',
    // The TIN is optional outside the EU and the United States, because some countries don't issue numbers to all their
    // taxpayers.
    tin: isInEu(country) || country === US ? 'required' : 'optional',
    // A TIN without a country is from the country of tax residence.
    tinCountry: tin === null ? 'none' : 'optional',
    vatNumber: 'optional',
    registrationNumber: isIndividual ? 'none' : isInEu(country) ? 'required' : 'optional',
    // The date of birth is collected only from individuals in the EU, because only DAC7 reports need it.
    dateOfBirth: isIndividual && isInEu(country) ? 'required' : 'none',
  };
}

const US = 'US';

/** The error texts for missing fields, by field. */
const MISSING: Partial<Readonly<Record<Field, string>>> = {
  firstName: 'Enter the first name.',
  lastName: 'Enter the last name.',
  legalName: 'Enter the legal name.',
  region: 'Enter the state.',
  postalCode: 'Enter the ZIP code.',
  tin: 'Enter the tax identification number.',
  registrationNumber: 'Enter the number in the business register.',
  dateOfBirth: 'Enter the date of birth.',
};

function needFaults(details: TaxDetails): TaxFault[] {
  return Object.entries(needsOf(details)).flatMap(([name, need]): TaxFault[] => {
    const field = name as Field;
    if (need === 'required' && details[field] === null) {
      return [{ field, code: 'required', detail: MISSING[field] as string }];
    }
    if (need !== 'none' || details[field] === null) return [];
    return [{ field, code: 'not-applicable', detail: 'These tax details don’t use this field. Leave it out.' }];
  });
}

function formatFaults(details: TaxDetails): TaxFault[] {
  const { country, tin, tinCountry, vatNumber, registrationNumber, dateOfBirth, addressCountry, postalCode } = details;
  const faults: TaxFault[] = [];
  const refuse = (field: Field, detail: string): void => {
    faults.push({ field, code: 'invalid-format', detail });
  };
  if (tin !== null && tinCountry === US && !/^\d{9}$/.test(tin))
    refuse('tin', 'A US TIN has 9 digits. Check the number.');
  else if (tin !== null && !isNumber(tin)) refuse('tin', NUMBER_FORMAT);
  if (tin !== null && country === US && tinCountry !== US) {
    refuse('tinCountry', 'Residents of the United States need a US TIN. Send US as the country of the TIN.');
  }
  if (vatNumber !== null && !isNumber(vatNumber)) refuse('vatNumber', NUMBER_FORMAT);
  if (registrationNumber !== null && !isNumber(registrationNumber)) refuse('registrationNumber', NUMBER_FORMAT);
  if (addressCountry === US && postalCode !== null && !/^\d{5}(-\d{4})?$/.test(postalCode)) {
    refuse('postalCode', 'A ZIP code has 5 or 9 digits, such as 10001 or 10001-1234.');
  }
  if (dateOfBirth !== null && !(isDay(dateOfBirth) && dateOfBirth >= '1900-01-01')) {
    refuse('dateOfBirth', 'This must be a date since 1900, such as 1990-05-31.');
  }
  return faults;
}

const NUMBER_FORMAT = 'This must have 4 to 25 letters and digits. It can also contain spaces and the characters - . /';

function isNumber(text: string): boolean {
  return /^[A-Z0-9 ./-]*$/.test(text) && /^.{4,25}$/.test(compactOf(text));
}

function compactOf(text: string): string {
  return text.replaceAll(/[ ./-]/g, '');
}

function numberOf(given: string | null): string | null {
  return given === null ? null : given.trim().toUpperCase();
}

function tinOf(given: string | null, country: string | null): string | null {
  return country === US ? (given?.replaceAll(/[ -]/g, '') ?? null) : numberOf(given);
}

const HIDDEN = '••••';
const SHOWN_CHARACTERS = 4;
/**
 * The minimum length of a number whose last characters are shown. The last characters would reveal too much of a
 * shorter number.
 */
const MIN_SHOWN = 8;

/** Returns tax details whose numbers show at most their last four characters, and whose date of birth is hidden. */
export function maskedTaxDetails(details: TaxDetails): TaxDetails {
  const masked = MASKED.map((field) => [field, masking(field, details[field])]);
  return { ...details, ...(Object.fromEntries(masked) as Pick<TaxDetails, MaskedField>) };
}

/**
 * Returns the tax details to check, with masked values replaced by the stored values. If masked values don't match the
 * stored values, returns only the names of their fields.
 */
export function unmaskedTaxDetails(
  given: GivenTaxDetails,
  before: TaxDetails | undefined,
): { readonly details: GivenTaxDetails } | { readonly masked: readonly MaskedField[] } {
  const sentBack = MASKED.filter((field) => given[field]?.includes(HIDDEN));
  const unknown = sentBack.filter((field) => before === undefined || given[field] !== masking(field, before[field]));
  if (unknown.length > 0) return { masked: unknown };
  const stored = Object.fromEntries(sentBack.map((field) => [field, before?.[field]]));
  return { details: { ...given, ...(stored as Partial<Pick<TaxDetails, MaskedField>>) } };
}

const MASKED = ['tin', 'vatNumber', 'registrationNumber', 'dateOfBirth'] as const;
export type MaskedField = (typeof MASKED)[number];

function masking(field: MaskedField, value: string | null): string | null {
  if (value === null) return null;
  const compact = compactOf(value);
  return field === 'dateOfBirth' || compact.length < MIN_SHOWN ? HIDDEN : HIDDEN + compact.slice(-SHOWN_CHARACTERS);
}

export function isSameTaxDetails(one: TaxDetails | undefined, other: TaxDetails | null): boolean {
  if (one === undefined || other === null) return one === undefined && other === null;
  return (Object.keys(other) as Field[]).every((field) => one[field] === other[field]);
}
