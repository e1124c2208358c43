import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { Line } from '#domain/reward.ts';
import type { Binding } from '#store/bindings.ts';
import type { Database } from '#store/database.ts';
import type { SaleRow } from '#store/sales.ts';
import { recordSales, type SaleOutcome } from './record-sales.ts';

export type SaleReport = Binding & {
  readonly total: Minor;
  readonly currency: string;
  readonly opportunityId: OpportunityId;
  /** At least one: a sale without items is the single line Order. */
  readonly lines: readonly Line[];
};

export type ReportSales = (organizationId: OrganizationId, reports: readonly SaleReport[]) => Promise<SaleOutcome[]>;

/**
 * Takes what waits of one organization's sales and writes it in one statement, durable when this resolves; one outcome
 * a report, in the order of the reports.
 */
export function saleReporting(database: Database): ReportSales {
  return (organizationId, reports) => recordSales(database, organizationId, 'sale', reports.map(saleRow));
}

export function saleRow({ opportunityId, source, externalId, total, currency, lines }: SaleReport): SaleRow {
  const contentHash = hash('sha256', JSON.stringify(saleContent({ total, currency, lines })), 'buffer');
  return { source, externalId, total, currency, lines, reportedOpportunityId: opportunityId, contentHash };
}

/** What makes a repeat a repeat. Parsed content, so that `49.9` equals `49.90`. Lines count in their order. */
export function saleContent({ total, currency, lines }: Pick<SaleReport, 'total' | 'currency' | 'lines'>): unknown[] {
  return [
    String(total),
    currency,
    ...lines.map(({ externalId, name, type, quantity, amount }) => [externalId, name, type, quantity, String(amount)]),
  ];
}
