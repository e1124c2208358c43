import { addDays, dayOf, type Period } from '#web/ui/formats/time.ts';

/** Returns the last 30 days, including today. `until` is tomorrow, because it is exclusive. */
export function lastThirtyDays(now = Date.now()): Period {
  const until = addDays(dayOf(now), 1);
  return { from: addDays(until, -30), until };
}
