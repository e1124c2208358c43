/*
 * A report can have its own `occurredAt`, which determines windows, periods and the order of touches. The time of the
 * report determines the configuration, and which events a decision can use.
 */

/** How far `occurredAt` can be ahead of the service's clock, in minutes. Clocks differ between machines. */
export const MAX_AHEAD_MINUTES = 5;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns whether a report that arrives at `now` can have the given `occurredAt`. It can be at most `lateDays` days in
 * the past and MAX_AHEAD_MINUTES in the future.
 */
export function isReportable(occurredAt: Date, now: Date, lateDays: number): boolean {
  const lateMs = now.getTime() - occurredAt.getTime();
  return lateMs <= lateDays * DAY_MS && lateMs >= -MAX_AHEAD_MINUTES * MINUTE_MS;
}
