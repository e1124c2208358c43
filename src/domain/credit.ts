import type { CandidateReason, Candidate as ExplainedCandidate } from './explanation.ts';
import { addDays } from './instant.ts';
import type { Minor } from './money.ts';
import { type Award, type Candidate, decideSale, type Sale } from './sale-decision.ts';

export type CreditDecision =
  /** `explained` is how the award was worked out; null where its amount was named. */
  | { readonly kind: 'awarded'; readonly award: Award; readonly explained: ExplainedCandidate | null }
  | { readonly kind: 'refused'; readonly reason: CandidateReason };

/**
 * What a credit by hand awards `candidate`, who is considered alone: what the program pays, or the `amount` that was
 * named, whatever the program would have paid. A credit completes no engagement.
 */
export function decideCredit(sale: Sale, candidate: Candidate, amount: Minor | null): CreditDecision {
  if (amount !== null) return { kind: 'awarded', award: namedAward(sale, candidate, amount), explained: null };
  const { awards, candidates } = decideSale(sale, [candidate], []);
  const [award] = awards;
  const explained = candidates[0] as ExplainedCandidate;
  if (award !== undefined) return { kind: 'awarded', award, explained };
  // Whoever loses has a reason.
  return { kind: 'refused', reason: explained.reason as CandidateReason };
}

function namedAward(sale: Sale, { program, collaboratorId }: Candidate, amount: Minor): Award {
  return {
    programId: program.programId,
    programVersion: program.version,
    collaboratorId,
    engagementId: null,
    amount,
    currency: sale.kind === 'lead' ? program.currency : sale.currency,
    weight: 1n,
    byQuantity: false,
    status: program.autoApprove ? 'approved' : 'pending',
    approveAt: program.approveAfterDays === null ? null : addDays(sale.soldAt, program.approveAfterDays),
    completes: false,
  };
}
