import { losingReason } from './attribution.ts';
import type { ExplainedCandidate, CandidateReason } from './explanation.ts';
import { adReferrersOf, type HoldReason, holdReasons, sharedDetailsOf } from '#programs/domain/hold.ts';
import { type Instant, MICROSECONDS_PER_SECOND } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { AppliedReward, Base } from '#programs/domain/reward.ts';
import type { Candidate, Sale, Unengaged } from './facts.ts';

/** A candidate with the reward that applies to it. */
export type Contender = Candidate & { readonly applied: AppliedReward };

/**
 * The result for a contender: its weight, its share, and the amount that the cap per period deducted from the share.
 */
export type Outcome = {
  readonly contender: Contender;
  readonly weight: bigint;
  readonly share: Minor;
  readonly cut: Minor;
};

/** Explains a collaborator with touches but no engagement. */
export function explainUnengaged({ collaboratorId, reason }: Unengaged): ExplainedCandidate {
  return { collaboratorId, outcome: 'lost', reason };
}

/** Explains a candidate that lost before weights were computed. */
export function explainLoss(sale: Sale, candidate: Candidate, base: Base, reason: CandidateReason): ExplainedCandidate {
  return { ...candidateFacts(sale, candidate, base), outcome: 'lost', reason };
}

/**
 * Explains a weighted candidate with its calculation. `reward` is the total that its program pays, and `uncapped` is
 * the total before the cap per order.
 */
export function explainOutcome(
  sale: Sale,
  base: Base,
  outcome: Outcome,
  { uncapped, reward }: { readonly uncapped: Minor; readonly reward: Minor },
): ExplainedCandidate {
  const { contender, weight, share, cut } = outcome;
  const { program, applied, earned } = contender;
  const reason = reasonOf(outcome);
  return {
    ...candidateFacts(sale, contender, base),
    outcome: share > 0n ? 'won' : 'lost',
    ...(reason !== undefined && { reason }),
    ...(applied.terms !== 'program' && { terms: applied.terms }),
    ...(applied.terms === 'tier' && { tierFrom: applied.tierFrom }),
    ...(applied.terms === 'renewal' && { afterMonths: applied.afterMonths }),
    ...(program.tiers !== null && { earnedForTier: earned.tier }),
    ...(program.capPerPeriod !== null && { earnedForCap: earned.cap.sum }),
    weight: Number(weight),
    ...(uncapped > reward && { uncapped }),
    reward,
    ...(cut > 0n && { cut }),
    share,
    ...(share > 0n && explainHold(sale, contender, holdReasons(sale, contender))),
  };
}

/**
 * Returns the reasons for a fraud review, with the measured values. For a renewal, those values are in the explanation
 * of the renewed sale.
 */
function explainHold(
  { kind, soldAt }: Sale,
  { fraudSignals, firstAt, program: { holds } }: Contender,
  reasons: readonly HoldReason[],
): Pick<ExplainedCandidate, 'hold'> {
  if (reasons.length === 0) return {};
  const { nthFromAddress, nthOfCollaborator, deniedBy } = fraudSignals;
  const has = (reason: HoldReason) => kind !== 'renewal' && holds !== null && reasons.includes(reason);
  return {
    hold: {
      reasons,
      ...(nthFromAddress > 0 && { nthFromAddress }),
      ...(nthOfCollaborator > 0 && { nthOfCollaborator }),
      ...(has('quick-sale') && { secondsToSale: wholeSeconds(firstAt, soldAt) }),
      ...(holds !== null && has('ad-referrer') && { referrers: adReferrersOf(fraudSignals, holds) }),
      ...(holds !== null && has('buyer-details') && { buyerDetails: sharedDetailsOf(fraudSignals, holds) }),
      ...(deniedBy.length > 0 && { deniedBy }),
    },
  };
}

/**
 * Returns the whole seconds from a first touch to its sale. Returns 0 if the touch was reported with a slightly later
 * time than the sale.
 */
function wholeSeconds(firstAt: Instant, soldAt: Instant): number {
  return Math.max(0, Math.floor((soldAt - firstAt) / MICROSECONDS_PER_SECOND));
}

/** Returns the candidates with the winners first, so that a truncated list still shows them. */
export function winnersFirst(candidates: readonly ExplainedCandidate[]): ExplainedCandidate[] {
  return [
    ...candidates.filter(({ outcome }) => outcome === 'won'),
    ...candidates.filter(({ outcome }) => outcome === 'lost'),
  ];
}

/**
 * Returns the reason why a contender received less than its full share, or undefined if it received the full share.
 */
function reasonOf({ contender, weight, share, cut }: Outcome): CandidateReason | undefined {
  if (weight === 0n) return losingReason(contender.program.attribution);
  if (cut > 0n) return 'cap-reached';
  return share === 0n ? 'share-is-zero' : undefined;
}

function candidateFacts(sale: Sale, candidate: Candidate, base: Base): Omit<ExplainedCandidate, 'outcome' | 'reason'> {
  const { program, collaboratorId, engagementId, score, firstAt, firstVisitId, lastAt } = candidate;
  return {
    programId: program.programId,
    programVersion: program.version,
    collaboratorId,
    ...(engagementId !== null && { engagementId }),
    score,
    firstAt,
    firstVisitId,
    lastAt,
    base: base.amount,
    quantity: Number(base.quantity),
    ...(sale.kind === 'lead' && { currency: program.currency }),
  };
}
