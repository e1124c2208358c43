declare const brand: unique symbol;

/** Microseconds since 1970, UTC: the precision of the database's clock, exact as a number until the year 2255. */
export type Instant = number & { readonly [brand]: 'instant' };

const MICROSECONDS_PER_DAY = 86_400_000_000;

/** A day is 24 hours, whatever a calendar says. */
export function addDays(instant: Instant, days: number): Instant {
  return (instant + days * MICROSECONDS_PER_DAY) as Instant;
}

/** RFC 3339, UTC, to the millisecond. */
export function formatInstant(instant: Instant): string {
  return new Date(instant / 1000).toISOString();
}
