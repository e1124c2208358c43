import { failRun } from '../domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId, PayoutId } from '#core/ids.ts';
import { releaseSteps } from '../domain/payout.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import { loadRunPayouts, saveRunStatus } from '../store/fulfillments.ts';
import { lockPaidObligations, saveObligationChanges, saveVoid, voidFlags } from '../store/payout-reviews.ts';
import { moveRun, type RunMoving } from './move-run.ts';

/**
 * Fails a run that was not paid. Its payouts become void, and their obligations are pending again with their current
 * worth.
 */
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
  for (const step of releaseSteps(held)) await saveObligationChanges(connection, organizationId, step);
  await saveVoid(connection, organizationId, id);
  await voidFlags(connection, organizationId, payoutIds);
  await saveRunStatus(connection, organizationId, id, 'failed');
}
