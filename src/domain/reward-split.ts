import { divideHalfUp, MAX_MINOR, type Minor, splitByLargestRemainder } from './money.ts';
import type { ProgramTerms } from './program.ts';
import { REWARD_SCALE } from './reward.ts';

/** What a claim has in the split: its own exact reward (millionths of the smallest unit) and its weight. */
export type Part = { readonly exactReward: bigint; readonly weight: bigint };

export type Split<P extends Part> = {
  /** All shares together, rounded once, before the cap per order and after it. */
  readonly uncapped: Minor;
  readonly reward: Minor;
  readonly shares: readonly (P & { readonly share: Minor })[];
};

/**
 * The shares of a program's claims, oldest first: each is exactly reward × weight ÷ all weights. Their sum is rounded
 * once, cut to the cap per order, and split in proportion by largest remainder, ties to the oldest. So shares always add
 * up to `reward`.
 */
export function splitReward<P extends Part>(parts: readonly P[], capPerOrder: Minor | null): Split<P> {
  const exactShares = parts.map((part) => part.exactReward * part.weight); // × 1 ÷ (allWeights × REWARD_SCALE)
  const allWeights = sumOf(parts.map((part) => part.weight));
  // Without any weight all shares are 0, whatever they are divided by.
  const denominator = (allWeights === 0n ? 1n : allWeights) * REWARD_SCALE;
  // Beyond what an amount can be (a fixed reward for a billion pieces) nobody pays.
  const uncapped = least(divideHalfUp(sumOf(exactShares), denominator) as Minor, MAX_MINOR);
  const reward = least(uncapped, capPerOrder ?? MAX_MINOR);
  const shares = splitByLargestRemainder(reward, exactShares);
  return { uncapped, reward, shares: parts.map((part, index) => ({ ...part, share: shares[index] as Minor })) };
}

/**
 * A share less what it has beyond the cap per collaborator and period, of which `earned` is used up. What is cut goes to
 * nobody.
 */
export function capShare(
  share: Minor,
  { capPerPeriod }: Pick<ProgramTerms, 'capPerPeriod'>,
  earned: Minor,
): { readonly share: Minor; readonly cut: Minor } {
  if (capPerPeriod === null) return { share, cut: 0n as Minor };
  const left = capPerPeriod.amount - earned;
  const rest = left > 0n ? least(share, left as Minor) : (0n as Minor);
  return { share: rest, cut: (share - rest) as Minor };
}

function least(a: Minor, b: Minor): Minor {
  return a < b ? a : b;
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}
