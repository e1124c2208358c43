import { isCurrency } from '#core/currency.ts';
import { isDay } from '#core/day.ts';
import { readDecimal } from '#core/contract/decimal.ts';

/** The currency to which all rates refer, as in the files of the European Central Bank. */
export const BASE_CURRENCY = 'EUR';

/** The maximum numbers of digits of a rate, before and after the point. */
export const RATE_DIGITS = { whole: 12, decimals: 10 } as const;

/** The number of units of a currency that one euro buys, from a day on. */
export type ExchangeRate = {
  readonly currency: string;
  readonly day: string;
  /** The rate as a decimal number. */
  readonly rate: string;
};

/**
 * Returns a positive rate as text with RATE_DIGITS.decimals decimals. Returns undefined if the text isn't a positive
 * decimal number or has too many digits.
 */
export function parseRate(text: string): string | undefined {
  const read = readDecimal(text, RATE_DIGITS.decimals);
  if (read.kind !== 'exact' || read.value <= 0n) return undefined;
  const digits = String(read.value).padStart(RATE_DIGITS.decimals + 1, '0');
  const whole = digits.slice(0, -RATE_DIGITS.decimals);
  return whole.length > RATE_DIGITS.whole ? undefined : `${whole}.${digits.slice(-RATE_DIGITS.decimals)}`;
}

export type RateTableReading =
  | { readonly kind: 'read'; readonly rates: readonly ExchangeRate[] }
  /** The first row is not the header of the file. */
  | { readonly kind: 'no-header' }
  /** A cell is neither a rate, nor empty, nor `N/A`, or a row doesn't begin with a day. The header is row 1. */
  | { readonly kind: 'unreadable'; readonly row: number };

/**
 * Reads the history of the European Central Bank (`eurofxref-hist.csv`): the column `Date`, and a column with the rate
 * of each currency. Skips cells without a rate (`N/A`), and columns of currencies that no longer exist.
 */
export function readRateTable(records: readonly (readonly string[])[]): RateTableReading {
  const [header = [], ...rows] = records;
  const currencies = header.map((cell) => cell.trim());
  if (currencies[0] !== 'Date' || !currencies.some((cell) => isCurrency(cell))) return { kind: 'no-header' };
  const rates: ExchangeRate[] = [];
  for (const [at, cells] of rows.entries()) {
    const day = cells[0]?.trim() ?? '';
    if (!isDay(day)) return { kind: 'unreadable', row: at + 2 };
    for (const [column, currency] of currencies.entries()) {
      const cell = cells[column]?.trim() ?? '';
      if (!isCurrency(currency) || currency === BASE_CURRENCY || cell === '' || cell === 'N/A') continue;
      const rate = parseRate(cell);
      if (rate === undefined) return { kind: 'unreadable', row: at + 2 };
      rates.push({ currency, day, rate });
    }
  }
  return { kind: 'read', rates };
}
