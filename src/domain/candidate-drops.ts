import type { DropReason } from './explanation.ts';
import { addDays, addMonths } from './instant.ts';
import { isSpent } from './merged-claims.ts';
import type { PayableKind, ProgramTerms, ProgramVersion } from './program.ts';
import type { AppliedReward, Base } from './reward.ts';
import type { Candidate, Sale } from './sale-decision.ts';

/**
 * The first of these that is true drops a candidate, so that a program that can't pay never shuts out another. `base` is
 * that of the candidate's program, `applied` the reward that applies to the candidate.
 */
export function dropReason(
  sale: Sale,
  candidate: Candidate,
  base: Base,
  applied: AppliedReward,
): DropReason | undefined {
  const { program, collaborator } = candidate;
  if (program.status !== 'active') return 'program-inactive';
  if (!pays(program, applied, sale.kind)) return 'event-not-paid';
  if (!collaborator.active) return 'collaborator-inactive';
  if (program.enrollment === 'selected' && !collaborator.enrolled) return 'not-enrolled';
  if (isSelfReferral(sale, candidate)) return 'self-referral';
  if (isSpent(candidate)) return 'already-credited';
  if (isOutsideWindow(sale, candidate)) return 'window-expired';
  if (isPastRenewals(sale, program)) return 'renewal-limit';
  if (sale.kind === 'lead') return undefined; // it has no price
  if (program.currency !== sale.currency && countsItsCurrency(program, applied)) return 'currency-mismatch';
  if (base.amount <= 0n) return 'nothing-counted';
  if (program.minimumOrder !== null && sale.total < program.minimumOrder) return 'below-minimum';
  return undefined;
}

/** A reward per lead pays leads and nothing else, and no other reward pays them. */
function pays(program: ProgramVersion, { reward }: AppliedReward, kind: PayableKind): boolean {
  return program.pays.includes(kind) && (kind === 'lead') === (reward.type === 'per-lead');
}

/** Nobody refers themselves. At a renewal it is not asked again: the sale was credited. */
function isSelfReferral({ kind, visitorUserId }: Sale, { collaborator }: Candidate): boolean {
  return kind !== 'renewal' && visitorUserId !== null && visitorUserId === collaborator.userId;
}

/** A credit with a fixed weight was given already, or by a person: no visit need be recent for it. */
function isOutsideWindow({ soldAt }: Sale, { program, weight, lastAt }: Candidate): boolean {
  return weight === null && addDays(lastAt, program.windowDays) < soldAt;
}

function isPastRenewals({ renewal, soldAt }: Sale, { renewalLimit }: ProgramVersion): boolean {
  if (renewal === null || renewalLimit === null) return false;
  const { months, times } = renewalLimit;
  return (
    (times !== null && renewal.number > times) ||
    (months !== null && soldAt > addMonths(renewal.originallySoldAt, months))
  );
}

/** Whether an amount of the program decides about this candidate. Tiers don't decide about one with a reward of its own. */
export function countsItsCurrency(program: ProgramTerms, { reward, terms }: AppliedReward): boolean {
  return (
    reward.type !== 'percent' ||
    program.capPerOrder !== null ||
    program.capPerPeriod !== null ||
    program.minimumOrder !== null ||
    (terms !== 'own' && program.tiers?.by === 'sum')
  );
}
