import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import type { PayableKind } from '#domain/program.ts';
import { contentDifferences, type SaleConflict, type SaleDifference } from '#domain/sale-conflict.ts';
import type { Binding } from '#store/bindings.ts';
import { type Database, type Queryable, retried } from '#store/database.ts';
import { findSales, findSurvivors, type SaleRow, type StoredSale, writeSales } from '#store/sales.ts';

export type SaleOutcome =
  | { readonly kind: 'recorded' | 'repeated'; readonly opportunityId: OpportunityId }
  | SaleConflict
  | { readonly kind: 'unknown-opportunity' };

/** By the index of its report; undefined is not known yet. */
export type SaleOutcomes = (SaleOutcome | undefined)[];

/**
 * Writes sales (or leads) in one statement, durable when this resolves; one outcome a row, in their order. Repeats and
 * conflicts inside one batch count like those between two: of the copies of a binding the first stands, the others are
 * judged by what is stored.
 */
export async function recordSales(
  database: Database,
  organizationId: OrganizationId,
  kind: Exclude<PayableKind, 'renewal'>,
  rows: readonly SaleRow[],
): Promise<SaleOutcome[]> {
  const outcomes: SaleOutcomes = rows.map(() => undefined);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const open = openOf(outcomes);
    if (open.length === 0) break;
    const indexes = firstsOf(rows, open);
    const written = await retried(() => writeSales(database, organizationId, kind, pick(rows, indexes)));
    for (const [n, { opportunityId, isNew }] of written) {
      const index = indexes[n];
      if (isNew && index !== undefined) outcomes[index] = { kind: 'recorded', opportunityId };
    }
    await judge(database, organizationId, kind, rows, outcomes);
  }
  return outcomes.map((outcome) => outcome ?? { kind: 'unknown-opportunity' });
}

/** A sale comes round again only where its opportunity was merged, or removed, while the statement waited for it. */
const MAX_TRIES = 10;

/** What was not written: a repeat, a conflict, or of an opportunity that was never given out. What is none stays open. */
export async function judge(
  connection: Queryable,
  organizationId: OrganizationId,
  kind: PayableKind,
  rows: readonly SaleRow[],
  outcomes: SaleOutcomes,
): Promise<void> {
  const indexes = openOf(outcomes);
  if (indexes.length === 0) return;
  const judged = pick(rows, indexes);
  const stored = await findSales(connection, organizationId, judged);
  const survivors = await findSurvivors(
    connection,
    organizationId,
    judged.map((row) => row.reportedOpportunityId),
  );
  for (const [n, row] of judged.entries()) {
    const index = indexes[n];
    const sale = stored.get(n);
    const survivor = survivors.get(row.reportedOpportunityId);
    if (index === undefined) continue;
    if (sale !== undefined) outcomes[index] = compare(kind, row, survivor, sale);
    else if (survivor === undefined) outcomes[index] = { kind: 'unknown-opportunity' };
  }
}

/** Two reports are the same when their content is and their opportunities lead to the same one now. */
function compare(kind: PayableKind, row: SaleRow, survivor: OpportunityId | undefined, sale: StoredSale): SaleOutcome {
  if (sale.type !== kind) return { kind: 'conflict', stands: sale.type, differences: [] };
  const sameOpportunity = row.reportedOpportunityId === sale.reportedOpportunityId || survivor === sale.opportunityId;
  const differences: SaleDifference[] = [
    ...(sameOpportunity ? [] : (['opportunity'] as const)),
    ...(row.contentHash.equals(sale.contentHash) ? [] : contentDifferences({ ...row, renews: null }, sale)),
  ];
  if (differences.length > 0) return { kind: 'conflict', stands: kind, differences };
  return { kind: 'repeated', opportunityId: sale.opportunityId };
}

/** The reports whose outcome is not known yet. */
export function openOf(outcomes: readonly unknown[]): number[] {
  return outcomes.flatMap((outcome, index) => (outcome === undefined ? [index] : []));
}

/** Of the reports of each binding the first: the store takes a binding once a statement. */
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
