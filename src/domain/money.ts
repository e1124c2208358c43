declare const brand: unique symbol;

/** An amount in the smallest unit (hundredths, for every currency); its currency stands beside it. */
export type Minor = bigint & { readonly [brand]: 'minor' };

/** The largest amount, either way. It fits the double that a client may read it into. */
export const MAX_MINOR = (2n ** 53n - 1n) as Minor;

/**
 * The amount that `text` writes in major units, by JSON's number grammar. It is read digit by digit, so it is exact;
 * what is finer than the smallest unit rounds to the nearest, halves away from zero. Undefined
 * when `text` is no such number, is longer than 64 characters, or rounds to more than MAX_MINOR either way.
 */
export function parseMajor(text: string): Minor | undefined {
  const match = text.length <= MAX_LENGTH ? JSON_NUMBER.exec(text) : null;
  if (match === null) return undefined;
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  const magnitude = shift(digits, Number(exponent) - fraction.length + MINOR_PLACES);
  if (magnitude > MAX_MINOR) return undefined;
  return (sign === '-' ? -magnitude : magnitude) as Minor;
}

const MAX_LENGTH = 64;
const MINOR_PLACES = 2;
/** At each point only one branch can go on, so there is nothing to backtrack over. */
const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** digits × 10^places. Exponents come from outside, so the power is cut where it can't change the outcome any more. */
function shift(digits: bigint, places: number): bigint {
  if (places >= 0) return digits * 10n ** BigInt(Math.min(places, MAX_LENGTH));
  return divideHalfUp(digits, 10n ** BigInt(Math.min(-places, MAX_LENGTH + 1)));
}

/** In major units, always with two decimals: `19.99`, `-0.05`. `parseMajor` reads it back. */
export function formatMajor(amount: Minor): string {
  const digits = magnitudeOf(amount)
    .toString()
    .padStart(MINOR_PLACES + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -MINOR_PLACES)}.${digits.slice(-MINOR_PLACES)}`;
}

/**
 * The integer nearest to numerator ÷ denominator, halves up. Below zero it rounds as above, with the sign put back
 * (−1.5 gives −2): what is taken back mirrors what was given, to the unit. The denominator is above zero.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError(`not a denominator: ${denominator}`);
  const rounded = (2n * magnitudeOf(numerator) + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/**
 * `total` in proportion to `weights`; the parts always add up to it. Each gets its share rounded down, and those that
 * lost most by that get one unit more each, ties going to the earliest: the caller passes the oldest first. A weight of
 * zero gets nothing. Neither the total nor a weight is negative, and a total above zero needs a weight above zero.
 */
export function splitByLargestRemainder(total: Minor, weights: readonly bigint[]): Minor[] {
  if (total < 0n || weights.some((weight) => weight < 0n)) throw new RangeError('a split has no negative part');
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0n);
  if (allWeights === 0n && total > 0n) throw new RangeError(`nobody to split ${total} among`);
  // Nearly every sale has one candidate. Without any weight the total is zero, and so is every part.
  if (weights.length === 1 || allWeights === 0n) return weights.map(() => total);

  const parts = weights.map((weight) => ({
    whole: (total * weight) / allWeights,
    remainder: (total * weight) % allWeights,
  }));
  const missing = total - parts.reduce((sum, { whole }) => sum + whole, 0n);
  const byRemainder = parts.toSorted((a, b) => compare(b.remainder, a.remainder));
  // Fewer are missing than have a remainder: a weight of zero is never reached.
  const raised = new Set(byRemainder.slice(0, Number(missing)));
  return parts.map((part) => (raised.has(part) ? part.whole + 1n : part.whole) as Minor);
}

function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
