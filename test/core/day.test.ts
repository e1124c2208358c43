import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isDay } from '#core/day.ts';

it('isDay: accepts only existing days from the year 1000 to 9999 in the form YYYY-MM-DD', () => {
  for (const text of ['2026-09-01', '2024-02-29', '9999-12-31', '1000-01-01']) assert.ok(isDay(text), text);
  for (const text of ['2026-02-30', '2025-02-29', '2026-13-01', '0999-01-01', '2026-9-1', '2026-09-01T00:00:00Z', ''])
    assert.ok(!isDay(text), text);
});
