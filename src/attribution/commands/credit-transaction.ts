import {
  admitCredit,
  type CreditAdmission,
  type CreditDecision,
  creditedCandidate,
  decideCredit,
  leftToCredit,
} from '../domain/credit.ts';
import { type EventId, MAX_ID, type OrganizationId, type UserId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { Span } from '#core/period.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { type Candidate, countedSpans } from '../domain/sale-decision.ts';
import { isErasedUser } from '#core/user.ts';
import { loadCounters } from '../store/award-counters.ts';
import { type CreditKey, findCreditGround, hasBacklog, recordCredit, sumCredits } from '../store/credits.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { holdDecisionOrder } from '#programs/store/decision-order.ts';
import { saveCredit } from '../store/decisions.ts';
import { isErasedSelf } from '#collaborators/store/erased-selves.ts';
import { findProgramVersions } from '#programs/store/program-versions.ts';
import { type ConversionResource, conversions } from '../store/read/conversions.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { loadDecidedSales } from '../store/sale-facts.ts';
import { type Earned, withinAmounts } from '#programs/domain/reward.ts';
import { loadLines, lockTransactions } from '#sales/store/transactions.ts';

export type CreditRequest = CreditKey & {
  /** Null means the amount that the program pays. */
  readonly amount: Minor | null;
  readonly note: string | null;
  /** Whether the credits of a sale may exceed its total. */
  readonly aboveTotal: boolean;
  /** The person or key that grants the credit, for the record. */
  readonly author: string;
};

export type Crediting =
  | { readonly kind: 'credited'; readonly conversion: ConversionResource }
  | { readonly kind: 'unknown-transaction' }
  /** Earlier reports are undecided, and could change the amount that the program pays. */
  | { readonly kind: 'backlog' }
  | Exclude<CreditAdmission, { kind: 'admitted' }>
  | Exclude<CreditDecision, { kind: 'awarded' }>;

/** Reports are decided within milliseconds. An older undecided report means that the pipeline is behind. */
const BACKLOG_SECONDS = 2;

/** Awards a transaction to a collaborator as a manual credit, with the current version of the program. */
export function creditTransaction(
  database: Database,
  organizationId: OrganizationId,
  request: CreditRequest,
): Promise<Crediting> {
  return inTransaction(database, async (connection) => {
    const isOrdered = await holdDecisionOrder(connection, organizationId);
    const { transactionId, programId, collaboratorId } = request;
    await lockTransactions(connection, organizationId, [transactionId]);
    const ground = await findCreditGround(connection, organizationId, request);
    if (ground === undefined) return { kind: 'unknown-transaction' };
    const admission = admitCredit(ground);
    if (admission.kind !== 'admitted') return admission;
    const isPriced = isOrdered && request.amount === null;
    if (isPriced && (await hasBacklog(connection, organizationId, BACKLOG_SECONDS))) return { kind: 'backlog' };

    const { programVersion } = admission;
    const key = { programId, version: programVersion };
    const [program] = await findProgramVersions(connection, organizationId, [key]);
    const [sale] = await loadDecidedSales(connection, organizationId, [transactionId]);
    const lines = await loadLines(connection, organizationId, [transactionId]);
    if (program === undefined || sale === undefined) throw new Error(`transaction ${transactionId} is incomplete`);

    const collaborator = await recallSelf(
      connection,
      organizationId,
      request,
      admission.collaborator,
      sale.visitorUserId,
    );
    const earned = await loadEarned(connection, organizationId, request, program, sale.soldAt);
    const candidate = creditedCandidate(sale, { program, collaboratorId, collaborator, earned });
    const present = { ...sale, lines: lines.get(transactionId) ?? [], inPayableUnits: true };
    const credited = await sumCredits(connection, organizationId, transactionId);
    const left = request.aboveTotal ? null : leftToCredit(sale, credited);
    const decision = decideCredit(present, candidate, request.amount, left);
    if (decision.kind !== 'awarded') return decision;
    const tick = await recordCredit(connection, organizationId, transactionId);
    const credit = { ...request, opportunityId: sale.opportunityId, tick, award: decision.award };
    const id = await saveCredit(connection, organizationId, credit, decision.explained);
    return {
      kind: 'credited',
      conversion: (await readOne(connection, organizationId, conversions, { id })) as ConversionResource,
    };
  });
}

/**
 * Returns the collaborator with the buyer's user id if an erasure removed it. An erasure doesn't change who the buyer
 * was. As in `recallSelves`, the buyer's current user id is compared.
 */
async function recallSelf(
  connection: Connection,
  organizationId: OrganizationId,
  { collaboratorId }: CreditKey,
  collaborator: Candidate['collaborator'],
  visitor: UserId | null,
): Promise<Candidate['collaborator']> {
  if (visitor === null || !isErasedUser(visitor)) return collaborator;
  const isSelf = await isErasedSelf(connection, organizationId, { collaboratorId, visitor });
  return isSelf ? { ...collaborator, userId: visitor } : collaborator;
}

/**
 * Returns the awards that the program's caps and tiers count: all current awards, since the credit's event is the
 * newest.
 */
async function loadEarned(
  connection: Connection,
  organizationId: OrganizationId,
  { programId, collaboratorId }: CreditKey,
  program: ProgramVersion,
  soldAt: Instant,
): Promise<Candidate['earned']> {
  const read = async (span: Span | null): Promise<Earned> => {
    if (span === null) return { sum: 0n as Minor, count: 0 };
    const counter = { programId, collaboratorId, currency: program.currency, span };
    const { earned } = await loadCounters(connection, organizationId, [counter], NEWEST, NEWEST);
    return withinAmounts(earned[0] as Earned);
  };
  const { tier, cap } = countedSpans(program, soldAt);
  return { tier: await read(tier), cap: await read(cap) };
}

const NEWEST = MAX_ID as EventId;
