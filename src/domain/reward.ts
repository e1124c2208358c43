import type { CollaboratorId } from './ids.ts';
import { type LineFilter, passing } from './line-filter.ts';
import type { Minor } from './money.ts';
import type { LineType, ProgramTerms, Reward, Tiers } from './program.ts';
import type { Earned } from './sale-decision.ts';

export type Line = {
  readonly externalId: string | null;
  readonly name: string;
  readonly type: LineType;
  readonly quantity: number;
  /** Of one unit; negative for a discount. */
  readonly amount: Minor;
};

/** What a reward is computed from: the sum of the counted lines, and how many pieces they are. */
export type Base = { readonly amount: Minor; readonly quantity: bigint };

/** The reward that applies to one collaborator, and whose it is; of a tier, with the step that was reached. */
export type AppliedReward =
  | { readonly terms: 'own' | 'program'; readonly reward: Reward }
  | { readonly terms: 'tier'; readonly reward: Reward; readonly tierFrom: bigint };

/** Fractions of the smallest unit that a reward is exact to: a percentage has four decimals. */
export const REWARD_SCALE = 1_000_000n;

/** The lines whose type counts and that pass the filter: their sum, and the pieces of those that are no discount. */
export function baseOf(lines: readonly Line[], countedLines: readonly LineType[], lineFilter: LineFilter | null): Base {
  const passes = lineFilter === null ? () => true : passing(lineFilter);
  let amount = 0n;
  let quantity = 0n;
  for (const line of lines) {
    if (!countedLines.includes(line.type) || !passes(line)) continue;
    amount += line.amount * BigInt(line.quantity);
    if (line.type !== 'discount') quantity += BigInt(line.quantity);
  }
  return { amount: amount as Minor, quantity };
}

/** A collaborator's own reward goes before a tier's, and that before the program's. `earned` is what counts for tiers. */
export function rewardFor(
  { collaboratorRewards, tiers, reward }: Pick<ProgramTerms, 'collaboratorRewards' | 'tiers' | 'reward'>,
  collaboratorId: CollaboratorId,
  earned: Earned,
): AppliedReward {
  const own = collaboratorRewards.find((rule) => rule.collaboratorId === collaboratorId);
  if (own !== undefined) return { terms: 'own', reward: own.reward };
  const step = tiers === null ? undefined : reachedStep(tiers, earned);
  if (step !== undefined) return { terms: 'tier', reward: step.reward, tierFrom: step.from };
  return { terms: 'program', reward };
}

function reachedStep({ by, steps }: Tiers, { sum, count }: Earned): Tiers['steps'][number] | undefined {
  const measure = { sum, count: BigInt(count) }[by];
  return steps.findLast(({ from }) => from <= measure);
}

/** The exact reward, not yet rounded, in millionths of the smallest unit. */
export function exactReward(reward: Reward, base: Base): bigint {
  if (reward.type === 'percent') return base.amount * BigInt(reward.ratePpm);
  return reward.amount * TIMES[reward.type](base) * REWARD_SCALE;
}

/** How often a fixed reward is paid. */
const TIMES: Readonly<Record<Exclude<Reward['type'], 'percent'>, (base: Base) => bigint>> = {
  'per-sale': () => 1n,
  'per-product': ({ quantity }) => quantity,
  'per-lead': () => 1n,
};
