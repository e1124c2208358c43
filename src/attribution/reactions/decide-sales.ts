import type { ProgramId, TransactionId } from '#core/ids.ts';
import { decideSale, type SaleDecision } from '../domain/sale-decision.ts';
import { loadCounters } from '../store/award-counters.ts';
import { createBreaks } from '#platform/breaks.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type DecidedSale, saveDecisions } from '../store/decisions.ts';
import { type ClosedEngagement, completeEngagements, lockOpportunities } from '../store/engagement-credits.ts';
import { loadUndecidedSales, type ReportedSale } from '../store/reported-sales.ts';
import { candidatesOf, countersOf, type EarnedHistory, earnedHistory } from './earned-before.ts';
import { judgeLines } from '#programs/commands/judge-lines.ts';
import { loadFacts, type ProgramVersionCache, type SaleFacts } from './load-facts.ts';

/**
 * Decides a batch of one organization's reported sales, leads or renewals, whose rows must be locked. Writes an
 * explanation for each. Skips transactions that are already decided. Returns the newly decided transactions that
 * already have refunds or corrections.
 */
export async function decideSales(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
  versions: ProgramVersionCache,
): Promise<ReportedSale[]> {
  const sales = await loadUndecidedSales(tenant, transactionIds);
  if (sales.length === 0) return [];
  const facts = await lockFacts(tenant, sales, versions);
  const earned = await loadEarned(tenant, facts);

  const closings: ClosedEngagement[] = [];
  const decided: DecidedSale[] = [];
  const takeBreak = createBreaks();
  for (const each of facts) {
    const { sale, lines, unengaged } = each;
    await judgeLines(lines, new Set(each.claims.map(({ program }) => program)));
    const decision = decideSale({ ...sale, lines }, candidatesOf(each, earned.at(sale)), unengaged);
    earned.addAwards(each, decision.awards);
    closings.push(...closingsOf(completedPrograms(decision), each));
    decided.push({ ...sale, decision });
    await takeBreak();
  }
  await saveDecisions(tenant, decided);
  if (closings.length > 0) await completeEngagements(tenant, closings);
  return sales.filter(({ isRevised }) => isRevised);
}

/**
 * Loads the history of the counters that caps and tiers use in the decisions on the given sales. The sales must be in
 * the order of their events.
 */
async function loadEarned(tenant: Tenant<Connection>, facts: readonly SaleFacts[]): Promise<EarnedHistory> {
  const counters = countersOf(facts);
  const [first, last] = [facts[0]?.sale.eventId, facts.at(-1)?.sale.eventId];
  if (counters.size === 0 || first === undefined || last === undefined) return earnedHistory(counters, NO_HISTORY);
  const loaded = await loadCounters(tenant, [...counters.values()], first, last);
  return earnedHistory(counters, loaded);
}

const NO_HISTORY = { earned: [], awards: [] };

/**
 * Loads the facts of the sales. If a sale may complete engagements, locks their opportunities and loads the facts again
 * under that lock.
 */
async function lockFacts(
  tenant: Tenant<Connection>,
  sales: readonly ReportedSale[],
  versions: ProgramVersionCache,
): Promise<SaleFacts[]> {
  const facts = await loadFacts(tenant, sales, versions);
  const crediting = facts.flatMap(({ claims }) => claims).filter(({ program }) => program.creditsPer === 'opportunity');
  if (crediting.length === 0) return facts;
  const programs = new Set(crediting.map(({ programId }) => programId));
  const uncounted = facts.flatMap((each) => each.uncounted).filter(({ programId }) => programs.has(programId));
  await lockOpportunities(tenant, [
    ...new Set([...crediting, ...uncounted].flatMap(({ opportunityId }) => opportunityId ?? [])),
  ]);
  return loadFacts(tenant, sales, versions);
}

/** Returns the programs that pay for a sale and credit an opportunity once. */
function completedPrograms({ awards }: SaleDecision): ReadonlySet<ProgramId> {
  return new Set(awards.filter((award) => award.completes).map((award) => award.programId));
}

/**
 * Returns the engagements that a sale completes: all active engagements in `programs`. They include engagements whose
 * touches occurred too late to count.
 */
export function closingsOf(
  programs: ReadonlySet<ProgramId>,
  { sale, claims, uncounted }: SaleFacts,
): ClosedEngagement[] {
  return [...claims, ...uncounted].flatMap(({ programId, engagementId, completedBy, reported }) =>
    programs.has(programId) && completedBy === null && engagementId !== null && reported !== undefined
      ? [{ engagementId, closedBy: sale.eventId, seq: sale.seq, ...reported }]
      : [],
  );
}
