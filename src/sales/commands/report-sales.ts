import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Binding } from '#tracking/store/bindings.ts';
import type { Database } from '#platform/postgres/database.ts';
import { type Buyer, comparedBuyer } from '../domain/buyer.ts';
import type { SaleRow } from '../store/sales.ts';
import { recordSales, type SaleOutcome } from './record-sales.ts';

export type SaleReport = Binding & {
  readonly total: Minor;
  readonly currency: string;
  /** The reported opportunity. Null for an order without a referral. */
  readonly opportunityId: OpportunityId | null;
  /** The lines of the order, at least one. An order without items gets the single line `Order`. */
  readonly lines: readonly Line[];
  /** The time of the sale. Null means the time of the report. */
  readonly occurredAt?: Date | null;
  /** The details of the buyer. They are not part of the content, so a repeat may have other details. */
  readonly buyer?: Buyer | null | undefined;
};

export type ReportSales = (organizationId: OrganizationId, reports: readonly SaleReport[]) => Promise<SaleOutcome[]>;

/**
 * Returns a function that writes an organization's pending sales as a batch. The function's promise resolves once all
 * are durable, with the outcome of each report in the same order.
 */
export function createSaleReporter(database: Database): ReportSales {
  return (organizationId, reports) =>
    recordSales({ connection: database, organizationId }, 'sale', reports.map(saleRow));
}

export function saleRow({
  opportunityId,
  source,
  externalId,
  total,
  currency,
  lines,
  occurredAt = null,
  buyer,
}: SaleReport): SaleRow {
  const contentHash = hash('sha256', JSON.stringify(saleContent({ total, currency, lines })), 'buffer');
  return {
    source,
    externalId,
    total,
    currency,
    lines,
    occurredAt,
    reportedOpportunityId: opportunityId,
    contentHash,
    buyer: buyer == null ? null : comparedBuyer(buyer),
  };
}

/**
 * Returns the content whose hash identifies repeats. It is the parsed content, so that `49.9` equals `49.90`, with the
 * lines in order. A line's total is included only if it isn't unit price × quantity, so that reports of earlier
 * releases keep their hash.
 */
export function saleContent({ total, currency, lines }: Pick<SaleReport, 'total' | 'currency' | 'lines'>): unknown[] {
  return [
    String(total),
    currency,
    ...lines.map(({ externalId, name, type, quantity, amount, total: lineTotal }) => [
      externalId,
      name,
      type,
      quantity,
      String(amount),
      ...(lineTotal === amount * BigInt(quantity) ? [] : [String(lineTotal)]),
    ]),
  ];
}
