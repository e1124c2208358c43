import type { OrganizationId } from '#domain/ids.ts';
import { type Database, retried } from '#store/database.ts';
import { type Binding, writeRefunds } from '#store/refunds.ts';

export type RefundReport = Binding;
export type RefundOutcome = { readonly kind: 'recorded' } | { readonly kind: 'unknown-sale' };
export type ReportRefunds = (
  organizationId: OrganizationId,
  reports: readonly RefundReport[],
) => Promise<RefundOutcome[]>;

/**
 * Takes what waits of one organization's refunds and writes it in one statement, durable when this resolves; one
 * outcome a report, in the order of the reports. A repeat changes nothing.
 */
export function refundReporting(database: Database): ReportRefunds {
  return async (organizationId, reports) => {
    const found = await retried(() => writeRefunds(database, organizationId, reports));
    return reports.map((_, n) => ({ kind: found.has(n) ? 'recorded' : 'unknown-sale' }));
  };
}
