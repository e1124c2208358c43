import { isDay } from '../day.ts';
import { type Described, field, type Field, refusal } from './fields.ts';

/** Returns a field for an existing calendar day in a year from 1000 to 9999, as text such as `2026-09-01`. */
export function day(described: Described): Field<string> {
  return field({ type: 'string', format: 'date' }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    return isDay(value) ? value : refusal('invalid-format', 'This must be a day, such as 2026-09-01.');
  });
}
