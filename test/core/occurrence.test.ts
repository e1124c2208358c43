import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isReportable, MAX_AHEAD_MINUTES } from '#core/occurrence.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('isReportable: the allowed time of a report', () => {
  const now = new Date('2026-11-23T10:00:00Z');
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  const cases: readonly [name: string, occurredAt: Date, lateDays: number, isTaken: boolean][] = [
    ['now', now, 30, true],
    ['exactly the maximum number of days ago', after(-30 * DAY_MS), 30, true],
    ['a millisecond more than the maximum number of days ago', after(-30 * DAY_MS - 1), 30, false],
    ['five minutes ahead', after(MAX_AHEAD_MINUTES * MINUTE_MS), 30, true],
    ['a millisecond more than five minutes ahead', after(MAX_AHEAD_MINUTES * MINUTE_MS + 1), 30, false],
    ['the current time if no delay is allowed', now, 0, true],
    ['a millisecond ago if no delay is allowed', after(-1), 0, false],
  ];
  for (const [name, occurredAt, lateDays, isTaken] of cases) {
    it(`${isTaken ? 'includes' : 'excludes'} ${name}`, () => {
      assert.equal(isReportable(occurredAt, now, lateDays), isTaken);
    });
  }
});
