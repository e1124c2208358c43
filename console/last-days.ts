import { addDays, type Period, periodBefore, utcDay } from '#ui/formats/time.ts';

/** The last 30 days with today, in UTC, as figures count them. */
export function lastThirtyDays(now = Date.now()): Period {
  const until = addDays(utcDay(now), 1);
  return { from: addDays(until, -30), until };
}

/** And the 30 before. */
export function thirtyDaysBefore(now = Date.now()): Period {
  return periodBefore(lastThirtyDays(now));
}
