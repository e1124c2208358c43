import type { OpportunityId, OrganizationId, TransactionId } from '#core/ids.ts';
import { isAllGone, withoutReversed } from '../domain/refund.ts';
import { judgeReversal, refundedAmountOf, type RefundableSale } from '../domain/refund-report.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import {
  type FullRefund,
  loadRefundableSales,
  lockBindings,
  type ReversalRow,
  saveReversals,
} from '../store/refunds.ts';

/** A reported reversal of a refund: the refund failed, or the merchant won the dispute. */
export type ReversalReport = FullRefund & { readonly refundId: string };
export type ReversalOutcome =
  | { readonly kind: 'recorded' | 'repeated'; readonly opportunityId: OpportunityId | null }
  | { readonly kind: 'unknown-sale' | 'unknown-refund' };
export type ReportReversals = (
  organizationId: OrganizationId,
  reports: readonly ReversalReport[],
) => Promise<ReversalOutcome[]>;

/**
 * Returns a function that writes an organization's pending reversals in one database transaction, which locks their
 * sales. The function's promise resolves once all are durable, with the outcome of each report in the same order. A
 * repeat changes nothing.
 */
export function createReversalReporter(database: Database): ReportReversals {
  return (organizationId, reports) =>
    inTransaction(database, (connection) => reverse({ connection, organizationId }, reports));
}

async function reverse(tenant: Tenant<Connection>, reports: readonly ReversalReport[]): Promise<ReversalOutcome[]> {
  const bound = await lockBindings(tenant, reports);
  if (bound.size === 0) return reports.map(() => ({ kind: 'unknown-sale' }));
  const sales = await loadRefundableSales(tenant, [...new Set([...bound.values()].map(({ id }) => id))]);
  const recorded: ReversalRow[] = [];
  const outcomes = reports.map(({ refundId, occurredAt }, n): ReversalOutcome => {
    const found = bound.get(n);
    const sale = found && sales.get(found.id);
    if (found === undefined || !sale) return { kind: 'unknown-sale' };
    const { id: transactionId, opportunityId } = found;
    const judgment = judgeReversal(sale, refundId);
    if (judgment.kind === 'unknown-refund') return judgment;
    if (judgment.kind === 'repeated') return { kind: 'repeated', opportunityId };
    const { refunded, endsFullRefund } = judgment;
    sales.set(transactionId, judgment.sale);
    recorded.push({ transactionId, refundId, refunded, endsFullRefund, occurredAt });
    return { kind: 'recorded', opportunityId };
  });
  if (recorded.length > 0) {
    const changed = [...new Set(recorded.map(({ transactionId }) => transactionId))];
    await saveReversals(
      tenant,
      recorded,
      changed.flatMap((id) => stateOf(id, sales.get(id))),
    );
  }
  return outcomes;
}

function stateOf(transactionId: TransactionId, sale: RefundableSale | undefined) {
  if (sale === undefined) return [];
  return [{ transactionId, refundedAmount: refundedAmountOf(sale), isRefunded: isAllGone(withoutReversed(sale)) }];
}
