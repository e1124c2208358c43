import type { OpportunityId } from '#core/ids.ts';
import type { PayableKind } from '#programs/domain/program.ts';
import { contentDifferences, type SaleConflict, type SaleDifference } from '../domain/sale-conflict.ts';
import type { Binding } from '#tracking/store/bindings.ts';
import { type Database, retryStatement } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findSales, findSurvivors, type SaleRow, type StoredSale, writeSales } from '../store/sales.ts';

export type SaleOutcome =
  /** `opportunityId` is null for an order without a referral, unless a coupon or a user determines the opportunity. */
  | { readonly kind: 'recorded' | 'repeated'; readonly opportunityId: OpportunityId | null }
  | SaleConflict
  | { readonly kind: 'unknown-opportunity' };

/** The outcomes by the index of their reports. Undefined means that the outcome is not known yet. */
export type SaleOutcomes = (SaleOutcome | undefined)[];

/**
 * Writes sales (or leads) in one statement, which is repeated for rows that remain open. Returns the outcome for each
 * row, in the order of the rows, once they are durable.
 *
 * Repeats and conflicts within one batch have the same outcomes as in separate batches. If several rows have the same
 * binding, the first row is written and the other rows are compared with it.
 */
export async function recordSales(
  tenant: Tenant<Database>,
  kind: Exclude<PayableKind, 'renewal'>,
  rows: readonly SaleRow[],
): Promise<SaleOutcome[]> {
  const outcomes: SaleOutcomes = rows.map(() => undefined);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const open = openOf(outcomes);
    if (open.length === 0) break;
    const indexes = firstsOf(rows, open);
    const written = await retryStatement(() => writeSales(tenant, kind, pick(rows, indexes)));
    for (const [n, { opportunityId, id }] of written) {
      const index = indexes[n];
      if (id !== null && index !== undefined) outcomes[index] = { kind: 'recorded', opportunityId };
    }
    await setKnownOutcomes(tenant, kind, rows, outcomes);
  }
  return outcomes.map((outcome) => outcome ?? { kind: 'unknown-opportunity' });
}

/**
 * The maximum number of attempts. A sale is retried only if its opportunity was merged or removed while the statement
 * waited for the lock.
 */
const MAX_TRIES = 10;

/**
 * Sets the outcome of each unwritten report that is a repeat or a conflict, or whose opportunity doesn't exist. Other
 * reports stay open.
 */
export async function setKnownOutcomes(
  tenant: Tenant,
  kind: PayableKind,
  rows: readonly SaleRow[],
  outcomes: SaleOutcomes,
): Promise<void> {
  const indexes = openOf(outcomes);
  if (indexes.length === 0) return;
  const judged = pick(rows, indexes);
  const stored = await findSales(tenant, judged);
  const survivors = await findSurvivors(
    tenant,
    judged.flatMap((row) => row.reportedOpportunityId ?? []),
  );
  for (const [n, row] of judged.entries()) {
    const index = indexes[n];
    const sale = stored.get(n);
    const reported = row.reportedOpportunityId;
    const survivor = reported === null ? null : survivors.get(reported);
    if (index === undefined) continue;
    if (sale !== undefined) outcomes[index] = compare(kind, row, survivor, sale);
    else if (survivor === undefined) outcomes[index] = { kind: 'unknown-opportunity' };
  }
}

/**
 * Compares a report with the stored sale of the same binding. The report is a repeat if its content is equal, and its
 * opportunity is the same or was merged into the same survivor.
 *
 * A report without a referral (null) equals only other reports without a referral, even if a coupon or user supplied an
 * opportunity.
 */
function compare(
  kind: PayableKind,
  row: SaleRow,
  survivor: OpportunityId | null | undefined,
  sale: StoredSale,
): SaleOutcome {
  if (sale.type !== kind) return { kind: 'conflict', stands: sale.type, differences: [] };
  const [reported, stands] = [row.reportedOpportunityId, sale.reportedOpportunityId];
  const sameOpportunity =
    reported === stands || (reported !== null && stands !== null && survivor === sale.opportunityId);
  const differences: SaleDifference[] = [
    ...(sameOpportunity ? [] : (['opportunity'] as const)),
    ...(row.contentHash.equals(sale.contentHash) ? [] : contentDifferences({ ...row, renews: null }, sale)),
  ];
  if (differences.length > 0) return { kind: 'conflict', stands: kind, differences };
  return { kind: 'repeated', opportunityId: sale.opportunityId };
}

/** Returns the indexes of the reports whose outcome is not known yet. */
export function openOf(outcomes: readonly unknown[]): number[] {
  return outcomes.flatMap((outcome, index) => (outcome === undefined ? [index] : []));
}

/** Returns the index of the first open report of each binding. A statement can write each binding only once. */
export function firstsOf(rows: readonly Binding[], open: readonly number[]): number[] {
  const firsts = new Map<string, number>();
  for (const index of open) {
    const key = JSON.stringify([rows[index]?.source, rows[index]?.externalId]);
    if (!firsts.has(key)) firsts.set(key, index);
  }
  return [...firsts.values()];
}

export function pick<Row>(rows: readonly Row[], indexes: readonly number[]): Row[] {
  return indexes.flatMap((index) => rows[index] ?? []);
}
