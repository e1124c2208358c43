import type { DropReason } from './explanation.ts';
import { addDays, addMonths } from '#core/instant.ts';
import { isSpent } from './merged-claims.ts';
import type { PayableKind, ProgramVersion } from '#programs/domain/program.ts';
import { type AppliedReward, type Base, countsItsCurrency } from '#programs/domain/reward.ts';
import type { Candidate, Sale } from './facts.ts';

/**
 * Returns the first reason to drop a candidate, or undefined. Candidates are dropped before the programs of a group are
 * compared, so that a program that can't pay never excludes another program of its group. `base` is the base of the
 * candidate's program. `applied` is the reward that applies to the candidate.
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
  // A lead has no amounts, so it can't be dropped for a reason that concerns amounts.
  if (sale.kind === 'lead') return undefined;
  if (program.currency !== sale.currency && countsItsCurrency(program, applied)) return 'currency-mismatch';
  if (base.amount <= 0n) return 'nothing-counted';
  if (program.minimumOrder !== null && sale.total < program.minimumOrder) return 'below-minimum';
  return undefined;
}

/**
 * Returns whether the program pays for transactions of this kind with the applied reward. A reward per lead pays only
 * for leads, and no other reward pays for leads.
 */
function pays(program: ProgramVersion, { reward }: AppliedReward, kind: PayableKind): boolean {
  return program.pays.includes(kind) && (kind === 'lead') === (reward.type === 'per-lead');
}

/**
 * Returns whether a collaborator would earn from their own purchase. Returns false for every renewal, because the
 * renewed sale was already credited.
 */
function isSelfReferral({ kind, visitorUserId }: Sale, { collaborator }: Candidate): boolean {
  return kind !== 'renewal' && visitorUserId !== null && visitorUserId === collaborator.userId;
}

/**
 * Returns whether the candidate's last touch is older than the program's window. Candidates with a fixed weight belong
 * to renewals or manual credits, which need no recent touch.
 */
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
