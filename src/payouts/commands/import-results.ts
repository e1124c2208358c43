import { decideResults, type PaymentResult } from '../domain/payment-results.ts';
import type { ReportedPayment } from '../domain/reported-payment.ts';
import { lockPayoutObligations } from '../store/payout-reviews.ts';
import { loadMarkedPayouts, lockMarkedPayouts, lockRunsOf, saveMarks } from '../store/payouts.ts';
import { saveFailedPayouts } from './fail-payouts.ts';
import type { PayoutId } from '#core/ids.ts';
import { type Database, inSnapshot } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';

/** Returns the outcomes that an import of the given payments would have now. Changes and locks nothing. */
export function previewResults(
  { connection, organizationId }: Tenant<Database>,
  payments: readonly ReportedPayment[],
): Promise<PaymentResult[]> {
  return inSnapshot(connection, async (connection) =>
    decideResults(payments, await loadMarkedPayouts({ connection, organizationId }, idsOf(payments))),
  );
}

/**
 * Marks the payouts of successful payments as paid, and makes the payouts of failed payments void. Each payment is
 * checked separately, under the locks of the payouts and their runs. Importing the same payments again changes nothing.
 */
export function importResults(
  tenant: Tenant<Database>,
  payments: readonly ReportedPayment[],
): Promise<PaymentResult[]> {
  return inTenantTransaction(tenant, async (tenant) => {
    const ids = idsOf(payments);
    await lockRunsOf(tenant, ids);
    const reportedFailed = idsOf(payments.filter(({ state }) => state === 'failed'));
    const obligations = await lockPayoutObligations(tenant, reportedFailed);
    const found = await lockMarkedPayouts(tenant, ids);
    const results = decideResults(payments, found);
    const paid = idsOf(results.filter(({ outcome }) => outcome === 'paid'));
    if (paid.length > 0) await saveMarks(tenant, paid, 'paid');
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    const failures = new Map(failed.map(({ payoutId, reason, status }) => [payoutId, reason ?? status]));
    const wasPaid = [...failures.keys()].filter((id) => found.get(id)?.status === 'paid');
    const released = obligations.filter(({ payoutId }) => failures.has(payoutId));
    await saveFailedPayouts(tenant, failures, wasPaid, released);
    return results;
  });
}

function idsOf(payments: readonly { readonly payoutId: PayoutId }[]): PayoutId[] {
  return [...new Set(payments.map(({ payoutId }) => payoutId))];
}
