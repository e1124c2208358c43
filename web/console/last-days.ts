import { periodBefore } from '#web/ui/formats/periods.ts';
import { addDays, dayOf, type Period } from '#web/ui/formats/time.ts';

/** Returns the last 30 days, including today. `until` is tomorrow, because it is exclusive. */
export function lastThirtyDays(now = Date.now()): Period {
  const until = addDays(dayOf(now), 1);
  return { from: addDays(until, -30), until };
}

/** Returns the 30 days before the last 30 days. */
export function thirtyDaysBefore(now = Date.now()): Period {
  return periodBefore(lastThirtyDays(now));
}
