import { addDays, daysBetween, formatDays, type Period } from './time.ts';

/** The period that figures are compared with. */
export type Comparison = 'previous' | 'year';

/** The steps of a chart. Weeks begin on Monday. */
export type Interval = 'day' | 'week' | 'month';

/**
 * Returns the period to compare with.
 *
 * - `year`: the same dates of the year before.
 * - `previous`: for a month, or the first days of a month, the same days of the month before. For a longer period
 *   within one year that begins on January 1, the same dates of the year before. For another period of whole months,
 *   the same number of months before. For any other period, the same number of days before.
 */
export function periodBefore(period: Period, comparison: Comparison = 'previous'): Period {
  const months = comparison === 'year' ? 12 : monthsBack(period);
  if (months !== undefined) return shiftMonths(period, -months);
  return { from: addDays(period.from, -daysBetween(period.from, period.until).length), until: period.from };
}

/**
 * Returns the number of months from a period to the preceding period, or undefined if the distance is counted in days.
 */
function monthsBack({ from, until }: Period): number | undefined {
  if (!isFirstOfMonth(from)) return undefined;
  const months = monthsBetween(from, until);
  if (months <= 1) return 1;
  if (from.endsWith('-01-01') && months <= 12) return 12;
  return isFirstOfMonth(until) ? months : undefined;
}

/** Returns the number of calendar months that the period touches. `from` is the first day of a month. */
function monthsBetween(from: string, until: string): number {
  const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return monthOf(addDays(until, -1)) - monthOf(from) + 1;
}

function shiftMonths({ from, until }: Period, months: number): Period {
  // A period that ends with a month still ends with a month after the shift, even if the months differ in length.
  if (isFirstOfMonth(until)) return { from: shiftDay(from, months), until: shiftDay(until, months) };
  return { from: shiftDay(from, months), until: addDays(shiftDay(addDays(until, -1), months), 1) };
}

/** Returns the same day of another month. If that month is too short, returns its last day. */
function shiftDay(day: string, months: number): string {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const month = first.toISOString().slice(0, 7);
  const shifted = addDays(`${month}-01`, Number(day.slice(8)) - 1);
  return shifted.startsWith(month) ? shifted : addDays(nextStart(`${month}-01`, 'month'), -1);
}

function isFirstOfMonth(day: string): boolean {
  return day.endsWith('-01');
}

/** Returns the first day of the interval that follows the interval of a day. */
function nextStart(day: string, interval: Interval): string {
  if (interval === 'day') return addDays(day, 1);
  const date = new Date(`${day}T00:00:00Z`);
  if (interval === 'week') return addDays(day, 7 - ((date.getUTCDay() + 6) % 7));
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)).toISOString().slice(0, 10);
}

/** Splits a period into intervals. The first and the last may be shorter, because they stay within the period. */
export function intervalsOf({ from, until }: Period, interval: Interval): Period[] {
  const intervals: Period[] = [];
  for (let start = from; start < until;) {
    const next = nextStart(start, interval);
    intervals.push({ from: start, until: next < until ? next : until });
    start = next;
  }
  return intervals;
}

/**
 * Splits the period of comparison (`before`) so that each part corresponds to one interval of the current period.
 * Months correspond to months if both periods begin on the first day of a month. Otherwise, corresponding parts have
 * the same number of days. The last week or month also includes the remaining days of `before`.
 *
 * If an interval has no corresponding days, its part is undefined.
 */
export function correspondingIntervals(
  before: Period,
  current: readonly Period[],
  interval: Interval,
): (Period | undefined)[] {
  if (interval === 'month' && isFirstOfMonth(before.from) && isFirstOfMonth(current[0]?.from ?? '')) {
    const months = intervalsOf(before, 'month');
    return current.map((_, at) => months[at]);
  }
  let from = before.from;
  return current.map((each, at) => {
    if (from >= before.until) return undefined;
    const end = addDays(from, daysBetween(each.from, each.until).length);
    const isLast = at === current.length - 1 && interval !== 'day';
    const until = isLast || end > before.until ? before.until : end;
    const part = { from, until };
    from = until;
    return part;
  });
}

/** Returns whether an interval is still in progress on a day, so that its figures can still grow. */
export function isIncomplete({ from }: Period, interval: Interval, today: string): boolean {
  return from <= today && nextStart(from, interval) > today;
}

/** Returns a text such as “4 Sep – 3 Oct 2025”, without the year if it is the current year. */
export function periodText({ from, until }: Period): string {
  return formatDays(from, addDays(until, -1));
}
