import type { ConversionId, ProgramId, TransactionId } from '#core/ids.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findProgramVersions } from '#programs/store/program-versions.ts';
import { loadRefundedSales } from '#sales/store/refunds.ts';
import {
  type EarnedShare,
  loadOwed,
  loadShares,
  type RevisedConversion,
  savePastRejections,
  saveRevisedConversions,
  saveSettled,
  type Settled,
} from '../store/revisions.ts';
import { type PastRejection, revise } from '../domain/revision.ts';

/**
 * Applies refunds and their reversals to locked transactions. Their conversions are revalued, obligations are adjusted,
 * and payouts that contain refunded money are flagged.
 *
 * It uses all existing refunds instead of a single event. So it is correct at any time, and repeating it changes
 * nothing. If no transaction was refunded, it takes one query.
 */
export async function reviseConversions(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<void> {
  const sales = await loadRefundedSales(tenant, transactionIds);
  if (sales.size === 0) return;
  const shares = await loadShares(tenant, [...sales.keys()]);
  if (shares.length === 0) return;
  const owed = await loadOwed(
    tenant,
    shares.map(({ conversionId }) => conversionId),
  );
  const versions = await loadVersions(tenant, shares);

  const revised: RevisedConversion[] = [];
  const past: (PastRejection & { conversionId: ConversionId })[] = [];
  const settled: Settled[] = [];
  for (const share of shares) {
    const { conversionId, transactionId } = share;
    const sale = found(sales.get(transactionId), `transaction ${transactionId}`);
    const debt = found(owed.get(conversionId), `the obligation of conversion ${conversionId}`);
    const version = found(versions.get(versionKey(share)), `program ${versionKey(share)}`);
    const revision = revise(sale, { ...share, owed: debt }, version);
    if (revision.conversion !== null) revised.push({ conversionId, change: revision.conversion });
    past.push(...revision.past.map((each) => ({ conversionId, ...each })));
    settled.push({ conversionId, transactionId, changes: revision.owed });
  }
  await savePastRejections(tenant, past);
  await saveRevisedConversions(tenant, revised);
  await saveSettled(tenant, settled);
}

async function loadVersions(
  tenant: Tenant<Connection>,
  shares: readonly EarnedShare[],
): Promise<Map<string, ProgramVersion>> {
  const wanted = new Map(
    shares.map((share) => [versionKey(share), { programId: share.programId, version: share.programVersion }]),
  );
  const versions = await findProgramVersions(tenant, [...wanted.values()]);
  return new Map(versions.map((each) => [versionKey({ ...each, programVersion: each.version }), each]));
}

function versionKey(of: { readonly programId: ProgramId; readonly programVersion: number }): string {
  return `${of.programId} v${of.programVersion}`;
}

function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} does not exist`);
  return value;
}
