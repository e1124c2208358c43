import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId } from '#core/ids.ts';
import { type GivenSale, soldAs } from '#programs/domain/sold-lines.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type CorrectionJudgment, judgeCorrection } from '../domain/correction.ts';
import { type CorrectionRow, saveCorrection } from '../store/corrections.ts';
import { type FullRefund, loadRefundableSales, lockBindings } from '../store/refunds.ts';
import { saleContent } from './report-sales.ts';

/** A reported correction: the new total and all new lines of a sale or renewal, in the currency of the sale. */
export type CorrectionReport = FullRefund & { readonly correctionId: string; readonly given: GivenSale };
export type CorrectionOutcome =
  | { readonly kind: 'recorded' | 'repeated'; readonly opportunityId: OpportunityId | null }
  /** The transaction doesn't exist, or it is a lead, which has no total. */
  | { readonly kind: 'unknown-sale' }
  | Exclude<CorrectionJudgment, { kind: 'recorded' | 'repeated' }>;
export type ReportCorrections = (
  organizationId: OrganizationId,
  reports: readonly CorrectionReport[],
) => Promise<CorrectionOutcome[]>;

/**
 * Returns a function that writes an organization's pending corrections in one database transaction, which locks their
 * sales. The function's promise resolves once all are durable, with the outcome of each report in the same order.
 * Corrections of the same sale are judged sequentially. A repeat changes nothing.
 */
export function createCorrectionReporter(database: Database): ReportCorrections {
  return (organizationId, reports) =>
    inTransaction(database, (connection) => correct({ connection, organizationId }, reports));
}

async function correct(tenant: Tenant<Connection>, reports: readonly CorrectionReport[]): Promise<CorrectionOutcome[]> {
  const bound = await lockBindings(tenant, reports);
  if (bound.size === 0) return reports.map(() => ({ kind: 'unknown-sale' }));
  const sales = await loadRefundableSales(tenant, [...new Set([...bound.values()].map(({ id }) => id))]);
  const recorded: CorrectionRow[] = [];
  const outcomes = reports.map(({ correctionId, given, occurredAt }, n): CorrectionOutcome => {
    const found = bound.get(n);
    const sale = found && sales.get(found.id);
    if (found === undefined || !sale || sale.lines.length === 0) return { kind: 'unknown-sale' };
    const { id: transactionId, opportunityId } = found;
    const sold = soldAs(given, sale.currency);
    const content = JSON.stringify(saleContent({ ...sold, currency: sale.currency }));
    const correction = { correctionId, ...sold, contentHash: hash('sha256', content, 'hex') };
    const judgment = judgeCorrection(sale, correction);
    if (judgment.kind === 'repeated') return { kind: 'repeated', opportunityId };
    if (judgment.kind !== 'recorded') return judgment;
    const { replaced, refunded, endsFullRefund } = judgment;
    const { refunds } = judgment.sale;
    sales.set(transactionId, judgment.sale);
    recorded.push({ ...correction, transactionId, replaced, refunds, refunded, endsFullRefund, occurredAt });
    return { kind: 'recorded', opportunityId };
  });
  for (const row of recorded) await saveCorrection(tenant, row);
  return outcomes;
}
