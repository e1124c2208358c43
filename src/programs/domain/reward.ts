import type { CollaboratorId } from '#core/ids.ts';
import { addMonths, type Instant } from '#core/instant.ts';
import { type LineFilter, lineTestOf } from './line-filter.ts';
import { MAX_MINOR, type Minor } from '#core/money.ts';
import type { ProgramTerms, RenewalReward, Reward, Tiers } from './program.ts';
import type { LineType } from './line.ts';
import type { Line } from './line.ts';

/** The base of a reward: the sum of the counted lines, and the number of their pieces, not counting discounts. */
export type Base = { readonly amount: Minor; readonly quantity: bigint };

/**
 * The reward that applies to a collaborator, and its origin. For a tier, `tierFrom` is the reached threshold. For a
 * renewal reward, `afterMonths` is the age from which it applies.
 */
export type AppliedReward =
  | { readonly terms: 'own' | 'program'; readonly reward: Reward }
  | { readonly terms: 'tier'; readonly reward: Reward; readonly tierFrom: bigint }
  | { readonly terms: 'renewal'; readonly reward: Reward; readonly afterMonths: number };

/** The times of a renewal and of the sale that it renews. */
export type RenewalTimes = { readonly soldAt: Instant; readonly originallySoldAt: Instant };

/**
 * The scale of exact rewards: one hundredth of the major unit is 1,000,000. Percentages have at most four decimals, so
 * rewards in this scale are exact.
 */
export const REWARD_SCALE = 1_000_000n;

/**
 * Returns the base of a reward. `amount` is the sum of the lines with a counted type that pass the filter. `quantity`
 * is the number of their pieces, not counting discounts.
 */
export function baseOf(lines: readonly Line[], countedLines: readonly LineType[], lineFilter: LineFilter | null): Base {
  let amount = 0n;
  let quantity = 0n;
  for (const line of lines.filter(countedBy(countedLines, lineFilter))) {
    amount += line.total;
    if (line.type !== 'discount') quantity += BigInt(line.quantity);
  }
  return { amount: amount as Minor, quantity };
}

/** Returns a function that checks whether a program counts a line. */
export function countedBy(countedLines: readonly LineType[], lineFilter: LineFilter | null): (line: Line) => boolean {
  const passes = lineFilter === null ? () => true : lineTestOf(lineFilter);
  return (line) => countedLines.includes(line.type) && passes(line);
}

/**
 * Returns the reward of a collaborator. The first of these that exists applies: the collaborator's custom rate, the
 * reward for the renewal's age, the reached tier, the program's reward. `earned` contains the earlier awards for tiers.
 * `renewal` is null for a sale or a lead.
 */
export function rewardFor(
  { collaboratorRewards, renewalRewards, tiers, reward }: Rewards,
  collaboratorId: CollaboratorId,
  earned: Earned,
  renewal: RenewalTimes | null,
): AppliedReward {
  const own = collaboratorRewards.find((rule) => rule.collaboratorId === collaboratorId);
  if (own !== undefined) return { terms: 'own', reward: own.reward };
  const aged = renewal === null ? undefined : renewalRewards.findLast((each) => isOldEnough(renewal, each));
  if (aged !== undefined) return { terms: 'renewal', ...aged };
  const step = tiers === null ? undefined : reachedStep(tiers, earned);
  if (step !== undefined) return { terms: 'tier', reward: step.reward, tierFrom: step.from };
  return { terms: 'program', reward };
}

type Rewards = Pick<ProgramTerms, 'collaboratorRewards' | 'renewalRewards' | 'tiers' | 'reward'>;

function isOldEnough({ soldAt, originallySoldAt }: RenewalTimes, { afterMonths }: RenewalReward): boolean {
  return addMonths(originallySoldAt, afterMonths) <= soldAt;
}

function reachedStep({ by, steps }: Tiers, { sum, count }: Earned): Tiers['steps'][number] | undefined {
  const measure = { sum, count: BigInt(count) }[by];
  return steps.findLast(({ from }) => from <= measure);
}

/** Returns the exact, unrounded reward in millionths of a hundredth of the major unit. */
export function exactReward(reward: Reward, base: Base): bigint {
  if (reward.type === 'percent') return base.amount * BigInt(reward.ratePpm);
  return reward.amount * TIMES[reward.type](base) * REWARD_SCALE;
}

/** The number of times that a fixed reward is paid, by the reward's type. */
const TIMES: Readonly<Record<Exclude<Reward['type'], 'percent'>, (base: Base) => bigint>> = {
  'per-sale': () => 1n,
  'per-product': ({ quantity }) => quantity,
  'per-lead': () => 1n,
};

/**
 * The number and the sum of the conversions that were awarded in a span of time before a decision and not rejected
 * since. The sum is in hundredths of the major unit.
 */
export type Earned = { readonly sum: Minor; readonly count: number };

/**
 * Returns the earlier awards with their sum limited to MAX_MINOR. Tiers and caps are never higher, so the limit doesn't
 * affect a decision.
 */
export function withinAmounts({ sum, count }: Earned): Earned {
  return { sum: sum < MAX_MINOR ? sum : MAX_MINOR, count };
}

/**
 * Returns whether an amount in the program's currency affects an award: a fixed reward, a cap, a minimum total, or
 * tiers by sum. Tiers affect neither a collaborator with a custom rate nor a renewal with a reward for its age.
 */
export function countsItsCurrency(program: ProgramTerms, { reward, terms }: AppliedReward): boolean {
  return (
    reward.type !== 'percent' ||
    program.capPerOrder !== null ||
    program.capPerPeriod !== null ||
    program.minimumOrder !== null ||
    ((terms === 'tier' || terms === 'program') && program.tiers?.by === 'sum')
  );
}
