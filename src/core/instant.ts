declare const brand: unique symbol;

/**
 * A time in microseconds since 1970, UTC. The database's clock has the same precision. A number represents such a time
 * exactly until 2255.
 */
export type Instant = number & { readonly [brand]: 'instant' };

export const MICROSECONDS_PER_SECOND = 1_000_000;
export const MICROSECONDS_PER_DAY = 86_400_000_000;

/** Adds days of 24 hours each, without daylight saving time. */
export function addDays(instant: Instant, days: number): Instant {
  return (instant + days * MICROSECONDS_PER_DAY) as Instant;
}

/**
 * Returns the same time of day `months` calendar months later, in UTC. If that month is too short, the day is its last
 * day. For example, one month after January 31 is February 28 or 29, and two months after is March 31.
 */
export function addMonths(instant: Instant, months: number): Instant {
  const midnight = Math.floor(instant / MICROSECONDS_PER_DAY) * MICROSECONDS_PER_DAY;
  const date = new Date(midnight / 1000);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return (utcMidnight(year, month, Math.min(date.getUTCDate(), lastDay)) + (instant - midnight)) as Instant;
}

/** Returns the first moment of a day in UTC. Months count from 0. Month 12 is January of the next year. */
export function utcMidnight(year: number, month: number, day: number): Instant {
  return (Date.UTC(year, month, day) * 1000) as Instant;
}

/** Formats an instant as RFC 3339, UTC, to the millisecond. */
export function formatInstant(instant: Instant): string {
  return new Date(instant / 1000).toISOString();
}

/** Formats an instant as RFC 3339, UTC, to the microsecond. */
export function formatMicroseconds(instant: Instant): string {
  const milliseconds = Math.floor(instant / 1000);
  const microseconds = String(instant - milliseconds * 1000).padStart(3, '0');
  return new Date(milliseconds).toISOString().replace('Z', `${microseconds}Z`);
}
