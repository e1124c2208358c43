/** JSON's number grammar, and nothing beside it: no hex, no blanks, no leading plus, no `.5`. */
const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** As long as the longest external id; any amount is far shorter. Bounds the work on `1e999999999`. */
export const MAX_DIGITS = 255;

export type Decimal =
  | { readonly kind: 'exact'; readonly value: bigint }
  /** A number, but with digits below the unit that was asked for. */
  | { readonly kind: 'fraction' }
  /** A number of more digits than anything here has. */
  | { readonly kind: 'huge' }
  | { readonly kind: 'no-number' };

/**
 * The number in `text` × 10^places, read digit by digit: `10.5` with four places is 105000n, `3e1` with none is 30n,
 * `0.5` with none is a fraction. Never through a double, which cannot tell 2^53 from 2^53+1.
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

/** By hand, since /0+$/ tries every run of zeros to its end: quadratic in a literal of a megabyte. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return length;
}
