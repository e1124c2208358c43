import { isTimeZone } from '../time-zone.ts';
import { type Described, field, type Field, readText, refusal } from './fields.ts';

const MAX_LENGTH = 64;

const UNKNOWN =
  'This must be the name of a time zone in the IANA database, such as Europe/Berlin, or UTC. Offsets and short names ' +
  'are not accepted.';

/** Returns a field for the name of a time zone in the IANA database. */
export function timeZone(described: Described): Field<string> {
  return field({ type: 'string', minLength: 1, maxLength: MAX_LENGTH }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    const name = readText(value, 1, MAX_LENGTH, {});
    if (typeof name !== 'string' || isTimeZone(name)) return name;
    return refusal('unknown-value', UNKNOWN);
  });
}
