import type { CandidateReason, ExplainedCandidate } from './explanation.ts';
import { NO_FRAUD_SIGNALS } from '#programs/domain/hold.ts';
import type { EventId, OpportunityId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import { payableUnit } from '#core/currency.ts';
import type { Minor } from '#core/money.ts';
import { type Award, award, awardCurrency, decideSale } from './sale-decision.ts';
import type { Candidate, Sale } from './facts.ts';
import type { TransactionStatus } from '#sales/domain/transaction.ts';

/**
 * The maximum number of manual credits on a transaction, including rejected credits. Each later refund of the
 * transaction takes time for each credit, and the worker decides no other sale during that time.
 */
export const MAX_CREDITS = 100;

/** The facts that decide whether a manual credit is possible. */
export type CreditGround = {
  readonly status: TransactionStatus;
  readonly isDecided: boolean;
  /**
   * Whether the collaborator has a conversion for the transaction in the program. Rejected conversions count only if
   * they are manual credits.
   */
  readonly isCredited: boolean;
  /** The current version of the program, or null if the program doesn't exist or is deleted. */
  readonly programVersion: number | null;
  /** The collaborator's data for the decision, or null if the collaborator doesn't exist or is deleted. */
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

/**
 * Decides whether a manual credit is possible. The sale must be complete and decided. The collaborator and the program
 * must exist. The collaborator must not have been credited for the sale in the program.
 */
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
  /** The award. `explained` describes its calculation. It is null if the amount was given. */
  | { readonly kind: 'awarded'; readonly award: Award; readonly explained: ExplainedCandidate | null }
  /** The given amount is not a multiple of the payable unit of `currency`. */
  | { readonly kind: 'not-payable'; readonly currency: string }
  /** The manual credits of the transaction, including the new credit, would exceed its total. */
  | { readonly kind: 'exceeds-total'; readonly left: Minor; readonly currency: string }
  | { readonly kind: 'refused'; readonly reason: CandidateReason };

/**
 * Decides the award of a manual credit to `candidate`, who is the only candidate. The award is the given `amount`, or
 * the amount that the program pays. `left` is the maximum award in hundredths, or null for no maximum. A manual credit
 * completes no engagement.
 */
export function decideCredit(
  sale: Sale,
  candidate: Candidate,
  amount: Minor | null,
  left: Minor | null = null,
): CreditDecision {
  const decision = awardCredit(sale, candidate, amount);
  if (decision.kind !== 'awarded' || left === null || decision.award.amount <= left) return decision;
  return { kind: 'exceeds-total', left, currency: decision.award.currency };
}

function awardCredit(sale: Sale, candidate: Candidate, amount: Minor | null): CreditDecision {
  if (amount !== null) {
    const currency = awardCurrency(sale, candidate.program);
    if (amount % payableUnit(currency) !== 0n) return { kind: 'not-payable', currency };
    return { kind: 'awarded', award: award(sale, candidate, amount, SOLE_WEIGHT, false), explained: null };
  }
  const { awards, candidates } = decideSale(sale, [candidate], []);
  const [awarded] = awards;
  const explained = candidates[0] as ExplainedCandidate;
  if (awarded !== undefined) return { kind: 'awarded', award: awarded, explained };
  // Every losing candidate has a reason.
  return { kind: 'refused', reason: explained.reason as CandidateReason };
}

/**
 * Returns the part of the total of a sale or renewal that is left for manual credits. `credited` is the sum of its
 * manual credits that were not rejected. Returns null for a lead, which has no total.
 */
export function leftToCredit({ kind, total }: Pick<Sale, 'kind' | 'total'>, credited: Minor): Minor | null {
  if (kind === 'lead') return null;
  return (credited < total ? total - credited : 0n) as Minor;
}

/**
 * Returns the candidate for a manual credit. It is the only candidate, so it needs no touches. Its touch times are the
 * time of the sale, and don't affect the decision.
 */
export function creditedCandidate(
  { opportunityId, eventId, soldAt }: { opportunityId: OpportunityId | null; eventId: EventId; soldAt: Instant },
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
    fraudSignals: NO_FRAUD_SIGNALS,
  };
}

const SOLE_WEIGHT = 1n;
