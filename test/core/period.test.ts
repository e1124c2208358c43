import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { formatInstant, type Instant } from '#core/instant.ts';
import { PERIODS, type Period, spanOf } from '#core/period.ts';
import { at } from '../support/decision-facts.ts';

describe('spanOf: a period is a calendar period in UTC', () => {
  const cases: readonly [period: Period, instant: string, startsAt: string, endsAt: string][] = [
    ['day', '2026-03-01T00:00:00Z', '2026-03-01', '2026-03-02'],
    ['day', '2026-03-01T23:59:59.999999Z', '2026-03-01', '2026-03-02'],
    ['day', '1969-12-31T23:59:59.999999Z', '1969-12-31', '1970-01-01'],
    ['week', '2026-03-01T12:00:00Z', '2026-02-23', '2026-03-02'],
    ['week', '2026-03-02T00:00:00Z', '2026-03-02', '2026-03-09'],
    ['week', '2026-01-01T00:00:00Z', '2025-12-29', '2026-01-05'],
    ['week', '1970-01-01T00:00:00Z', '1969-12-29', '1970-01-05'],
    ['month', '2024-02-29T23:59:59.999999Z', '2024-02-01', '2024-03-01'],
    ['month', '2025-12-31T23:59:59.999999Z', '2025-12-01', '2026-01-01'],
    ['month', '1969-12-31T23:59:59.999999Z', '1969-12-01', '1970-01-01'],
    ['quarter', '2026-03-31T23:59:59.999999Z', '2026-01-01', '2026-04-01'],
    ['quarter', '2026-04-01T00:00:00Z', '2026-04-01', '2026-07-01'],
    ['quarter', '2026-12-31T12:00:00Z', '2026-10-01', '2027-01-01'],
    ['year', '2026-12-31T23:59:59.999999Z', '2026-01-01', '2027-01-01'],
    ['year', '2027-01-01T00:00:00Z', '2027-01-01', '2028-01-01'],
    ['lifetime', '2026-03-01T12:00:00Z', '1700-01-01', '2255-01-01'],
  ];
  for (const [period, instant, startsAt, endsAt] of cases) {
    it(`the ${period} of ${instant} is ${startsAt} to ${endsAt}`, () => {
      const span = spanOf(period, at(instant));
      assert.deepEqual(
        [formatInstant(span.startsAt), formatInstant(span.endsAt)],
        [midnight(startsAt), midnight(endsAt)],
      );
    });
  }
});

describe('spanOf: every period', () => {
  const anyPeriod = fc.constantFrom(...PERIODS);
  const anyInstant = fc.integer({
    min: at('1700-01-01T00:00:00Z'),
    max: at('2255-01-01T00:00:00Z') - 1,
  }) as fc.Arbitrary<Instant>;

  it('contains the instant, and is the same for its first and last microsecond', () => {
    fc.assert(
      fc.property(anyPeriod, anyInstant, (period, instant) => {
        const span = spanOf(period, instant);
        assert.ok(span.startsAt <= instant && instant < span.endsAt);
        assert.deepEqual(spanOf(period, span.startsAt), span);
        assert.deepEqual(spanOf(period, (span.endsAt - 1) as Instant), span);
      }),
    );
  });

  it('ends where the next period starts, except for a lifetime', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PERIODS.filter((period) => period !== 'lifetime')),
        anyInstant,
        (period, instant) => {
          const { endsAt } = spanOf(period, instant);
          assert.equal(spanOf(period, endsAt).startsAt, endsAt);
        },
      ),
    );
  });

  it('has bounds that are safe integers', () => {
    for (const period of PERIODS) {
      const { startsAt, endsAt } = spanOf(period, at('2026-03-01T12:00:00Z'));
      assert.ok(Number.isSafeInteger(startsAt) && Number.isSafeInteger(endsAt));
    }
  });
});

function midnight(date: string): string {
  return `${date}T00:00:00.000Z`;
}
