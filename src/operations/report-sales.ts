import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { Line } from '#domain/reward.ts';
import { type Database, retried } from '#store/database.ts';
import { findSales, findSurvivors, type SaleRow, type StoredSale, writeSales } from '#store/sales.ts';

export type SaleReport = {
  readonly source: string;
  readonly externalId: string;
  readonly total: Minor;
  readonly currency: string;
  readonly opportunityId: OpportunityId;
  /** At least one: a sale without items is the single line Order. */
  readonly lines: readonly Line[];
};

export type SaleOutcome =
  | { readonly kind: 'recorded' | 'repeated'; readonly opportunityId: OpportunityId }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'unknown-opportunity' };

export type ReportSales = (organizationId: OrganizationId, reports: readonly SaleReport[]) => Promise<SaleOutcome[]>;

/**
 * Takes what waits of one organization's sales and writes it in one statement, durable when this resolves; one outcome
 * a report, in the order of the reports. Repeats and conflicts inside one batch count like those between two: of the
 * copies of a binding the first stands, the others are judged by what is stored.
 */
export function saleReporting(database: Database): ReportSales {
  return async (organizationId, reports) => {
    const rows = reports.map(saleRow);
    const outcomes: (SaleOutcome | undefined)[] = reports.map(() => undefined);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const open = outcomes.flatMap((outcome, index) => (outcome === undefined ? [index] : []));
      if (open.length === 0) break;
      await recordFirstOfEachBinding(database, organizationId, rows, open, outcomes);
      const left = open.filter((index) => outcomes[index] === undefined);
      if (left.length > 0) await judge(database, organizationId, rows, left, outcomes);
    }
    return outcomes.map((outcome) => outcome ?? { kind: 'unknown-opportunity' });
  };
}

/** A sale comes round again only where its opportunity was merged while the statement waited for it. */
const MAX_TRIES = 10;

async function recordFirstOfEachBinding(
  database: Database,
  organizationId: OrganizationId,
  rows: readonly SaleRow[],
  open: readonly number[],
  outcomes: (SaleOutcome | undefined)[],
): Promise<void> {
  const firsts = new Map<string, number>();
  for (const index of open) {
    const key = bindingKey(rows[index]);
    if (!firsts.has(key)) firsts.set(key, index);
  }
  const indexes = [...firsts.values()];
  const written = await retried(() => writeSales(database, organizationId, pick(rows, indexes)));
  for (const [n, { opportunityId, isNew }] of written) {
    const index = indexes[n];
    if (isNew && index !== undefined) outcomes[index] = { kind: 'recorded', opportunityId };
  }
}

/** What was not written: a repeat, a conflict, or of an opportunity that was never given out. */
async function judge(
  database: Database,
  organizationId: OrganizationId,
  rows: readonly SaleRow[],
  indexes: readonly number[],
  outcomes: (SaleOutcome | undefined)[],
): Promise<void> {
  const judged = pick(rows, indexes);
  const stored = await findSales(database, organizationId, judged);
  const survivors = await findSurvivors(
    database,
    organizationId,
    judged.map((row) => row.reportedOpportunityId),
  );
  for (const [n, row] of judged.entries()) {
    const index = indexes[n];
    const sale = stored.get(n);
    const survivor = survivors.get(row.reportedOpportunityId);
    if (index === undefined) continue;
    if (sale !== undefined) outcomes[index] = compare(row, survivor, sale);
    else if (survivor === undefined) outcomes[index] = { kind: 'unknown-opportunity' };
  }
}

/** Two reports are the same when their content is and their opportunities lead to the same one now. */
function compare(row: SaleRow, survivor: OpportunityId | undefined, sale: StoredSale): SaleOutcome {
  const sameOpportunity = row.reportedOpportunityId === sale.reportedOpportunityId || survivor === sale.opportunityId;
  if (!sameOpportunity || !row.contentHash.equals(sale.contentHash)) return { kind: 'conflict' };
  return { kind: 'repeated', opportunityId: sale.opportunityId };
}

function saleRow({ opportunityId, ...report }: SaleReport): SaleRow {
  return { ...report, reportedOpportunityId: opportunityId, contentHash: contentHash(report) };
}

/** Of the parsed content, so that `49.9` equals `49.90`. Lines count in their order. */
function contentHash({ total, currency, lines }: Pick<SaleReport, 'total' | 'currency' | 'lines'>): Buffer {
  const content = [
    String(total),
    currency,
    ...lines.map(({ externalId, name, type, quantity, amount }) => [externalId, name, type, quantity, String(amount)]),
  ];
  return hash('sha256', JSON.stringify(content), 'buffer');
}

function bindingKey(row: SaleRow | undefined): string {
  return JSON.stringify([row?.source, row?.externalId]);
}

function pick(rows: readonly SaleRow[], indexes: readonly number[]): SaleRow[] {
  return indexes.flatMap((index) => rows[index] ?? []);
}
