import { isDay } from '../day.ts';
import { type Described, field, type Field, refusal } from './fields.ts';

/** Returns a field for a calendar day as text, such as `2026-09-01`. The day must exist and have a four-digit year. */
export function day(described: Described): Field<string> {
  return field({ type: 'string', format: 'date' }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    return isDay(value) ? value : refusal('invalid-format', 'This must be a day, such as 2026-09-01.');
  });
}
