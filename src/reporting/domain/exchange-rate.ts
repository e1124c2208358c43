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

/** The name of the first column of a file. */
const DAY_COLUMN = 'Date';

/** The currency of each column of a file. Undefined for other columns. */
export type RateColumns = readonly (string | undefined)[];

/**
 * Reads the header of the history of the European Central Bank (`eurofxref-hist.csv`): the column `Date`, and a column
 * for each currency. Leaves out the euro and currencies that no longer exist. Returns undefined for another header, and
 * for a header that lists a currency twice.
 */
export function readRateHeader(cells: readonly string[]): RateColumns | undefined {
  const names = cells.map((cell) => cell.trim());
  const currencies = names.filter((name) => isCurrency(name));
  if (names[0] !== DAY_COLUMN || currencies.length === 0 || new Set(currencies).size < currencies.length)
    return undefined;
  return names.map((name) => (isCurrency(name) && name !== BASE_CURRENCY ? name : undefined));
}

/** A cell without a valid date or rate. `column` is the name of the cell's column in the header. */
export type InvalidCell = {
  readonly kind: 'invalid-day' | 'invalid-rate';
  readonly column: string;
  readonly text: string;
};

/**
 * Returns the rates of a row below the header. Skips cells without a rate, which are empty or `N/A`. If the row doesn't
 * begin with a day, or another cell isn't a rate, returns the invalid cell.
 */
export function readRateRow(columns: RateColumns, cells: readonly string[]): ExchangeRate[] | InvalidCell {
  const day = cells[0]?.trim() ?? '';
  if (!isDay(day)) return { kind: 'invalid-day', column: DAY_COLUMN, text: day };
  const rates: ExchangeRate[] = [];
  for (const [column, text] of cells.entries()) {
    const currency = columns[column];
    const cell = text.trim();
    if (currency === undefined || cell === '' || cell === 'N/A') continue;
    const rate = parseRate(cell);
    if (rate === undefined) return { kind: 'invalid-rate', column: currency, text: cell };
    rates.push({ currency, day, rate });
  }
  return rates;
}
