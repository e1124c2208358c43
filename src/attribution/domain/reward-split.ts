import { cutToUnit, MAX_MINOR, type Minor, roundToUnit, splitByLargestRemainder } from '#core/money.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';
import { REWARD_SCALE } from '#programs/domain/reward.ts';

/** A claim's input to the split: its exact reward, in millionths of a hundredth of the major unit, and its weight. */
export type Part = { readonly exactReward: bigint; readonly weight: bigint };

export type Split<P extends Part> = {
  /** The sum of all shares, rounded once, before the cap per order. */
  readonly uncapped: Minor;
  /** The sum of all shares after the cap per order. */
  readonly reward: Minor;
  readonly shares: readonly (P & { readonly share: Minor })[];
};

/**
 * Splits a program's reward among its claims, which must be sorted oldest first. The exact share of a claim is its
 * reward × its weight ÷ the sum of all weights. The sum of the exact shares is rounded once, limited by the cap per
 * order, and split by largest remainder. The shares therefore always add up to `reward`. In a tie, the oldest claim
 * gets the remainder. All returned amounts are multiples of `unit`.
 */
export function splitReward<P extends Part>(parts: readonly P[], capPerOrder: Minor | null, unit: bigint): Split<P> {
  // Compute the exact shares in multiples of 1 ÷ (allWeights × REWARD_SCALE).
  const exactShares = parts.map((part) => part.exactReward * part.weight);
  const allWeights = sumOf(parts.map((part) => part.weight));
  // If all weights are 0, all shares are 0. Any divisor above 0 gives that result.
  const denominator = (allWeights === 0n ? 1n : allWeights) * REWARD_SCALE;
  // Limit rewards above the largest amount, such as a fixed reward for a billion pieces.
  const uncapped = least(roundToUnit(sumOf(exactShares), denominator, unit), cutToUnit(MAX_MINOR, unit));
  const reward = least(uncapped, cutToUnit(capPerOrder ?? MAX_MINOR, unit));
  const shares = splitByLargestRemainder((reward / unit) as Minor, exactShares).map((units) => (units * unit) as Minor);
  return { uncapped, reward, shares: parts.map((part, index) => ({ ...part, share: shares[index] as Minor })) };
}

/**
 * Returns a share limited by the cap per collaborator and period, and the amount that the cap cuts from it (`cut`).
 * `earned` is the part of the cap that is already used up. The limited share is a multiple of `unit`, like the given
 * share. The cut amount is not paid to any collaborator.
 */
export function capShare(
  share: Minor,
  { capPerPeriod }: Pick<ProgramTerms, 'capPerPeriod'>,
  earned: Minor,
  unit: bigint,
): { readonly share: Minor; readonly cut: Minor } {
  if (capPerPeriod === null) return { share, cut: 0n as Minor };
  const left = capPerPeriod.amount - earned;
  const rest = left > 0n ? least(share, cutToUnit(left as Minor, unit)) : (0n as Minor);
  return { share: rest, cut: (share - rest) as Minor };
}

function least(a: Minor, b: Minor): Minor {
  return a < b ? a : b;
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}
