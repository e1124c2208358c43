import { NO_FRAUD_SIGNALS } from '#programs/domain/hold.ts';
import type { OrganizationId, ProgramId, TransactionId } from '#core/ids.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Candidate, Unengaged } from '../domain/facts.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findProgramVersions } from '#programs/store/program-versions.ts';
import { type ClaimRow, loadClaims, type UncountedEngagement } from '../store/sale-facts.ts';
import { type ReportedSale } from '../store/reported-sales.ts';
import { loadUnengaged } from '../store/unengaged.ts';
import { loadFraudSignals } from './load-fraud-signals.ts';
import { applyTombstones } from './apply-tombstones.ts';
import { loadReportedLines } from '#sales/store/corrections.ts';
import { loadLines } from '#sales/store/transactions.ts';

/** A claim with its program, but without the earlier awards, which change from sale to sale. */
export type Claim = ClaimRow & Omit<Candidate, 'earned'>;

export type SaleFacts = {
  readonly sale: ReportedSale;
  readonly lines: readonly Line[];
  readonly claims: readonly Claim[];
  readonly uncounted: readonly UncountedEngagement[];
  readonly unengaged: readonly Unengaged[];
};

/** Program versions by organization, program and number. Versions never change, so the cache is never stale. */
export type ProgramVersionCache = Map<string, ProgramVersion>;

const MAX_CACHED_VERSIONS = 10_000;

/**
 * Loads the facts for the decisions on several sales, in the order of the sales. The facts of a sale are in the state
 * at its event and at its position in the decision sequence.
 */
export async function loadFacts(
  tenant: Tenant,
  sales: readonly ReportedSale[],
  versions: ProgramVersionCache,
): Promise<SaleFacts[]> {
  const lines = await loadLinesAsReported(tenant, sales);
  const unengaged = await loadUnengaged(tenant, sales);
  const { claims: rows, uncounted } = await loadClaims(tenant, sales);
  await rememberVersions(tenant, rows, versions);
  const versioned = rows.map((row) => ({ ...row, program: versionOf(tenant.organizationId, row, versions) }));
  const fraudSignals = await loadFraudSignals(tenant, sales, versioned);
  const withSignals = versioned.map((claim, n) => ({ ...claim, fraudSignals: fraudSignals[n] ?? NO_FRAUD_SIGNALS }));
  const claims = groupByTransaction(await applyTombstones(tenant, sales, withSignals));
  const uncountedOf = groupByTransaction(uncounted);
  return sales.map((sale) => ({
    sale,
    lines: lines.get(sale.transactionId) ?? [],
    claims: claims.get(sale.transactionId) ?? [],
    uncounted: uncountedOf.get(sale.transactionId) ?? [],
    unengaged: unengaged.get(sale.transactionId) ?? [],
  }));
}

/** Loads the lines of the sales as they were reported. Only corrected sales, which are few, need a second query. */
async function loadLinesAsReported(
  tenant: Tenant,
  sales: readonly ReportedSale[],
): Promise<Map<TransactionId, Line[]>> {
  const current = await loadLines(
    tenant,
    sales.map(({ transactionId }) => transactionId),
  );
  const corrected = sales.filter(({ isCorrected }) => isCorrected).map(({ transactionId }) => transactionId);
  if (corrected.length === 0) return current;
  return new Map([...current, ...(await loadReportedLines(tenant, corrected))]);
}

function groupByTransaction<Row extends { readonly transactionId: TransactionId }>(
  rows: readonly Row[],
): Map<TransactionId, Row[]> {
  return Map.groupBy(rows, ({ transactionId }) => transactionId);
}

async function rememberVersions(
  tenant: Tenant,
  rows: readonly ClaimRow[],
  versions: ProgramVersionCache,
): Promise<void> {
  const missing = new Map<string, { programId: ProgramId; version: number }>();
  for (const { programId, programVersion } of rows) {
    const key = versionKey(tenant.organizationId, programId, programVersion);
    if (!versions.has(key)) missing.set(key, { programId, version: programVersion });
  }
  if (missing.size === 0) return;
  if (versions.size > 0 && versions.size + missing.size > MAX_CACHED_VERSIONS) {
    versions.clear();
    return rememberVersions(tenant, rows, versions);
  }
  for (const version of await findProgramVersions(tenant, [...missing.values()])) {
    versions.set(versionKey(tenant.organizationId, version.programId, version.version), version);
  }
}

function versionOf(organizationId: OrganizationId, row: ClaimRow, versions: ProgramVersionCache): ProgramVersion {
  const program = versions.get(versionKey(organizationId, row.programId, row.programVersion));
  if (program === undefined) throw new Error(`Program ${row.programId} has no version ${row.programVersion}.`);
  return program;
}

function versionKey(organizationId: OrganizationId, programId: ProgramId, version: number): string {
  return `${organizationId} ${programId} ${version}`;
}
