import { NO_SIGNS } from '#domain/hold.ts';
import type { OrganizationId, ProgramId, TransactionId } from '#domain/ids.ts';
import type { ProgramVersion } from '#domain/program.ts';
import type { Line } from '#domain/reward.ts';
import type { Candidate, Unengaged } from '#domain/sale-decision.ts';
import type { Queryable } from '#store/database.ts';
import { findProgramVersions } from '#store/program-versions.ts';
import { type ClaimRow, loadClaims, loadLines, loadUnengaged, type ReportedSale } from '#store/sale-facts.ts';
import { loadSigns } from './load-signs.ts';
import { recallSelves } from './recall-selves.ts';

/** A claim with its program; what was earned before is told apart, since it changes from sale to sale. */
export type Claim = ClaimRow & Omit<Candidate, 'earned'>;

/** What one decision looks at. */
export type SaleFacts = {
  readonly sale: ReportedSale;
  readonly lines: readonly Line[];
  readonly claims: readonly Claim[];
  readonly unengaged: readonly Unengaged[];
};

/** Program versions by organization, program and number. They never change, so the cache is never wrong. */
export type ProgramVersionCache = Map<string, ProgramVersion>;

const MAX_CACHED_VERSIONS = 10_000;

/** The facts of some sales as each one's event and tick see them, in their order. */
export async function loadFacts(
  connection: Queryable,
  organizationId: OrganizationId,
  sales: readonly ReportedSale[],
  versions: ProgramVersionCache,
): Promise<SaleFacts[]> {
  const ids = sales.map((sale) => sale.transactionId);
  const lines = await loadLines(connection, organizationId, ids);
  const unengaged = await loadUnengaged(connection, organizationId, sales);
  const rows = await loadClaims(connection, organizationId, sales);
  await rememberVersions(connection, organizationId, rows, versions);
  const versioned = rows.map((row) => ({ ...row, program: versionOf(organizationId, row, versions) }));
  const signs = await loadSigns(connection, organizationId, sales, versioned);
  const signed = versioned.map((claim, n) => ({ ...claim, signs: signs[n] ?? NO_SIGNS }));
  const claims = groupByTransaction(await recallSelves(connection, organizationId, sales, signed));
  return sales.map((sale) => ({
    sale,
    lines: lines.get(sale.transactionId) ?? [],
    claims: claims.get(sale.transactionId) ?? [],
    unengaged: unengaged.get(sale.transactionId) ?? [],
  }));
}

function groupByTransaction(claims: readonly Claim[]): Map<TransactionId, Claim[]> {
  return Map.groupBy(claims, ({ transactionId }) => transactionId);
}

async function rememberVersions(
  connection: Queryable,
  organizationId: OrganizationId,
  rows: readonly ClaimRow[],
  versions: ProgramVersionCache,
): Promise<void> {
  const missing = new Map<string, { programId: ProgramId; version: number }>();
  for (const { programId, programVersion } of rows) {
    const key = versionKey(organizationId, programId, programVersion);
    if (!versions.has(key)) missing.set(key, { programId, version: programVersion });
  }
  if (missing.size === 0) return;
  if (versions.size > 0 && versions.size + missing.size > MAX_CACHED_VERSIONS) {
    versions.clear();
    return rememberVersions(connection, organizationId, rows, versions);
  }
  for (const version of await findProgramVersions(connection, organizationId, [...missing.values()])) {
    versions.set(versionKey(organizationId, version.programId, version.version), version);
  }
}

function versionOf(organizationId: OrganizationId, row: ClaimRow, versions: ProgramVersionCache): ProgramVersion {
  const program = versions.get(versionKey(organizationId, row.programId, row.programVersion));
  if (program === undefined) throw new Error(`program ${row.programId} has no version ${row.programVersion}`);
  return program;
}

function versionKey(organizationId: OrganizationId, programId: ProgramId, version: number): string {
  return `${organizationId} ${programId} ${version}`;
}
