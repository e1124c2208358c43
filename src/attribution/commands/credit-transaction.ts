import {
  admitCredit,
  type CreditAdmission,
  type CreditDecision,
  creditedCandidate,
  decideCredit,
  leftToCredit,
  MAX_CREDITS,
} from '../domain/credit.ts';
import { type EventId, MAX_ID, type UserId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { Span } from '#core/period.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { countedSpans } from '../domain/sale-decision.ts';
import type { Candidate } from '../domain/facts.ts';
import { isErasedUser } from '#core/user.ts';
import { loadCounters } from '../store/award-counters.ts';
import { type CreditKey, findCreditGround, hasBacklog, recordCredit, sumCredits } from '../store/credits.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockDecisionOrder } from '#programs/store/decision-order.ts';
import { saveCredit } from '../store/decisions.ts';
import { hasTombstone } from '#collaborators/store/self-referral-tombstones.ts';
import { findProgramVersions } from '#programs/store/program-versions.ts';
import { type ConversionResource, conversions } from '../store/read/conversions.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { loadDecidedSales } from '../store/reported-sales.ts';
import { type Earned, withinAmounts } from '#programs/domain/reward.ts';
import { loadLines, lockTransactions } from '#sales/store/transactions.ts';

export type CreditRequest = CreditKey & {
  /** The amount of the credit, or null for the amount that the program pays. */
  readonly amount: Minor | null;
  readonly note: string | null;
  /** Whether the manual credits of a sale can exceed its total. */
  readonly aboveTotal: boolean;
  /** The person or key that grants the credit. */
  readonly author: string;
};

export type CreditOutcome =
  | { readonly kind: 'credited'; readonly conversion: ConversionResource }
  | { readonly kind: 'unknown-transaction' }
  /** The transaction has MAX_CREDITS manual credits. */
  | { readonly kind: 'too-many' }
  /** Earlier reports are undecided and could change the amount that the program pays. */
  | { readonly kind: 'backlog' }
  | Exclude<CreditAdmission, { kind: 'admitted' }>
  | Exclude<CreditDecision, { kind: 'awarded' }>;

/**
 * The age, in seconds, from which an undecided report shows that the pipeline is behind. Reports are usually decided
 * within milliseconds.
 */
const BACKLOG_SECONDS = 2;

/** Awards a transaction to a collaborator as a manual credit, with the current version of the program. */
export function creditTransaction(tenant: Tenant<Database>, request: CreditRequest): Promise<CreditOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const isOrdered = await lockDecisionOrder(tenant);
    const { transactionId, programId, collaboratorId } = request;
    await lockTransactions(tenant, [transactionId]);
    const ground = await findCreditGround(tenant, request);
    if (ground === undefined) return { kind: 'unknown-transaction' };
    const admission = admitCredit(ground);
    if (admission.kind !== 'admitted') return admission;
    const isPriced = isOrdered && request.amount === null;
    if (isPriced && (await hasBacklog(tenant, BACKLOG_SECONDS))) return { kind: 'backlog' };

    const { programVersion } = admission;
    const key = { programId, version: programVersion };
    const [program] = await findProgramVersions(tenant, [key]);
    const [sale] = await loadDecidedSales(tenant, [transactionId]);
    const lines = await loadLines(tenant, [transactionId]);
    if (program === undefined) throw new Error(`Program ${programId} has no version ${programVersion}.`);
    if (sale === undefined) throw new Error(`Transaction ${transactionId} has no decision.`);

    const collaborator = await applyTombstone(tenant, request, admission.collaborator, sale.visitorUserId);
    const earned = await loadEarned(tenant, request, program, sale.soldAt);
    const candidate = creditedCandidate(sale, { program, collaboratorId, collaborator, earned });
    const { total } = ground;
    const present = { ...sale, total, lines: lines.get(transactionId) ?? [], inPayableUnits: true };
    const credited = await sumCredits(tenant, transactionId);
    if (credited.count >= MAX_CREDITS) return { kind: 'too-many' };
    const left = request.aboveTotal ? null : leftToCredit(present, credited.sum);
    const decision = decideCredit(present, candidate, request.amount, left);
    if (decision.kind !== 'awarded') return decision;
    const seq = await recordCredit(tenant, transactionId);
    const credit = { ...request, opportunityId: sale.opportunityId, seq, award: decision.award };
    const id = await saveCredit(tenant, credit, decision.explained);
    return {
      kind: 'credited',
      conversion: await readExisting(tenant, conversions, { id }),
    };
  });
}

/**
 * Returns the collaborator's data for the decision. If the buyer was erased, and the collaborator was the buyer,
 * `userId` is the buyer's tombstone id. The sale then stays a self-referral after the erasure, as in `applyTombstones`.
 */
async function applyTombstone(
  tenant: Tenant<Connection>,
  { collaboratorId }: CreditKey,
  collaborator: Candidate['collaborator'],
  visitor: UserId | null,
): Promise<Candidate['collaborator']> {
  if (visitor === null || !isErasedUser(visitor)) return collaborator;
  const isSelf = await hasTombstone(tenant, { collaboratorId, visitor });
  return isSelf ? { ...collaborator, userId: visitor } : collaborator;
}

/**
 * Returns the sum and the number of the collaborator's earlier awards, for the program's tiers and for its cap per
 * period. A manual credit is the newest event, so all current awards in the spans that `countedSpans` returns count.
 */
async function loadEarned(
  tenant: Tenant<Connection>,
  { programId, collaboratorId }: CreditKey,
  program: ProgramVersion,
  soldAt: Instant,
): Promise<Candidate['earned']> {
  const read = async (span: Span | null): Promise<Earned> => {
    if (span === null) return { sum: 0n as Minor, count: 0 };
    const counter = { programId, collaboratorId, currency: program.currency, span };
    const { earned } = await loadCounters(tenant, [counter], NEWEST, NEWEST);
    return withinAmounts(earned[0] as Earned);
  };
  const { tier, cap } = countedSpans(program, soldAt);
  return { tier: await read(tier), cap: await read(cap) };
}

const NEWEST = MAX_ID as EventId;
