import { admitCredit, type CreditAdmission, creditedCandidate, decideCredit } from '#domain/credit.ts';
import type { CandidateReason } from '#domain/explanation.ts';
import type { OrganizationId, UserId } from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Minor } from '#domain/money.ts';
import type { Span } from '#domain/period.ts';
import type { ProgramVersion } from '#domain/program.ts';
import { type Candidate, countedSpans, withinAmounts, type Earned } from '#domain/sale-decision.ts';
import { holdCounters } from '#store/award-counters.ts';
import { type CreditKey, findCreditGround, recordCredit } from '#store/credits.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { holdDecisionOrder } from '#store/decision-order.ts';
import { saveCredit } from '#store/decisions.ts';
import { isErasedSelf } from '#store/erased-selves.ts';
import { findProgramVersions } from '#store/program-versions.ts';
import { type ConversionResource, conversions } from '#store/read/conversions.ts';
import { readOne } from '#store/read/page.ts';
import { loadDecidedSales, loadLines, lockTransactions } from '#store/sale-facts.ts';

export type CreditRequest = CreditKey & {
  /** Null: what the program pays. */
  readonly amount: Minor | null;
  readonly note: string | null;
  /** Who grants it, for the record. */
  readonly author: string;
};

export type Crediting =
  | { readonly kind: 'credited'; readonly conversion: ConversionResource }
  | { readonly kind: 'unknown-transaction' }
  | Exclude<CreditAdmission, { kind: 'admitted' }>
  | { readonly kind: 'refused'; readonly reason: CandidateReason };

/** Awards a transaction to a collaborator by a person's word, with the program's version of this moment. */
export function creditTransaction(
  database: Database,
  organizationId: OrganizationId,
  request: CreditRequest,
): Promise<Crediting> {
  return inTransaction(database, async (connection) => {
    await holdDecisionOrder(connection, organizationId);
    const { transactionId, programId, collaboratorId } = request;
    await lockTransactions(connection, organizationId, [transactionId]);
    const ground = await findCreditGround(connection, organizationId, request);
    if (ground === undefined) return { kind: 'unknown-transaction' };
    const admission = admitCredit(ground);
    if (admission.kind !== 'admitted') return admission;

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

/** Who was the buyer before that was erased is so still: as in `recallSelves`, by the user number of this moment. */
async function recallSelf(
  connection: Connection,
  organizationId: OrganizationId,
  { collaboratorId }: CreditKey,
  collaborator: Candidate['collaborator'],
  visitor: UserId | null,
): Promise<Candidate['collaborator']> {
  if (visitor === null || visitor > 0) return collaborator;
  const isSelf = await isErasedSelf(connection, organizationId, { collaboratorId, visitor });
  return isSelf ? { ...collaborator, userId: visitor } : collaborator;
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
    return withinAmounts(earned as Earned);
  };
  const { tier, cap } = countedSpans(program, soldAt);
  return { tier: await read(tier), cap: await read(cap) };
}
