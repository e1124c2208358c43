import { hash } from 'node:crypto';
import type { OrganizationId, TransactionId } from '#domain/ids.ts';
import { givenBack } from '#domain/refund.ts';
import { contentOf, judgeRefund, type RefundJudgment, type RefundRequest } from '#domain/refund-report.ts';
import type { Binding } from '#store/bindings.ts';
import { type Database, inTransaction, retried } from '#store/database.ts';
import { loadRefundableSales, lockBindings, type RefundRow, saveNamedRefunds, writeRefunds } from '#store/refunds.ts';

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

/** A refund with an id of its own: in part, or of all that is left. */
export type NamedRefundReport = Binding & { readonly refundId: string; readonly request: RefundRequest };
export type NamedRefundOutcome =
  { readonly kind: 'recorded' | 'unknown-sale' } | Exclude<RefundJudgment, { kind: 'recorded' }>;
export type ReportNamedRefunds = (
  organizationId: OrganizationId,
  reports: readonly NamedRefundReport[],
) => Promise<NamedRefundOutcome[]>;

/**
 * Takes what waits of one organization's named refunds, in one transaction under the locks of their sales, durable when
 * this resolves; one outcome a report, in the order of the reports. Those of one sale are judged one after another.
 */
export function namedRefundReporting(database: Database): ReportNamedRefunds {
  return (organizationId, reports) =>
    inTransaction(database, async (connection) => {
      const bound = await lockBindings(connection, organizationId, reports);
      if (bound.size === 0) return reports.map(() => ({ kind: 'unknown-sale' }));
      const sales = await loadRefundableSales(connection, organizationId, [...new Set(bound.values())]);
      const recorded: RefundRow[] = [];
      const outcomes = reports.map(({ refundId, request }, n): NamedRefundOutcome => {
        const transactionId = bound.get(n);
        const sale = transactionId && sales.get(transactionId);
        if (transactionId === undefined || !sale) return { kind: 'unknown-sale' };
        const contentHash = hash('sha256', contentOf(request), 'hex');
        const judgment = judgeRefund(sale, request, { refundId, contentHash });
        if (judgment.kind !== 'recorded') return judgment;
        sales.set(transactionId, judgment.sale);
        recorded.push({ ...judgment.refund, transactionId });
        return { kind: 'recorded' };
      });
      if (recorded.length > 0) {
        const changed = [...new Set(recorded.map((refund) => refund.transactionId))];
        await saveNamedRefunds(connection, organizationId, recorded, changed.flatMap(transactionNow));
      }
      return outcomes;

      function transactionNow(transactionId: TransactionId) {
        const sale = sales.get(transactionId);
        if (sale === undefined) return [];
        const refundedAmount = sale.isRefunded ? sale.total : givenBack(sale.total, sale.refunds);
        return [{ transactionId, refundedAmount, isRefunded: sale.isRefunded }];
      }
    });
}
