import type { OrganizationId, TransactionId } from '#domain/ids.ts';
import { decideSale, type Earned, type SaleDecision } from '#domain/sale-decision.ts';
import { holdCounters } from '#store/award-counters.ts';
import type { Connection } from '#store/database.ts';
import { type DecidedSale, saveDecisions } from '#store/decisions.ts';
import { type Closing, completeEngagements, holdOpportunities } from '#store/engagement-credits.ts';
import { loadUndecidedSales, type ReportedSale } from '#store/sale-facts.ts';
import { addAwards, candidatesOf, type Counters, countersOf } from './earned-before.ts';
import { loadFacts, type ProgramVersionCache, type SaleFacts } from './load-facts.ts';

/**
 * The reaction to a reported sale, lead or renewal, for a batch of one organization's transactions whose rows are
 * locked: who earned what, with an explanation for each. What is decided already is left alone. Answers those decided
 * now from which money has gone back already.
 */
export async function decideSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
  versions: ProgramVersionCache,
): Promise<TransactionId[]> {
  const sales = await loadUndecidedSales(connection, organizationId, transactionIds);
  if (sales.length === 0) return [];
  const facts = await holdFacts(connection, organizationId, sales, versions);
  const counters = countersOf(facts);
  const earned = await loadEarned(connection, organizationId, counters);

  const closings: Closing[] = [];
  const decided: DecidedSale[] = [];
  for (const each of facts) {
    const { sale, lines, unengaged } = each;
    const decision = decideSale(
      { ...sale, lines },
      candidatesOf(each, (key) => earned.get(key)),
      unengaged,
    );
    addAwards(earned, counters, each, decision.awards);
    closings.push(...closingsOf(decision, each));
    decided.push({ ...sale, decision });
  }
  await saveDecisions(connection, organizationId, decided);
  if (closings.length > 0) await completeEngagements(connection, organizationId, closings);
  return sales.filter(({ hasRefunds }) => hasRefunds).map(({ transactionId }) => transactionId);
}

/** What the counters say before the first of the sales. */
async function loadEarned(
  connection: Connection,
  organizationId: OrganizationId,
  counters: Counters,
): Promise<Map<string, Earned>> {
  const earned = counters.size === 0 ? [] : await holdCounters(connection, organizationId, [...counters.values()]);
  return new Map([...counters.keys()].map((key, n) => [key, earned[n] as Earned]));
}

/** Whether an engagement is complete is read again under the lock that completing it needs. */
async function holdFacts(
  connection: Connection,
  organizationId: OrganizationId,
  sales: readonly ReportedSale[],
  versions: ProgramVersionCache,
): Promise<SaleFacts[]> {
  const facts = await loadFacts(connection, organizationId, sales, versions);
  const crediting = facts.flatMap(({ claims }) => claims).filter(({ program }) => program.creditsPer === 'opportunity');
  if (crediting.length === 0) return facts;
  await holdOpportunities(connection, organizationId, [...new Set(crediting.map((claim) => claim.opportunityId))]);
  return loadFacts(connection, organizationId, sales, versions);
}

/** What a sale completes: all active engagements of the programs that credit an opportunity once and have paid. */
function closingsOf({ awards }: SaleDecision, { sale, claims }: SaleFacts): Closing[] {
  const programs = new Set(awards.filter((award) => award.completes).map((award) => award.programId));
  return claims.flatMap(({ program, engagementId, completedBy, score, lastVisitId, lastAt }) =>
    programs.has(program.programId) && completedBy === null && engagementId !== null
      ? [{ engagementId, closedBy: sale.eventId, tick: sale.tick, score, lastVisitId, lastAt }]
      : [],
  );
}
