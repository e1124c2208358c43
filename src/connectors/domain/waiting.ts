import { MAX_WAIT_DAYS } from './connector.ts';

/** The number of failed attempts after which an event is dead-lettered. */
export const MAX_EVENT_ATTEMPTS = 5;

/** Returns whether an event has waited for too long and must be dead-lettered. */
export function isOverdue(waitedHours: number): boolean {
  return waitedHours >= MAX_WAIT_DAYS * 24;
}

/** Returns the delay before the next attempt, in seconds: 1, 4, 16 or 64 after 0, 1, 2 or 3 earlier failures. */
export function retryGapSeconds(attempts: number): number {
  return 4 ** attempts;
}
