import { type Described, type Field, field, refusal } from './fields.ts';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Returns a field for a time in RFC 3339, with any offset. */
export function moment(described: Described): Field<Date> {
  return field({ type: 'string', format: 'date-time' }, { example: '2027-01-31T00:00:00Z', ...described }, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    const read = RFC_3339.test(value) && isInCalendar(value) ? new Date(value.toUpperCase()) : undefined;
    return read === undefined || !isInFourDigits(read)
      ? refusal('invalid-format', 'This must be a time in RFC 3339, such as 2027-01-31T00:00:00Z.')
      : read;
  });
}

/**
 * Returns whether a time is valid and its year in UTC is from 0 to 9999. RFC 3339 can't represent other years. An
 * offset can move a time out of this range.
 */
function isInFourDigits(read: Date): boolean {
  const year = read.getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** Returns whether the month has this day, and the hour is at most 23. JavaScript would read February 30 as March 2. */
function isInCalendar(value: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0] = value.split(/[-T:]/i, 4).map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() && hour <= 23;
}
