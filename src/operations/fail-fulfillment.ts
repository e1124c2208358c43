import { failRun } from '#domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId, PayoutId } from '#domain/ids.ts';
import { release } from '#domain/payout.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { loadRunPayouts, lockRun, saveRunStatus } from '#store/fulfillments.ts';
import { lockPaidObligations, saveObligationChanges, saveVoid, voidFlags } from '#store/payout-reviews.ts';
import { type FulfillmentResource, fulfillments } from '#store/read/fulfillments.ts';
import { readOne } from '#store/read/page.ts';
import type { RunMoving } from './process-fulfillment.ts';

/** A run was not paid: its payouts are void, and what they held is pending again at what it is worth now. */
export function failFulfillment(
  database: Database,
  organizationId: OrganizationId,
  id: FulfillmentId,
): Promise<RunMoving> {
  return inTransaction(database, async (connection) => {
    const status = await lockRun(connection, organizationId, id);
    if (status === undefined) return { kind: 'unknown' };
    const payouts = await loadRunPayouts(connection, organizationId, id);
    const move = failRun(status, payouts);
    if (move === 'forbidden') return { kind: 'forbidden', status };
    if (move === 'paid') return { kind: 'paid' };
    if (move === 'changed') {
      const payoutIds = payouts.map(({ payoutId }) => payoutId);
      await giveBack(connection, organizationId, id, payoutIds);
    }
    const fulfillment = (await readOne(connection, organizationId, fulfillments, { id })) as FulfillmentResource;
    return { kind: 'moved', fulfillment };
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
