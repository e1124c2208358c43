/** `12,345`, by the reader's habits. */
export function formatCount(value: number | bigint, locale?: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** `12.3K`: for axes and bars, where the exact number stands nearby. */
export function formatCompact(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** A ratio (0.1234) as `12.3%`. What is not a number, such as 0 of 0, is a dash. */
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

/** Where there is no number to show. */
export const NOTHING = '–';

/** Millionths, as rates are kept, as a ratio. */
export function ratioOfPpm(ppm: number): number {
  return ppm / 1_000_000;
}

export type Change = {
  readonly direction: 'up' | 'down' | 'same';
  /** (now − before) ÷ |before|; undefined where there was nothing before. */
  readonly ratio: number | undefined;
};

/** What has become of a figure against the period before. */
export function changeOf(now: number, before: number): Change {
  const direction = now > before ? 'up' : now < before ? 'down' : 'same';
  return { direction, ratio: before === 0 ? (now === 0 ? 0 : undefined) : (now - before) / Math.abs(before) };
}

/** The same of a ratio, such as 5.5% against 5.2%: what lies between, in points of a hundred, as it is shown. */
export function pointsOf(now: number, before: number): Change {
  const tenths = Math.round((now - before) * 1_000);
  return { direction: tenths > 0 ? 'up' : tenths < 0 ? 'down' : 'same', ratio: tenths / 10 };
}

/** `0.3`. */
export function formatPoints(points: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(points);
}

/**
 * How long each bar is, from 0 to 1 of the longest. What is below zero or no number has none; what is above zero is at least a hair
 * (0.01), since a bar that can't be seen says zero.
 */
export function barLengths(values: readonly number[]): number[] {
  const longest = Math.max(0, ...values.filter((value) => Number.isFinite(value)));
  return values.map((value) => (longest > 0 && value > 0 ? Math.max(value / longest, SHORTEST_BAR) : 0));
}

const SHORTEST_BAR = 0.01;

/** The share of each of the sum of all above zero; all zero where there is no such sum. */
export function sharesOf(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + Math.max(0, value), 0);
  return values.map((value) => (sum > 0 ? Math.max(0, value) / sum : 0));
}

/**
 * What somebody has typed as a number, with `decimals` decimals at most: by the habits of the locale, and `1.5` or `1,5` where that can mean
 * nothing else. Undefined for what is none.
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

/** Groups of three after the first, as `1,234`. */
function isGrouped(text: string, group: string): boolean {
  const [first = '', ...others] = (text.replace('-', '').split(group === '.' ? ',' : '.')[0] ?? '').split(group);
  return others.length > 0 && /^\d{1,3}$/.test(first) && others.every((each) => /^\d{3}$/.test(each));
}

/** `1,234.5`, for a field. */
export function numberText(value: number, decimals: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value);
}
