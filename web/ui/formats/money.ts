/** An amount as in the API: in hundredths of the currency unit, even for currencies without cents. */
export type MinorUnits = bigint | number | string;

/** The ISO 4217 code for “no currency”. Leads have this code. */
export const NO_CURRENCY = 'XXX';

/**
 * Formats an amount with a symbol that means only one currency: `US$1,234.50`. The text is exact unless `whole` is
 * true. Throws a RangeError if the amount is not a whole number of hundredths.
 */
export function formatMoney(minor: MinorUnits, currency: string, { locale, sign, whole }: MoneyFormat = {}): string {
  const exact = whole === true ? roundedToWhole(wholeNumber(minor)) : wholeNumber(minor);
  const digits = whole === true ? 0 : 2;
  const format = numberFormat(locale, currency, digits, sign === true);
  const value = decimalText(exact) as Intl.StringNumericLiteral;
  if (currency === NO_CURRENCY) return format.format(value);
  return format
    .formatToParts(value)
    .map((part) => shownPart(part, currency))
    .join('');
}

export type MoneyFormat = {
  /** The locale for digits and separators. Default: the reader's. */
  readonly locale?: string | undefined;
  /** Whether to add a plus sign to positive amounts, as for changes. Default: false. */
  readonly sign?: boolean | undefined;
  /** Whether to round to whole currency units, as on the axes of charts. Default: false. */
  readonly whole?: boolean | undefined;
};

/**
 * Returns the text of a part of the amount. Replaces the hyphen with a minus sign, which is as wide as the plus sign.
 */
function shownPart({ type, value }: Intl.NumberFormatPart, currency: string): string {
  if (type === 'currency') return symbolOf(currency);
  return type === 'minusSign' ? value.replace('-', '−') : value;
}

/**
 * Returns the symbol of a currency, or its code if SYMBOLS has no symbol for it. Returns `US$` instead of `$`, because
 * `$` also means other currencies.
 */
export function symbolOf(currency: string): string {
  return SYMBOLS[currency] ?? currency;
}

const SYMBOLS: Readonly<Record<string, string>> = {
  AUD: 'A$',
  BRL: 'R$',
  CAD: 'CA$',
  CNY: 'CN¥',
  EUR: '€',
  GBP: '£',
  HKD: 'HK$',
  ILS: '₪',
  INR: '₹',
  JPY: 'JP¥',
  KRW: '₩',
  MXN: 'MX$',
  NZD: 'NZ$',
  SGD: 'S$',
  USD: 'US$',
  VND: '₫',
};

/** Returns an amount in major units with two decimals, for fields and files: `1999` → `19.99`. */
export function majorText(minor: MinorUnits): string {
  return decimalText(wholeNumber(minor));
}

/**
 * Parses an amount that a user typed, and returns it in hundredths of the currency unit. Accepts `1,234.5`, `1.234,50`,
 * `1 234.50` and `19`, with or without a currency symbol or code.
 *
 * Returns undefined for anything else, for more than two decimals, and above the API's limit (2⁵³ − 1).
 */
export function parseMoney(typed: string): number | undefined {
  const text = typed.replaceAll(/[\s\u00A0\u202F'’]/g, '').replace('−', '-');
  const match = /^(-?)[A-Z]{0,3}\p{Sc}?(\d[\d.,]*|[.,]\d+)(?:\p{Sc}|[A-Z]{3})?$/iu.exec(text);
  if (match === null) return undefined;
  const [, minus, digits = ''] = match;
  const split = splitDecimals(digits);
  if (split === undefined) return undefined;
  const minor = BigInt(`${split.whole}${split.fraction.padEnd(2, '0')}`);
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return minus === '-' ? -Number(minor) : Number(minor);
}

/**
 * Splits digits at the decimal separator. The last separator is the decimal separator, unless exactly three digits
 * follow it or it occurs several times. Returns undefined if the other separators don't group the digits by threes.
 */
function splitDecimals(digits: string): { whole: string; fraction: string } | undefined {
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (at === -1) return { whole: digits, fraction: '' };
  const separator = digits[at];
  const fraction = digits.slice(at + 1);
  const head = digits.slice(0, at);
  const repeated = head.includes(separator ?? '');
  if (fraction.length === 3 || repeated) return grouped(digits) ? { whole: bare(digits), fraction: '' } : undefined;
  if (fraction.length > 2 || !(head === '' || /^\d+$/.test(head) || grouped(head))) return undefined;
  return { whole: head === '' ? '0' : bare(head), fraction };
}

function grouped(digits: string): boolean {
  return /^\d{1,3}([.,])\d{3}(\1\d{3})*$/.test(digits);
}

function bare(digits: string): string {
  return digits.replaceAll(/[.,]/g, '');
}

function wholeNumber(minor: MinorUnits): bigint {
  try {
    return BigInt(minor);
  } catch {
    throw new RangeError(`The amount "${String(minor)}" is not a whole number of hundredths. Pass a whole number.`);
  }
}

function decimalText(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Rounds an amount to whole currency units, half away from zero. */
function roundedToWhole(minor: bigint): bigint {
  const half = minor < 0n ? -50n : 50n;
  return ((minor + half) / 100n) * 100n;
}

const formats = new Map<string, Intl.NumberFormat>();

/**
 * Returns a cached number format. Creating one costs far more than using it, and a table of a hundred rows needs one
 * per row.
 */
function numberFormat(locale: string | undefined, currency: string, digits: number, sign: boolean): Intl.NumberFormat {
  const key = `${locale ?? ''} ${currency} ${digits} ${sign}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(locale, {
    ...(currency === NO_CURRENCY
      ? {}
      : { style: 'currency', currency, currencyDisplay: currency in SYMBOLS ? 'symbol' : 'code' }),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: sign ? 'exceptZero' : 'auto',
  });
  formats.set(key, made);
  return made;
}
