import { periodBefore } from '#web/ui/formats/periods.ts';
import { addDays, type Period, utcDay } from '#web/ui/formats/time.ts';

/** Returns the last 30 days in UTC, including today. `until` is tomorrow, because it is exclusive. */
export function lastThirtyDays(now = Date.now()): Period {
  const until = addDays(utcDay(now), 1);
  return { from: addDays(until, -30), until };
}

/** Returns the 30 days before the last 30 days. */
export function thirtyDaysBefore(now = Date.now()): Period {
  return periodBefore(lastThirtyDays(now));
}
