import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { lockDecisionOrderAsWorker } from '#programs/store/decision-order.ts';
import { findDue, saveDueApprovals } from '../store/due-approvals.ts';
import { reviseConversions } from '#attribution/reactions/revise-conversions.ts';
import { lockTransactions } from '#sales/store/transactions.ts';

/**
 * Finds up to `limit` conversions whose `approveAfterDays` have passed, and approves all due conversions of their
 * transactions, in the caller's transaction. Pending refunds are applied first, under the same locks. So no conversion
 * is approved for more than its worth, and no approval waits for a pending refund. Returns the number of transactions,
 * or 0 if the lock of the decision order is busy.
 */
export async function approveDue(tenant: Tenant<Connection>, limit: number): Promise<number> {
  // Take the lock of the decision order first. Applying a refund reduces the amounts that count toward the caps and
  // tiers of later decisions.
  if ((await lockDecisionOrderAsWorker(tenant)) === 'busy') return 0;
  const due = await findDue(tenant, limit);
  await lockTransactions(tenant, due);
  await reviseConversions(tenant, due);
  await saveDueApprovals(tenant, due);
  return due.length;
}
