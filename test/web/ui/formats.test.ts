import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assert as check, integer, property } from 'fast-check';
import { accentColors, contrast } from '#web/ui/formats/accent.ts';
import { formatMoney, majorText, parseMoney } from '#web/ui/formats/money.ts';
import {
  barLengths,
  changeOf,
  formatPercent,
  formatPoints,
  numberText,
  parseNumber,
  pointsOf,
  sharesOf,
} from '#web/ui/formats/numbers.ts';
import { correspondingIntervals, intervalsOf, isIncomplete, periodBefore } from '#web/ui/formats/periods.ts';
import { addDays, daysBetween, dayOf, formatDays, formatTime, startOf } from '#web/ui/formats/time.ts';

describe('money', () => {
  const shown = (minor: bigint | number | string, currency: string, locale = 'en-US') =>
    formatMoney(minor, currency, { locale });

  it('has two decimals in every currency by default, and an unambiguous symbol', () => {
    assert.equal(shown(1999, 'USD'), 'US$19.99');
    assert.equal(shown(1999, 'CAD'), 'CA$19.99');
    assert.equal(shown(1500, 'JPY'), 'JP¥15.00');
    assert.equal(shown(1500, 'KWD'), 'KWD\u00A015.00');
    assert.equal(shown(-5, 'EUR'), '−€0.05');
    assert.equal(shown(0, 'GBP'), '£0.00');
    assert.equal(shown(1234, 'XXX'), '12.34');
  });

  it('is exact beyond the range of a double', () => {
    assert.equal(shown(9_007_199_254_740_993n, 'USD'), 'US$90,071,992,547,409.93');
    assert.equal(shown('-900719925474099301', 'USD'), '−US$9,007,199,254,740,993.01');
  });

  it('is formatted for the locale of the reader', () => {
    assert.equal(shown(123_456, 'EUR', 'de-DE'), '1.234,56\u00A0€');
    assert.equal(formatMoney(5, 'USD', { locale: 'en-US', sign: true }), '+US$0.05');
    assert.equal(formatMoney(149_950, 'USD', { locale: 'en-US', whole: true }), 'US$1,500');
    assert.equal(formatMoney(-149_950, 'USD', { locale: 'en-US', whole: true }), '−US$1,500');
  });

  it('a fraction of a hundredth is refused with a RangeError', () => {
    assert.throws(() => shown(1.5, 'USD'), RangeError);
    assert.throws(() => shown('1.5', 'USD'), RangeError);
  });

  for (const [typed, minor] of [
    ['19', 1900],
    ['19.9', 1990],
    ['19.99', 1999],
    ['0,5', 50],
    ['.5', 50],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50', 123_450],
    ['1’234.50', 123_450],
    ['1,234', 123_400],
    ['1,234,567', 123_456_700],
    ['US$ 1,234.5', 123_450],
    ['€5', 500],
    ['-3', -300],
    ['−3.05', -305],
    ['90071992547409.91', 9_007_199_254_740_991],
  ] as const) {
    it(`is parsed from the input ${typed}`, () => assert.equal(parseMoney(typed), minor));
  }

  for (const typed of [
    '',
    'x',
    '1.2345',
    '12,34,567',
    '1.23.4',
    '1,2,3',
    '--1',
    '1-',
    '90071992547409.92',
    '1e3',
    '.',
  ]) {
    it(`is not parsed from the invalid or ambiguous input “${typed}”`, () =>
      assert.equal(parseMoney(typed), undefined));
  }

  it('an amount is unchanged after formatting and parsing', () => {
    check(
      property(integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }), (minor) => {
        assert.equal(parseMoney(majorText(minor)), minor);
      }),
    );
  });
});

describe('numbers', () => {
  it('a percentage that is not a finite number is shown as a dash', () => {
    assert.equal(formatPercent(0.1234, { locale: 'en-US' }), '12.3%');
    assert.equal(formatPercent(0 / 0), '–');
    assert.equal(formatPercent(1 / 0), '–');
  });

  it('a change from zero to another number has no ratio', () => {
    assert.deepEqual(changeOf(120, 100), { direction: 'up', ratio: 0.2 });
    assert.deepEqual(changeOf(50, 100), { direction: 'down', ratio: -0.5 });
    assert.deepEqual(changeOf(0, 0), { direction: 'same', ratio: 0 });
    assert.deepEqual(changeOf(3, 0), { direction: 'up', ratio: undefined });
    assert.deepEqual(changeOf(-50, -100), { direction: 'up', ratio: 0.5 });
  });

  it('a change between ratios is measured in rounded percentage points', () => {
    assert.deepEqual(pointsOf(0.055, 0.052), { direction: 'up', ratio: 0.3 });
    assert.deepEqual(pointsOf(0.02, 0.05), { direction: 'down', ratio: -3 });
    assert.deepEqual(pointsOf(0.0501, 0.05), { direction: 'same', ratio: 0 });
    assert.equal(formatPoints(0.3, 'en-US'), '0.3');
  });

  it('the bar of the highest positive value is full, bars of positive values are visible, and all other bars are empty', () => {
    assert.deepEqual(barLengths([200, 100, 1, 0, -5, Number.NaN]), [1, 0.5, 0.01, 0, 0, 0]);
    assert.deepEqual(barLengths([0, -1]), [0, 0]);
    assert.deepEqual(barLengths([]), []);
    assert.deepEqual(sharesOf([3, 1, -2]), [0.75, 0.25, 0]);
    assert.deepEqual(sharesOf([0]), [0]);
  });
});

describe('time', () => {
  const now = Date.UTC(2026, 8, 4, 12);
  const shown = (at: number | string, style: Parameters<typeof formatTime>[1], timeZone = 'UTC') =>
    formatTime(at, style, { locale: 'en-GB', timeZone, now });

  it('a time is shown relative to now for a week, and as a date afterwards', () => {
    assert.equal(shown(now - 4_000, 'relative'), 'now');
    assert.equal(shown(now - 42_000, 'relative'), '42 seconds ago');
    assert.equal(shown(now - 3 * 60_000 - 5, 'relative'), '3 minutes ago');
    assert.equal(shown(now + 2 * 3_600_000, 'relative'), 'in 2 hours');
    assert.equal(shown(now - 30 * 3_600_000, 'relative'), 'yesterday');
    assert.equal(shown(now - 7 * 86_400_000, 'relative'), '28 Aug');
    assert.equal(shown('2025-09-04T12:00:00Z', 'relative'), '4 Sept 2025');
  });

  it('a time is shown in the given time zone, and an exact time also names the zone', () => {
    assert.equal(shown('2026-09-04T23:30:00Z', 'datetime', 'Asia/Tokyo'), '5 Sept, 8:30');
    assert.match(shown('2026-09-04T23:30:00Z', 'exact', 'Asia/Tokyo'), /5 September 2026.*8:30:00 .*(GMT\+9|JST)/);
  });

  it('the day of a report is the same in every time zone', () => {
    assert.equal(shown('2026-09-04T00:00:00Z', 'day', 'America/Los_Angeles'), '4 Sept');
  });

  it('an invalid time is refused with a RangeError', () => assert.throws(() => shown('soon', 'date'), RangeError));

  it('addDays crosses the ends of months and years, and daysBetween excludes its end', () => {
    assert.equal(addDays('2026-02-28', 1), '2026-03-01');
    assert.equal(addDays('2026-01-01', -1), '2025-12-31');
    assert.equal(daysBetween('2026-03-01', '2026-04-01').length, 31);
    assert.deepEqual(daysBetween('2026-03-01', '2026-03-01'), []);
  });

  it('dayOf returns the day in a time zone, and startOf its first moment, even if the clocks change', () => {
    const starts: readonly (readonly [zone: string, day: string, start: string])[] = [
      ['UTC', '2026-09-04', '2026-09-04T00:00:00.000Z'],
      ['Asia/Kolkata', '2026-07-01', '2026-06-30T18:30:00.000Z'],
      ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
      ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
      // On these three days, in this order: the hour after midnight is skipped, the hour before midnight is repeated,
      // and the hour after midnight is repeated.
      ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
      ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z'],
      ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
      ['Pacific/Kiritimati', '2027-01-01', '2026-12-31T10:00:00.000Z'],
    ];
    for (const [zone, day, start] of starts) {
      assert.equal(startOf(day, zone), start, `${zone} ${day}`);
      assert.equal(dayOf(start, zone), day);
      assert.equal(dayOf(Date.parse(start) - 1, zone), addDays(day, -1));
    }
  });

  it('formatTime omits the year if it is the current year in the time zone', () => {
    const now = Date.parse('2026-12-31T20:00:00Z');
    const shown = (timeZone: string) => formatTime(now - 60_000, 'date', { locale: 'en-US', timeZone, now });
    assert.equal(shown('Asia/Kolkata'), 'Jan 1');
    assert.equal(
      formatTime('2026-12-31T18:00:00Z', 'date', { locale: 'en-US', timeZone: 'Asia/Kolkata', now }),
      'Dec 31, 2026',
    );
    assert.equal(shown('UTC'), 'Dec 31');
  });
});

describe('periods', () => {
  const period = (from: string, until: string) => ({ from, until });

  it('formatDays doesn’t repeat the same month or year, and omits the current year if both days are in it', () => {
    const now = Date.parse('2026-11-28T12:00:00Z');
    const text = (first: string, last: string) => formatDays(first, last, { locale: 'en-US', now });
    assert.equal(text('2026-11-01', '2026-11-28'), 'Nov 1 – 28');
    assert.equal(text('2026-09-30', '2026-10-29'), 'Sep 30 – Oct 29');
    assert.equal(text('2026-11-28', '2026-11-28'), 'Nov 28');
    assert.equal(text('2025-10-30', '2025-11-28'), 'Oct 30 – Nov 28, 2025');
    assert.equal(text('2025-12-30', '2026-01-28'), 'Dec 30, 2025 – Jan 28, 2026');
  });

  it('a period is compared with the same dates of the month or year before, or with as many months or days before it', () => {
    for (const [from, until, previousFrom, previousUntil] of [
      // October is compared with September, and a quarter with the previous quarter.
      ['2026-10-01', '2026-11-01', '2026-09-01', '2026-10-01'],
      ['2026-04-01', '2026-07-01', '2026-01-01', '2026-04-01'],
      // February has no 30th, so its last day is the end.
      ['2026-03-01', '2026-03-31', '2026-02-01', '2026-03-01'],
      ['2026-11-01', '2026-11-29', '2026-10-01', '2026-10-29'],
      // The year so far is compared with the same dates of the previous year.
      ['2026-01-01', '2026-11-29', '2025-01-01', '2025-11-29'],
      ['2026-01-01', '2027-01-01', '2025-01-01', '2026-01-01'],
      // In January, the year so far is also the month so far, so it is compared with December.
      ['2026-01-01', '2026-01-20', '2025-12-01', '2025-12-20'],
      ['2026-03-02', '2026-03-31', '2026-02-01', '2026-03-02'],
      ['2026-09-01', '2026-11-29', '2026-06-04', '2026-09-01'],
    ] as const) {
      assert.deepEqual(periodBefore(period(from, until)), period(previousFrom, previousUntil), `${from} ${until}`);
    }
  });

  it('a period can be compared with the same dates of the year before', () => {
    assert.deepEqual(periodBefore(period('2026-10-30', '2026-11-29'), 'year'), period('2025-10-30', '2025-11-29'));
    assert.deepEqual(periodBefore(period('2024-02-01', '2024-03-01'), 'year'), period('2023-02-01', '2023-03-01'));
    assert.deepEqual(periodBefore(period('2024-02-29', '2024-03-10'), 'year'), period('2023-02-28', '2023-03-10'));
  });

  it('weeks begin on Monday, and intervals stay within the period', () => {
    assert.deepEqual(intervalsOf(period('2026-11-26', '2026-12-02'), 'week'), [
      period('2026-11-26', '2026-11-30'),
      period('2026-11-30', '2026-12-02'),
    ]);
    assert.deepEqual(intervalsOf(period('2026-12-31', '2027-01-02'), 'month'), [
      period('2026-12-31', '2027-01-01'),
      period('2027-01-01', '2027-01-02'),
    ]);
    assert.equal(intervalsOf(period('2026-01-01', '2027-01-01'), 'day').length, 365);
  });

  it('the parts of an earlier period correspond to the intervals of a later period, and cover the earlier period exactly', () => {
    const months = intervalsOf(period('2026-01-01', '2026-11-29'), 'month');
    assert.deepEqual(
      correspondingIntervals(period('2025-01-01', '2025-11-29'), months, 'month').at(1),
      period('2025-02-01', '2025-03-01'),
    );
    // March has more days than February, so the last days of March have no counterpart.
    const march = intervalsOf(period('2026-03-01', '2026-04-01'), 'day');
    const days = correspondingIntervals(period('2026-02-01', '2026-03-01'), march, 'day');
    assert.deepEqual(days.slice(27, 29), [period('2026-02-28', '2026-03-01'), undefined]);
    // February has fewer days than January, so its last week corresponds to the rest of January.
    const february = intervalsOf(period('2026-02-01', '2026-03-01'), 'week');
    const weeks = correspondingIntervals(period('2026-01-01', '2026-02-01'), february, 'week');
    assert.deepEqual(
      [weeks[0], weeks.at(-1)],
      [period('2026-01-01', '2026-01-02'), period('2026-01-23', '2026-02-01')],
    );
    assert.deepEqual(
      weeks.map((week, at) => at === 0 || week?.from === weeks[at - 1]?.until),
      weeks.map(() => true),
    );
  });

  it('an interval is incomplete if its calendar day, week or month has begun and has not ended', () => {
    const week = period('2026-11-23', '2026-11-29');
    assert.deepEqual(
      ['2026-11-22', '2026-11-23', '2026-11-29', '2026-11-30'].map((today) => isIncomplete(week, 'week', today)),
      [false, true, true, false],
    );
    assert.equal(isIncomplete(period('2026-11-01', '2026-11-29'), 'month', '2026-11-28'), true);
    assert.equal(isIncomplete(period('2026-11-28', '2026-11-29'), 'day', '2026-11-28'), true);
  });
});

describe('the accent color of a brand', () => {
  it('the colors derived from an accent color are readable as a background, and as text on light and dark backgrounds', () => {
    const color = integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    check(
      property(color, (accent) => {
        const colors = accentColors(accent);
        assert.ok(colors !== undefined);
        for (const [text, ground] of [
          [colors.on, colors.fill],
          [colors.on, colors.fillHover],
          [colors.textLight, '#ffffff'],
          [colors.textLight, '#f4f5f7'],
          [colors.textDark, '#101114'],
          [colors.textDark, '#202228'],
        ] as const) {
          assert.ok(contrast(text, ground) >= 4.5, `${accent}: ${text} on ${ground} has ${contrast(text, ground)}`);
        }
      }),
    );
  });

  it('the accent color is used unchanged as a background if text on it is readable, and ignored if it is not a hex color', () => {
    assert.equal(accentColors('#1d4ed8')?.fill, '#1d4ed8');
    assert.deepEqual([accentColors('#ffd600')?.fill, accentColors('#ffd600')?.on], ['#ffd600', '#16171b']);
    assert.equal(accentColors('red'), undefined);
  });
});

describe('a typed number', () => {
  for (const [typed, decimals, locale, number] of [
    ['12', 0, 'en-US', 12],
    [' 1,234 ', 0, 'en-US', 1_234],
    ['1,234.5', 2, 'en-US', 1_234.5],
    ['1,5', 2, 'en-US', 1.5],
    ['.5', 2, 'en-US', 0.5],
    ['12.', 2, 'en-US', 12],
    ['-3', 0, 'en-US', -3],
    ['−3', 0, 'en-US', -3],
    ['1.234', 0, 'de-DE', 1_234],
    ['1.234,5', 2, 'de-DE', 1_234.5],
    ['1.5', 2, 'de-DE', 1.5],
    ['1 234,5', 2, 'fr-FR', 1_234.5],
    ['1’234.5', 2, 'de-CH', 1_234.5],
  ] as const) {
    it(`is parsed: ${typed}, ${locale}`, () => assert.equal(parseNumber(typed, decimals, locale), number));
  }

  for (const [typed, decimals] of [
    ['', 0],
    ['x', 0],
    ['.', 2],
    ['1.5', 0],
    ['1.234', 2],
    ['12,34,567', 0],
    ['1e3', 0],
    ['--1', 0],
  ] as const) {
    it(`is not parsed if it is invalid or ambiguous: “${typed}”`, () =>
      assert.equal(parseNumber(typed, decimals, 'en-US'), undefined));
  }

  it('a number is unchanged after formatting and parsing', () => {
    check(
      property(integer({ min: -1_000_000_000, max: 1_000_000_000 }), (tenThousandths) => {
        const number = tenThousandths / 10_000;
        for (const locale of ['en-US', 'de-DE', 'fr-FR'])
          assert.equal(parseNumber(numberText(number, 4, locale), 4, locale), number);
      }),
    );
  });
});
