import { COUNTRIES } from '#core/country.ts';

/** Returns the name of a country in English, or its code if the browser doesn't know the name. */
export function countryName(code: string): string {
  return NAMES.of(code) ?? code;
}

const NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** All countries, sorted by name. */
export const COUNTRY_OPTIONS = COUNTRIES.map((value) => ({ value, label: countryName(value) })).sort((one, other) =>
  one.label.localeCompare(other.label, 'en'),
);
