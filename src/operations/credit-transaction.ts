import type { TransactionStatus } from '#domain/conversion.ts';
import { decideCredit } from '#domain/credit.ts';
import type { CandidateReason } from '#domain/explanation.ts';
import type { OrganizationId } from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Minor } from '#domain/money.ts';
import type { Span } from '#domain/period.ts';
import type { ProgramVersion } from '#domain/program.ts';
import { type Candidate, countedSpans, type Earned } from '#domain/sale-decision.ts';
import { holdCounters } from '#store/award-counters.ts';
import { type CreditKey, findCreditGround, recordCredit } from '#store/credits.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { holdDecisionOrder } from '#store/decision-order.ts';
import { saveCredit } from '#store/decisions.ts';
import { findProgramVersions } from '#store/program-versions.ts';
import { type ConversionResource, conversions } from '#store/read/conversions.ts';
import { readOne } from '#store/read/page.ts';
import { loadDecidedSales, loadLines, lockTransactions, type ReportedSale } from '#store/sale-facts.ts';

export type CreditRequest = CreditKey & {
  /** Null: what the program pays. */
  readonly amount: Minor | null;
  readonly note: string | null;
  /** Who grants it, for the record. */
  readonly author: string;
};

export type Crediting =
  | { readonly kind: 'credited'; readonly conversion: ConversionResource }
  | { readonly kind: 'unknown-transaction' | 'unknown-program' | 'unknown-collaborator' }
  | { readonly kind: 'not-decided' | 'already-credited' }
  | { readonly kind: 'forbidden'; readonly status: TransactionStatus }
  | { readonly kind: 'refused'; readonly reason: CandidateReason };

/** Awards a transaction to a collaborator by a person's word, with the program's version of this moment. */
export function creditTransaction(
  database: Database,
  organizationId: OrganizationId,
  request: CreditRequest,
): Promise<Crediting> {
  return inTransaction(database, async (connection) => {
    await holdDecisionOrder(connection, organizationId);
    const { transactionId, programId } = request;
    await lockTransactions(connection, organizationId, [transactionId]);
    const ground = await findCreditGround(connection, organizationId, request);
    if (ground === undefined) return { kind: 'unknown-transaction' };
    if (ground.status !== 'complete') return { kind: 'forbidden', status: ground.status };
    if (!ground.isDecided) return { kind: 'not-decided' };
    if (ground.isCredited) return { kind: 'already-credited' };
    if (ground.collaborator === null) return { kind: 'unknown-collaborator' };
    if (ground.programVersion === null) return { kind: 'unknown-program' };

    const key = { programId, version: ground.programVersion };
    const [program] = await findProgramVersions(connection, organizationId, [key]);
    const [sale] = await loadDecidedSales(connection, organizationId, [transactionId]);
    const lines = await loadLines(connection, organizationId, [transactionId]);
    if (program === undefined || sale === undefined) throw new Error(`transaction ${transactionId} is incomplete`);

    const earned = await loadEarned(connection, organizationId, request, program, sale.soldAt);
    const candidate = soleCandidate(request, ground.collaborator, program, sale, earned);
    const decision = decideCredit({ ...sale, lines: lines.get(transactionId) ?? [] }, candidate, request.amount);
    if (decision.kind === 'refused') return decision;
    const tick = await recordCredit(connection, organizationId, transactionId);
    const credit = { ...request, opportunityId: sale.opportunityId, tick, award: decision.award };
    const id = await saveCredit(connection, organizationId, credit, decision.explained);
    return {
      kind: 'credited',
      conversion: (await readOne(connection, organizationId, conversions, { id })) as ConversionResource,
    };
  });
}

/** Nobody stands beside it, so nothing depends on when it touched the visitor: it never did. */
function soleCandidate(
  { collaboratorId }: CreditKey,
  collaborator: Candidate['collaborator'],
  program: ProgramVersion,
  { opportunityId, eventId, soldAt }: ReportedSale,
  earned: Candidate['earned'],
): Candidate {
  return {
    engagementId: null,
    opportunityId,
    program,
    groupRule: null,
    collaboratorId,
    collaborator,
    completedBy: null,
    weight: 1n,
    score: 1,
    firstVisitId: eventId,
    lastVisitId: eventId,
    firstAt: soldAt,
    lastAt: soldAt,
    earned,
  };
}

/** What the program's caps and tiers count. */
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
    const [earned] = await holdCounters(connection, organizationId, [counter]);
    return earned as Earned;
  };
  const { tier, cap } = countedSpans(program, soldAt);
  return { tier: await read(tier), cap: await read(cap) };
}
