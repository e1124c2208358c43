declare const brand: unique symbol;

/** An amount in hundredths of the major unit, for every currency. Its currency is stored separately. */
export type Minor = bigint & { readonly [brand]: 'minor' };

/** The largest magnitude of an amount. Clients can read it as a double without loss. */
export const MAX_MINOR = (2n ** 53n - 1n) as Minor;

/**
 * Parses an amount in major units, written in JSON's number grammar, without floating-point arithmetic. The amount is
 * rounded to the nearest hundredth, with halves away from zero.
 *
 * Returns undefined if `text` isn't such a number, has more than 64 characters, or rounds to an amount beyond
 * MAX_MINOR.
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
/** JSON's number grammar. It matches without backtracking, because only one branch can continue at each position. */
const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Returns digits × 10^places, rounded to an integer. Exponents are client input, so the power of ten is limited. Beyond
 * the limit, any amount other than 0 is above MAX_MINOR or rounds to 0.
 */
function shift(digits: bigint, places: number): bigint {
  if (places >= 0) return digits * 10n ** BigInt(Math.min(places, MAX_LENGTH));
  return divideHalfUp(digits, 10n ** BigInt(Math.min(-places, MAX_LENGTH + 1)));
}

/** Formats an amount in major units, always with two decimals: `19.99`, `-0.05`. `parseMajor` reverses it. */
export function formatMajor(amount: Minor): string {
  const digits = magnitudeOf(amount)
    .toString()
    .padStart(MINOR_PLACES + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -MINOR_PLACES)}.${digits.slice(-MINOR_PLACES)}`;
}

/**
 * Returns the integer nearest to numerator ÷ denominator, with halves away from zero. So 1.5 is rounded to 2 and −1.5
 * to −2, and an amount and its reversal add up to 0. Throws a RangeError unless the denominator is positive.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError(`The denominator must be positive, not ${denominator}.`);
  const rounded = (2n * magnitudeOf(numerator) + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/** Returns the multiple of `unit` nearest to numerator ÷ denominator, rounded like `divideHalfUp`. */
export function roundToUnit(numerator: bigint, denominator: bigint, unit: bigint): Minor {
  return (divideHalfUp(numerator, denominator * unit) * unit) as Minor;
}

/** Returns the largest multiple of `unit` up to `amount`. `amount` must not be negative. */
export function cutToUnit(amount: Minor, unit: bigint): Minor {
  return (amount - (amount % unit)) as Minor;
}

/**
 * Splits `total` in proportion to `weights`. The parts always add up to the total. Each part is first rounded down. The
 * missing units are added to the parts with the largest remainders, one unit each. Ties prefer the earliest part, so
 * callers pass the oldest part first.
 *
 * A part with weight zero is zero. Throws a RangeError if the total or a weight is negative, or if a positive total has
 * no positive weight.
 */
export function splitByLargestRemainder(total: Minor, weights: readonly bigint[]): Minor[] {
  if (total < 0n || weights.some((weight) => weight < 0n))
    throw new RangeError('The total and the weights of a split must not be negative.');
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0n);
  if (allWeights === 0n && total > 0n) throw new RangeError(`No weight is positive, so ${total} can't be split.`);
  // Nearly every sale has a single candidate. If all weights are zero, the total and all parts are zero.
  if (weights.length === 1 || allWeights === 0n) return weights.map(() => total);

  const parts = weights.map((weight) => ({
    whole: (total * weight) / allWeights,
    remainder: (total * weight) % allWeights,
  }));
  const missing = total - parts.reduce((sum, { whole }) => sum + whole, 0n);
  const byRemainder = parts.toSorted((a, b) => compare(b.remainder, a.remainder));
  // There are fewer missing units than parts with a remainder, so a part with weight zero never gets a unit.
  const raised = new Set(byRemainder.slice(0, Number(missing)));
  return parts.map((part) => (raised.has(part) ? part.whole + 1n : part.whole) as Minor);
}

function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
