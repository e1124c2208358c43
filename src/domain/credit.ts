import type { TransactionStatus } from './conversion.ts';
import type { CandidateReason, ExplainedCandidate } from './explanation.ts';
import { NO_SIGNS } from './hold.ts';
import type { EventId, OpportunityId } from './ids.ts';
import type { Instant } from './instant.ts';
import type { Minor } from './money.ts';
import { type Award, award, type Candidate, decideSale, type Sale } from './sale-decision.ts';

/** What a credit by hand depends on beside the sale; null where the program or the collaborator is not there. */
export type CreditGround = {
  readonly status: TransactionStatus;
  readonly isDecided: boolean;
  /** The collaborator has earned by the transaction in the program, or was credited before, even if that was rejected. */
  readonly isCredited: boolean;
  readonly programVersion: number | null;
  readonly collaborator: Candidate['collaborator'] | null;
};

export type CreditAdmission =
  | {
      readonly kind: 'admitted';
      readonly programVersion: number;
      readonly collaborator: Candidate['collaborator'];
    }
  | { readonly kind: 'forbidden'; readonly status: TransactionStatus }
  | { readonly kind: 'unknown'; readonly unknown: readonly ('collaborator' | 'program')[] }
  | { readonly kind: 'not-decided' | 'already-credited' };

/** Whether a person may credit at all: a sale that stands and is decided, and nobody twice for it in one program. */
export function admitCredit(ground: CreditGround): CreditAdmission {
  const { status, isDecided, isCredited, programVersion, collaborator } = ground;
  if (status !== 'complete') return { kind: 'forbidden', status };
  if (!isDecided) return { kind: 'not-decided' };
  if (isCredited) return { kind: 'already-credited' };
  if (collaborator === null || programVersion === null) {
    const unknown = [
      ...(collaborator === null ? ['collaborator' as const] : []),
      ...(programVersion === null ? ['program' as const] : []),
    ];
    return { kind: 'unknown', unknown };
  }
  return { kind: 'admitted', programVersion, collaborator };
}

export type CreditDecision =
  /** `explained` is how the award was worked out; null where its amount was named. */
  | { readonly kind: 'awarded'; readonly award: Award; readonly explained: ExplainedCandidate | null }
  | { readonly kind: 'refused'; readonly reason: CandidateReason };

/**
 * What a credit by hand awards `candidate`, who is considered alone: what the program pays, or the `amount` that was
 * named, whatever the program would have paid. A credit completes no engagement.
 */
export function decideCredit(sale: Sale, candidate: Candidate, amount: Minor | null): CreditDecision {
  if (amount !== null) {
    return { kind: 'awarded', award: award(sale, candidate, amount, SOLE_WEIGHT, false), explained: null };
  }
  const { awards, candidates } = decideSale(sale, [candidate], []);
  const [awarded] = awards;
  const explained = candidates[0] as ExplainedCandidate;
  if (awarded !== undefined) return { kind: 'awarded', award: awarded, explained };
  // Whoever loses has a reason.
  return { kind: 'refused', reason: explained.reason as CandidateReason };
}

/** Whom a person credits. Nobody stands beside them, so nothing depends on when they touched the visitor: they never did. */
export function creditedCandidate(
  { opportunityId, eventId, soldAt }: { opportunityId: OpportunityId; eventId: EventId; soldAt: Instant },
  {
    program,
    collaboratorId,
    collaborator,
    earned,
  }: Pick<Candidate, 'program' | 'collaboratorId' | 'collaborator' | 'earned'>,
): Candidate {
  return {
    engagementId: null,
    opportunityId,
    program,
    groupRule: null,
    collaboratorId,
    collaborator,
    completedBy: null,
    weight: SOLE_WEIGHT,
    score: 1,
    firstVisitId: eventId,
    lastVisitId: eventId,
    firstAt: soldAt,
    lastAt: soldAt,
    earned,
    signs: NO_SIGNS,
  };
}

const SOLE_WEIGHT = 1n;
