import type { OrganizationId } from '#domain/ids.ts';
import type { Connection } from '#store/database.ts';
import { holdDecisionOrderAsWorker } from '#store/decision-order.ts';
import { findDue, saveDueApprovals } from '#store/due-approvals.ts';
import { lockTransactions } from '#store/sale-facts.ts';
import { reviseConversions } from './revise-conversions.ts';

/**
 * Approves up to `limit` conversions whose `approveAfterDays` have passed, in the caller's transaction. Refunds that the
 * pipeline has yet to work off are reacted to first, under the same locks: nothing is approved for more than it is worth,
 * and nothing has to wait for a later turn. Answers of how many transactions.
 */
export async function approveDue(
  connection: Connection,
  organizationId: OrganizationId,
  limit: number,
): Promise<number> {
  // A refund that is reacted to here takes back what counts for the caps and tiers of later decisions.
  await holdDecisionOrderAsWorker(connection, organizationId);
  const due = await findDue(connection, organizationId, limit);
  await lockTransactions(connection, organizationId, due);
  await reviseConversions(connection, organizationId, due);
  await saveDueApprovals(connection, organizationId, due);
  return due.length;
}
