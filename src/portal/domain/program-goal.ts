import type { CollaboratorId } from '#core/ids.ts';
import type { Period } from '#core/period.ts';
import type { ProgramTerms, TierMeasure } from '#programs/domain/program.ts';
import type { Earned } from '#programs/domain/reward.ts';

export const GOAL_KINDS = ['tier', 'cap'] as const;

/** The value that a collaborator has reached in a period, and the value of the next tier or of the cap. */
export type ProgramGoal = {
  readonly kind: (typeof GOAL_KINDS)[number];
  /** Whether the values are numbers of conversions, or amounts in hundredths of the currency's major unit. */
  readonly by: TierMeasure;
  readonly period: Period;
  readonly reached: bigint;
  readonly goal: bigint;
};

/**
 * Returns the next tier and the cap of a program for a collaborator. `earned` contains the values that would be used to
 * decide a sale at this moment. There is no next tier if the collaborator has a custom rate or has reached the highest
 * tier.
 */
export function goalsOf(
  { tiers, capPerPeriod, collaboratorRewards }: Pick<ProgramTerms, 'tiers' | 'capPerPeriod' | 'collaboratorRewards'>,
  collaboratorId: CollaboratorId,
  earned: { readonly tier: Earned; readonly cap: Earned },
): ProgramGoal[] {
  const goals: ProgramGoal[] = [];
  if (tiers !== null && collaboratorRewards.every((own) => own.collaboratorId !== collaboratorId)) {
    const { by, period, steps } = tiers;
    const reached = { sum: earned.tier.sum as bigint, count: BigInt(earned.tier.count) }[by];
    const next = steps.find(({ from }) => from > reached);
    if (next !== undefined) goals.push({ kind: 'tier', by, period, reached, goal: next.from });
  }
  if (capPerPeriod !== null) {
    const { period, amount } = capPerPeriod;
    goals.push({ kind: 'cap', by: 'sum', period, reached: earned.cap.sum, goal: amount });
  }
  return goals;
}
