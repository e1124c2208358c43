/** The default time zone of an organization. */
export const UTC = 'UTC';

/**
 * Returns whether a text is the name of a time zone in the IANA database, such as `Europe/Berlin`, or is `UTC`. Short
 * names such as `CET` are refused, because PostgreSQL reads them as a fixed offset without daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (name !== UTC && !name.includes('/')) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the calendar day of the moment `at` in a time zone, such as `2026-12-01`. */
export function dayIn(timeZone: string, at: Date | number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(at);
}

/** Returns the day `days` days after the given day. */
export function addToDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;
