import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId, TransactionId } from '#core/ids.ts';
import { isAllGone, withoutReversed } from '../domain/refund.ts';
import {
  contentOf,
  type GivenRefund,
  judgeRefund,
  refundedAmountOf,
  type RefundableSale,
  type RefundJudgment,
  refundRequest,
} from '../domain/refund-report.ts';
import { judgeLines } from '#programs/commands/judge-lines.ts';
import { type Connection, type Database, inTransaction, retryStatement } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import {
  type FullRefund,
  loadRefundableSales,
  lockBindings,
  type RefundRow,
  saveNamedRefunds,
  writeRefunds,
} from '../store/refunds.ts';
import { findCountings } from '../store/countings.ts';

export type RefundReport = FullRefund;
/** The outcome of a refund of a known sale. Its `opportunityId` is null if the order has no opportunity. */
type Refunded = { readonly kind: 'recorded' | 'repeated'; readonly opportunityId: OpportunityId | null };
export type RefundOutcome = Refunded | { readonly kind: 'unknown-sale' };
export type ReportRefunds = (
  organizationId: OrganizationId,
  reports: readonly RefundReport[],
) => Promise<RefundOutcome[]>;

/**
 * Returns a function that writes an organization's pending refunds in one statement. The refunds have no refundId. The
 * function's promise resolves once all are durable, with the outcome of each report in the same order. A repeat changes
 * nothing.
 */
export function createRefundReporter(database: Database): ReportRefunds {
  return async (organizationId, reports) => {
    const found = await retryStatement(() => writeRefunds({ connection: database, organizationId }, reports));
    return reports.map((_, n): RefundOutcome => {
      const opportunityId = found.get(n);
      return opportunityId === undefined ? { kind: 'unknown-sale' } : { kind: 'recorded', opportunityId };
    });
  };
}

/** A reported refund with a `refundId`: of an amount, of items, or of the full remaining amount. */
export type NamedRefundReport = FullRefund & { readonly refundId: string; readonly given: GivenRefund };
export type NamedRefundOutcome = RefundOutcome | Exclude<RefundJudgment, { kind: 'recorded' | 'repeated' }>;
export type ReportNamedRefunds = (
  organizationId: OrganizationId,
  reports: readonly NamedRefundReport[],
) => Promise<NamedRefundOutcome[]>;

/**
 * Returns a function that writes an organization's pending refunds in one database transaction, which locks their
 * sales. Each refund has a refundId. The function's promise resolves once all are durable, with the outcome of each
 * report in the same order. Refunds of the same sale are judged sequentially.
 */
export function createNamedRefundReporter(database: Database): ReportNamedRefunds {
  return (organizationId, reports) =>
    inTransaction(database, async (connection) => {
      const tenant = { connection, organizationId };
      const bound = await lockBindings(tenant, reports);
      if (bound.size === 0) return reports.map(() => ({ kind: 'unknown-sale' }));
      const ids = [...bound.values()].map(({ id }) => id);
      const sales = await loadRefundableSales(tenant, [...new Set(ids)]);
      await addCountings(tenant, sales, bound, reports);
      const recorded: RefundRow[] = [];
      const judge = async (
        { refundId, given, occurredAt }: NamedRefundReport,
        n: number,
      ): Promise<NamedRefundOutcome> => {
        const found = bound.get(n);
        const sale = found && sales.get(found.id);
        if (found === undefined || !sale) return { kind: 'unknown-sale' };
        const { id: transactionId, opportunityId } = found;
        const request = refundRequest(given, sale);
        const contentHash = hash('sha256', contentOf(request), 'hex');
        await judgeLines(sale.lines, sale.countings);
        const judgment = judgeRefund(sale, request, { refundId, contentHash });
        if (judgment.kind === 'repeated') return { kind: 'repeated', opportunityId };
        if (judgment.kind !== 'recorded') return judgment;
        sales.set(transactionId, judgment.sale);
        recorded.push({ ...judgment.refund, transactionId, occurredAt });
        return { kind: 'recorded', opportunityId };
      };
      const outcomes: NamedRefundOutcome[] = [];
      for (const [n, report] of reports.entries()) outcomes.push(await judge(report, n));
      if (recorded.length > 0) {
        const changed = [...new Set(recorded.map((refund) => refund.transactionId))];
        await saveNamedRefunds(tenant, recorded, changed.flatMap(transactionNow));
      }
      return outcomes;

      function transactionNow(transactionId: TransactionId) {
        const sale = sales.get(transactionId);
        if (sale === undefined) return [];
        return [
          { transactionId, refundedAmount: refundedAmountOf(sale), isRefunded: isAllGone(withoutReversed(sale)) },
        ];
      }
    });
}

/** Adds the `countings` (line rules of programs) to sales with returned items, if a line of the sale is negative. */
async function addCountings(
  tenant: Tenant<Connection>,
  sales: Map<TransactionId, RefundableSale>,
  bound: ReadonlyMap<number, { readonly id: TransactionId }>,
  reports: readonly NamedRefundReport[],
): Promise<void> {
  const asked = reports.flatMap(({ given }, n) => (given.kind === 'items' ? (bound.get(n)?.id ?? []) : []));
  const ids = [...new Set(asked)].filter((id) => sales.get(id)?.lines.some(({ total }) => total < 0n));
  if (ids.length === 0) return;
  for (const [id, countings] of await findCountings(tenant, ids)) {
    const sale = sales.get(id);
    if (sale !== undefined) sales.set(id, { ...sale, countings });
  }
}
