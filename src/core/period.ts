import { addDays, type Instant, MICROSECONDS_PER_DAY, utcMidnight } from './instant.ts';

/** Calendar periods in UTC. A week begins on Monday. `lifetime` covers all time. */
export const PERIODS = ['day', 'week', 'month', 'quarter', 'year', 'lifetime'] as const;
export type Period = (typeof PERIODS)[number];

/** A span of time. `startsAt` is inclusive and `endsAt` exclusive. */
export type Span = { readonly startsAt: Instant; readonly endsAt: Instant };

/** Returns the span of the day, week or other `period` that contains `instant`. */
export function spanOf(period: Period, instant: Instant): Span {
  return SPANS[period](instant);
}

/**
 * The span for `lifetime`. It covers whole years that an Instant represents exactly, so it is the same in this code and
 * in the database.
 */
const ALL_TIME: Span = { startsAt: utcMidnight(1700, 0, 1), endsAt: utcMidnight(2255, 0, 1) };

/** The number of days from January 1, 1970 to January 5, 1970, which was a Monday. */
const A_MONDAY = 4;

const SPANS: Readonly<Record<Period, (instant: Instant) => Span>> = {
  day: (instant) => days(instant, 1, 0),
  week: (instant) => days(instant, 7, A_MONDAY),
  month: (instant) => months(instant, 1),
  quarter: (instant) => months(instant, 3),
  year: (instant) => months(instant, 12),
  lifetime: () => ALL_TIME,
};

/**
 * Returns the span of `length` days that contains the instant. Spans are aligned to the day that is `first` days after
 * January 1, 1970.
 */
function days(instant: Instant, length: number, first: number): Span {
  const day = Math.floor(instant / MICROSECONDS_PER_DAY);
  const begin = Math.floor((day - first) / length) * length + first;
  const startsAt = addDays(0 as Instant, begin);
  return { startsAt, endsAt: addDays(startsAt, length) };
}

/** Returns the span of `length` months that contains the instant. Spans are aligned to January 1. */
function months(instant: Instant, length: number): Span {
  const date = new Date(Math.floor(instant / 1000));
  const year = date.getUTCFullYear();
  const begin = Math.floor(date.getUTCMonth() / length) * length;
  return { startsAt: utcMidnight(year, begin, 1), endsAt: utcMidnight(year, begin + length, 1) };
}
