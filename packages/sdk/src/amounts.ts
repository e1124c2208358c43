/**
 * Converts an amount in major units to the smallest unit of the currency, which `totalMinor` and `amountMinor` need.
 * The digits are parsed as text, so the result is exact. Throws a RangeError if `amount` is not a plain decimal number,
 * would have to be rounded, or exceeds the exact range of numbers.
 *
 * @example
 * toMinor('19.99', 'USD'); // 1999
 * toMinor('1234', 'JPY'); // 1234
 * toMinor('12.345', 'KWD'); // 12345
 */
export function toMinor(amount: string | number, currency: string): number {
  const decimals = decimalsOf(currency);
  const [, sign = '', whole = '', fraction = ''] = PLAIN_DECIMAL.exec(String(amount)) ?? [];
  if (whole === '')
    throw new RangeError(`${String(amount)} is not an amount. Use digits with an optional decimal point.`);
  const kept = fraction.padEnd(decimals, '0').slice(0, decimals);
  if (/[1-9]/.test(fraction.slice(decimals))) {
    throw new RangeError(
      `${String(amount)} has too many decimals for ${currency} (at most ${decimals}). Round it first.`,
    );
  }
  const minor = Number(`${sign}${whole}${kept}`);
  if (!Number.isSafeInteger(minor))
    throw new RangeError(`${String(amount)} ${currency} is too large to be exact. Split the amount.`);
  return minor === 0 ? 0 : minor;
}

/**
 * Converts an amount from a response to major units as text. Responses have hundredths in every currency. In a currency
 * without decimals, such as JPY, the result has decimals only if the amount isn't whole. Throws a RangeError if
 * `hundredths` is not a safe integer.
 *
 * @example
 * toMajor(1999, 'USD'); // '19.99'
 * toMajor(123400, 'JPY'); // '1234'
 */
export function toMajor(hundredths: number, currency: string): string {
  if (!Number.isSafeInteger(hundredths))
    throw new RangeError(`${hundredths} is not an amount in hundredths. Pass a safe integer.`);
  const digits = String(Math.abs(hundredths)).padStart(3, '0');
  const [whole, fraction] = [digits.slice(0, -2), digits.slice(-2)];
  const isWhole = decimalsOf(currency) === 0 && fraction === '00';
  return `${hundredths < 0 ? '-' : ''}${whole}${isWhole ? '' : `.${fraction}`}`;
}

/**
 * Returns the number of decimals that ISO 4217 defines for a currency code in upper case. Returns 2 for an unknown
 * code.
 */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}

const PLAIN_DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

/** The number of decimals of the currencies whose smallest unit is not a hundredth. */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);
