import { failRun } from '#domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId, PayoutId } from '#domain/ids.ts';
import { release } from '#domain/payout.ts';
import type { Connection, Database } from '#store/database.ts';
import { loadRunPayouts, saveRunStatus } from '#store/fulfillments.ts';
import { lockPaidObligations, saveObligationChanges, saveVoid, voidFlags } from '#store/payout-reviews.ts';
import { moveRun, type RunMoving } from './move-run.ts';

/** A run was not paid: its payouts are void, and what they held is pending again at what it is worth now. */
export function failFulfillment(
  database: Database,
  organizationId: OrganizationId,
  id: FulfillmentId,
): Promise<RunMoving> {
  return moveRun(database, organizationId, id, async (connection, status) => {
    const payouts = await loadRunPayouts(connection, organizationId, id);
    const move = failRun(status, payouts);
    if (move === 'changed') {
      const payoutIds = payouts.map(({ payoutId }) => payoutId);
      await giveBack(connection, organizationId, id, payoutIds);
    }
    return move === 'forbidden' || move === 'paid' ? move : 'moved';
  });
}

async function giveBack(
  connection: Connection,
  organizationId: OrganizationId,
  id: FulfillmentId,
  payoutIds: readonly PayoutId[],
): Promise<void> {
  const held = await lockPaidObligations(connection, organizationId, payoutIds);
  await saveObligationChanges(connection, organizationId, held.map(release));
  await saveVoid(connection, organizationId, id);
  await voidFlags(connection, organizationId, payoutIds);
  await saveRunStatus(connection, organizationId, id, 'failed');
}
