/** An amount in the smallest unit, as the API has it: hundredths, for every currency. */
export type MinorUnits = bigint | number | string;

/** ISO 4217 for “no currency”: what a lead has. */
export const NO_CURRENCY = 'XXX';

/**
 * An amount as people read it, exact to the last digit, with a symbol that means one currency only: `US$1,234.50`.
 * Throws a RangeError for what is no whole number.
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
  /** Whose digits and separators: the reader's, unless told. */
  readonly locale?: string | undefined;
  /** With a plus before what is above zero, for changes. */
  readonly sign?: boolean | undefined;
  /** Without cents, for the axes of charts only. */
  readonly whole?: boolean | undefined;
};

/** A minus is as wide as the plus beside which it stands. */
function shownPart({ type, value }: Intl.NumberFormatPart, currency: string): string {
  if (type === 'currency') return symbolOf(currency);
  return type === 'minusSign' ? value.replace('-', '−') : value;
}

/** `US$` and not `$`, which a reader in Toronto takes for another; a currency that isn't here has its code. */
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

/** `1999` → `19.99`: major units with two decimals, for fields. */
export function majorText(minor: MinorUnits): string {
  return decimalText(wholeNumber(minor));
}

/**
 * The minor units of what somebody typed: `1,234.5`, `1.234,50`, `1 234.50` and `19` are understood, with or without the
 * currency's sign. Undefined for anything else, for more than two decimals, and beyond what the API takes (2⁵³ − 1).
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

/** The last separator is the decimal one, unless three digits follow it; all before it group by threes. */
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
    throw new RangeError(`not an amount in minor units: ${String(minor)}`);
  }
}

function decimalText(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Halves away from zero, as the house rounds. */
function roundedToWhole(minor: bigint): bigint {
  const half = minor < 0n ? -50n : 50n;
  return ((minor + half) / 100n) * 100n;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Making one costs far more than using it, and a table of a hundred rows uses it for each. */
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
