/** Formats a count in the reader's locale: `12,345`. */
export function formatCount(value: number | bigint, locale?: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** Formats a compact number: `12.3K`. Use it only if the exact number is nearby, as in charts. */
export function formatCompact(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** Formats a ratio (0.1234) as `12.3%`. A ratio that is not a finite number, such as 0 of 0, is a dash. */
export function formatPercent(ratio: number, { digits = 1, sign = false, locale }: PercentFormat = {}): string {
  if (!Number.isFinite(ratio)) return NOTHING;
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: digits,
    signDisplay: sign ? 'exceptZero' : 'auto',
  }).format(ratio);
}

export type PercentFormat = {
  readonly digits?: number | undefined;
  readonly sign?: boolean | undefined;
  readonly locale?: string | undefined;
};

/** The text for a missing number. */
export const NOTHING = '–';

export type Change = {
  readonly direction: 'up' | 'down' | 'same';
  /**
   * The relative change: (now − before) ÷ |before|. Undefined if only `before` is zero. `pointsOf` sets the change in
   * percentage points instead.
   */
  readonly ratio: number | undefined;
};

/** Returns the change of a figure from `before` to `now`. */
export function changeOf(now: number, before: number): Change {
  const direction = now > before ? 'up' : now < before ? 'down' : 'same';
  return { direction, ratio: before === 0 ? (now === 0 ? 0 : undefined) : (now - before) / Math.abs(before) };
}

/** Returns the change of a ratio, such as 5.5% from 5.2%, in percentage points with one decimal. */
export function pointsOf(now: number, before: number): Change {
  const tenths = Math.round((now - before) * 1_000);
  return { direction: tenths > 0 ? 'up' : tenths < 0 ? 'down' : 'same', ratio: tenths / 10 };
}

/** Formats percentage points: `0.3`. */
export function formatPoints(points: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(points);
}

/**
 * Returns the length of each bar from 0 to 1, relative to the longest. A value that is negative or not a number has
 * length 0. A positive value has at least 0.01, because an invisible bar would mean zero.
 */
export function barLengths(values: readonly number[]): number[] {
  const longest = Math.max(0, ...values.filter((value) => Number.isFinite(value)));
  return values.map((value) => (longest > 0 && value > 0 ? Math.max(value / longest, SHORTEST_BAR) : 0));
}

const SHORTEST_BAR = 0.01;

/** Returns the share of each value in the sum of all positive values. All shares are 0 without a positive value. */
export function sharesOf(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + Math.max(0, value), 0);
  return values.map((value) => (sum > 0 ? Math.max(0, value) / sum : 0));
}

/**
 * Parses a number that a user typed, with at most `decimals` decimals. Accepts the locale's format, and `1.5` or `1,5`
 * if it is unambiguous. Returns undefined for anything else.
 */
export function parseNumber(text: string, decimals: number, locale?: string): number | undefined {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
  const group = parts.find(({ type }) => type === 'group')?.value ?? '';
  const typed = text.replaceAll(/[\s’']/gu, '').replace('−', '-');
  const plain = (group !== '' && isGrouped(typed, group) ? typed.replaceAll(group, '') : typed).replace(',', '.');
  const found = /^-?(?=\.?\d)\d*(?:\.(?<after>\d*))?$/.exec(plain);
  if (found === null || (found.groups?.['after']?.length ?? 0) > decimals) return undefined;
  return Number(plain);
}

/** Returns whether all groups after the first have three digits, as in `1,234`. */
function isGrouped(text: string, group: string): boolean {
  const [first = '', ...others] = (text.replace('-', '').split(group === '.' ? ',' : '.')[0] ?? '').split(group);
  return others.length > 0 && /^\d{1,3}$/.test(first) && others.every((each) => /^\d{3}$/.test(each));
}

/** Formats a number for a field: `1,234.5`. */
export function numberText(value: number, decimals: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value);
}
