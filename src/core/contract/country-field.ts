import { isCountry } from '../country.ts';
import { type Described, type Field, field, refusal } from './fields.ts';

/** Returns a field for an ISO 3166-1 alpha-2 country code in any case. Its value is in upper case. */
export function countryCode(described: Described): Field<string> {
  return field({ type: 'string', pattern: '^[A-Za-z]{2}$' }, { example: 'DE', ...described }, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    // Accepts ASCII only, because `ſE` in upper case is SE.
    const code = /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : '';
    return isCountry(code) ? code : refusal('unknown-value', 'This must be an ISO 3166 country code, such as DE.');
  });
}
