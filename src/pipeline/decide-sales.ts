import type { EngagementId, EventId, OrganizationId, ProgramId, TransactionId } from '#domain/ids.ts';
import type { ProgramVersion } from '#domain/program.ts';
import { type Candidate, decideSale, type SaleDecision } from '#domain/sale-decision.ts';
import type { Connection } from '#store/database.ts';
import { type DecidedSale, saveDecisions } from '#store/decisions.ts';
import { type Closing, completeEngagements, holdOpportunities } from '#store/engagement-credits.ts';
import { findProgramVersions } from '#store/program-versions.ts';
import {
  type EngagementRow,
  loadEngagements,
  loadLines,
  loadUndecidedSales,
  loadUnengaged,
} from '#store/sale-facts.ts';

/** Program versions by organization, program and number. They never change, so the cache is never wrong. */
export type ProgramVersionCache = Map<string, ProgramVersion>;

const MAX_CACHED_VERSIONS = 10_000;

/**
 * The reaction to SaleTriggered, for a batch of one organization's transactions whose rows are locked: who earned what,
 * with an explanation for each. A sale that is decided already is left alone.
 */
export async function decideSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
  versions: ProgramVersionCache,
): Promise<void> {
  const sales = await loadUndecidedSales(connection, organizationId, transactionIds);
  if (sales.length === 0) return;
  const ids = sales.map((sale) => sale.transactionId);
  const lines = await loadLines(connection, organizationId, ids);
  const engagements = await loadEngagements(connection, organizationId, ids);
  const unengaged = await loadUnengaged(connection, organizationId, ids);
  await loadVersions(connection, organizationId, engagements, versions);

  let candidates = engagements.map((row) => candidate(organizationId, row, versions));
  if (candidates.some(({ program }) => program.creditsPer === 'opportunity')) {
    // Whether an engagement is complete is read again under the lock that completing it needs.
    await holdOpportunities(connection, organizationId, [...new Set(candidates.map((rival) => rival.opportunityId))]);
    const held = await loadEngagements(connection, organizationId, ids);
    candidates = held.map((row) => candidate(organizationId, row, versions));
  }

  const rivals = Map.groupBy(candidates, (rival) => rival.transactionId);
  const closings = new Map<EngagementId, Closing>();
  const decided: DecidedSale[] = [];
  for (const sale of sales) {
    const standing = (rivals.get(sale.transactionId) ?? []).map((rival) =>
      closings.has(rival.engagementId) ? { ...rival, complete: true } : rival,
    );
    const facts = { ...sale, lines: lines.get(sale.transactionId) ?? [] };
    const decision = decideSale(facts, standing, unengaged.get(sale.transactionId) ?? []);
    for (const closing of closingsOf(decision, standing, sale.eventId)) closings.set(closing.engagementId, closing);
    decided.push({ ...sale, decision });
  }
  await saveDecisions(connection, organizationId, decided);
  if (closings.size > 0) await completeEngagements(connection, organizationId, [...closings.values()]);
}

/** What a sale completes: all active engagements of the programs that credit an opportunity once and have paid. */
function closingsOf({ awards }: SaleDecision, standing: readonly Candidate[], closedBy: EventId): Closing[] {
  const programs = new Set(awards.filter((award) => award.completes).map((award) => award.programId));
  return standing
    .filter((rival) => programs.has(rival.program.programId) && !rival.complete)
    .map(({ engagementId, score, lastVisitId, lastAt }) => ({ engagementId, closedBy, score, lastVisitId, lastAt }));
}

async function loadVersions(
  connection: Connection,
  organizationId: OrganizationId,
  engagements: readonly EngagementRow[],
  versions: ProgramVersionCache,
): Promise<void> {
  const missing = new Map<string, { programId: ProgramId; version: number }>();
  for (const { programId, programVersion } of engagements) {
    const key = versionKey(organizationId, programId, programVersion);
    if (!versions.has(key)) missing.set(key, { programId, version: programVersion });
  }
  if (missing.size === 0) return;
  if (versions.size + missing.size > MAX_CACHED_VERSIONS) {
    versions.clear();
    return loadVersions(connection, organizationId, engagements, versions);
  }
  for (const version of await findProgramVersions(connection, organizationId, [...missing.values()])) {
    versions.set(versionKey(organizationId, version.programId, version.version), version);
  }
}

function candidate(
  organizationId: OrganizationId,
  row: EngagementRow,
  versions: ProgramVersionCache,
): EngagementRow & Candidate {
  const program = versions.get(versionKey(organizationId, row.programId, row.programVersion));
  if (program === undefined) throw new Error(`program ${row.programId} has no version ${row.programVersion}`);
  return { ...row, program };
}

function versionKey(organizationId: OrganizationId, programId: ProgramId, version: number): string {
  return `${organizationId} ${programId} ${version}`;
}
