import { failPayout as decide, type FailDecision, releaseObligations } from '../domain/payout.ts';
import { lockPayoutObligations, saveObligationChanges, voidFlags } from '../store/payout-reviews.ts';
import { lockMarkedPayouts, lockRunsOf, saveFailures, saveMarks } from '../store/payouts.ts';
import { type PayoutResource, payouts } from '../store/read/payouts.ts';
import { settleConversions } from '#attribution/commands/settle-conversions.ts';
import type { PayoutId } from '#core/ids.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import type { PayoutObligation } from '../domain/payout.ts';

export type FailedPayment =
  | { readonly kind: 'failed'; readonly payout: PayoutResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly because: Exclude<FailDecision, 'changed' | 'unchanged'> };

/**
 * Records that the payment of a payout failed. The payout becomes void. Its obligations become pending again at their
 * current amounts, or rejected if nothing is owed for them. If the failure was already recorded, nothing changes.
 */
export function failOnePayout(tenant: Tenant<Database>, id: PayoutId, reason: string): Promise<FailedPayment> {
  return inTenantTransaction(tenant, async (tenant): Promise<FailedPayment> => {
    await lockRunsOf(tenant, [id]);
    const obligations = await lockPayoutObligations(tenant, [id]);
    const payout = (await lockMarkedPayouts(tenant, [id])).get(id);
    if (payout === undefined) return { kind: 'unknown' };
    const decision = decide(payout);
    if (decision !== 'changed' && decision !== 'unchanged') return { kind: 'forbidden', because: decision };
    if (decision === 'changed') {
      await saveFailedPayouts(tenant, new Map([[id, reason]]), payout.status === 'paid' ? [id] : [], obligations);
    }
    return { kind: 'failed', payout: await readExisting(tenant, payouts, { id }) };
  });
}

/**
 * Makes payouts void with the reasons of their failed payments, and releases their obligations. `paid` are the failed
 * payouts that were marked as paid. The caller must have locked all rows.
 */
export async function saveFailedPayouts(
  tenant: Tenant<Connection>,
  failures: ReadonlyMap<PayoutId, string>,
  paid: readonly PayoutId[],
  obligations: readonly PayoutObligation[],
): Promise<void> {
  if (failures.size === 0) return;
  // Mark the payouts as unpaid first, so that the ledger records the return of the money before the release of the
  // obligations.
  if (paid.length > 0) await saveMarks(tenant, paid, 'unpaid');
  await saveObligationChanges(tenant, releaseObligations(obligations));
  await saveFailures(tenant, failures);
  await settleConversions(tenant, await voidFlags(tenant, [...failures.keys()]));
}
