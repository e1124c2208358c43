/** JSON's number grammar. It excludes hexadecimal, spaces, a leading plus and `.5`. */
const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The maximum number of digits, which is the length of the longest external id. Amounts are far shorter. Without the
 * limit, `1e999999999` would need a billion digits.
 */
export const MAX_DIGITS = 255;

export type Decimal =
  | { readonly kind: 'exact'; readonly value: bigint }
  /** A number with digits below the requested unit. */
  | { readonly kind: 'fraction' }
  /** A number whose product has more than `MAX_DIGITS` digits. */
  | { readonly kind: 'huge' }
  | { readonly kind: 'no-number' };

/**
 * Multiplies the number in `text` by 10^places. Returns the product as an integer, or the reason why that isn't
 * possible. With four places, `10.5` is 105000n. With no places, `3e1` is 30n and `0.5` is a fraction. Reads digit by
 * digit, because a double can't distinguish 2^53 from 2^53+1.
 */
export function readDecimal(text: string, places: number): Decimal {
  const match = JSON_NUMBER.exec(text);
  if (match === null) return { kind: 'no-number' };
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return { kind: 'exact', value: 0n };
  const significant = digits.slice(0, lengthWithoutZeros(digits));
  const shift = Number(exponent) - fraction.length + places + (digits.length - significant.length);
  if (significant.length + shift > MAX_DIGITS) return { kind: 'huge' };
  if (shift < 0) return { kind: 'fraction' };
  const magnitude = BigInt(significant + '0'.repeat(shift));
  return { kind: 'exact', value: sign === '-' ? -magnitude : magnitude };
}

/**
 * Returns the length of `digits` without trailing zeros. Uses a loop, because /0+$/ scans every run of zeros to its
 * end, which takes quadratic time for a literal of a megabyte.
 */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return length;
}
