import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { addDays, addMonths, formatInstant, formatMicroseconds, type Instant } from '#core/instant.ts';
import { at } from '../support/decision-facts.ts';

describe('addMonths', () => {
  const cases: readonly [from: string, months: number, to: string][] = [
    ['2026-01-15T10:20:30.123456Z', 1, '2026-02-15T10:20:30.123456Z'],
    ['2026-01-31T23:59:59.999999Z', 1, '2026-02-28T23:59:59.999999Z'],
    ['2024-01-31T00:00:00Z', 1, '2024-02-29T00:00:00Z'],
    ['2026-01-31T00:00:00Z', 2, '2026-03-31T00:00:00Z'],
    ['2026-12-31T12:00:00Z', 2, '2027-02-28T12:00:00Z'],
    ['2024-02-29T12:00:00Z', 12, '2025-02-28T12:00:00Z'],
    ['2024-02-29T12:00:00Z', 48, '2028-02-29T12:00:00Z'],
    ['2026-05-31T12:00:00Z', 0, '2026-05-31T12:00:00Z'],
    ['2026-03-31T12:00:00Z', -1, '2026-02-28T12:00:00Z'],
    ['1969-12-31T23:59:59.999999Z', 1, '1970-01-31T23:59:59.999999Z'],
  ];
  for (const [from, months, to] of cases) {
    it(`${from} plus ${months} months is ${to}`, () => assert.equal(addMonths(at(from), months), at(to)));
  }

  it('keeps the time of day, to the microsecond', () => {
    const years = { min: at('1970-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z') };
    fc.assert(
      fc.property(fc.integer(years), fc.integer({ min: 0, max: 1200 }), (instant, months) => {
        assert.equal(addMonths(instant as Instant, months) % 86_400_000_000, instant % 86_400_000_000);
      }),
    );
  });
});

describe('addDays', () => {
  it('adds 24 hours per day', () => {
    assert.equal(addDays(at('2026-03-28T12:00:00.000001Z'), 2), at('2026-03-30T12:00:00.000001Z'));
  });
});

describe('an instant as text', () => {
  it('formatInstant: returns RFC 3339 with milliseconds', () => {
    assert.equal(formatInstant(at('2026-03-28T12:00:00.123999Z')), '2026-03-28T12:00:00.123Z');
  });

  it('formatMicroseconds: returns RFC 3339 with microseconds', () => {
    for (const text of ['2026-03-28T12:00:00.123009Z', '2026-03-28T12:00:00.000000Z', '1969-12-31T23:59:59.999999Z']) {
      assert.equal(formatMicroseconds(at(text)), text);
    }
  });
});
