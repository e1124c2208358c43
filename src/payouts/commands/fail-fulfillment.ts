import { failRun } from '../domain/fulfillment.ts';
import type { FulfillmentId, PayoutId } from '#core/ids.ts';
import { releaseObligations } from '../domain/payout.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { loadRunPayouts, saveRunStatus } from '../store/fulfillments.ts';
import { lockPayoutObligations, saveObligationChanges, saveVoid, voidFlags } from '../store/payout-reviews.ts';
import { settleConversions } from '#attribution/commands/settle-conversions.ts';
import { moveRun, type RunChangeOutcome } from './move-run.ts';

/**
 * Marks a run as failed, unless it is complete or one of its payouts is paid. Its payouts become void. Their
 * obligations become pending again at their current amounts, or rejected if nothing is owed for them.
 */
export function failFulfillment(tenant: Tenant<Database>, id: FulfillmentId): Promise<RunChangeOutcome> {
  return moveRun(tenant, id, async (tenant, status) => {
    const payouts = await loadRunPayouts(tenant, id);
    const move = failRun(status, payouts);
    if (move === 'changed') {
      const payoutIds = payouts.map(({ payoutId }) => payoutId);
      await voidPayouts(tenant, id, payoutIds);
    }
    return move === 'forbidden' || move === 'paid' ? move : 'moved';
  });
}

async function voidPayouts(
  tenant: Tenant<Connection>,
  id: FulfillmentId,
  payoutIds: readonly PayoutId[],
): Promise<void> {
  const held = await lockPayoutObligations(tenant, payoutIds);
  await saveObligationChanges(tenant, releaseObligations(held));
  await saveVoid(tenant, id);
  await settleConversions(tenant, await voidFlags(tenant, payoutIds));
  await saveRunStatus(tenant, id, 'failed');
}
