import type { ConversionId } from '#core/ids.ts';
import { settle } from '#ledger/domain/obligation.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { loadOwed, loadWorths, saveSettled } from '../store/revisions.ts';

/**
 * Adjusts the obligations of conversions to the current worth of the conversions. Used after payouts have released
 * obligations and their flags have become void. The transactions of the conversions must be locked.
 */
export async function settleConversions(
  tenant: Tenant<Connection>,
  conversionIds: readonly ConversionId[],
): Promise<void> {
  if (conversionIds.length === 0) return;
  const owed = await loadOwed(tenant, conversionIds);
  const settled = (await loadWorths(tenant, conversionIds)).map(({ worth, ...of }) => {
    const debt = owed.get(of.conversionId);
    if (debt === undefined) throw new Error(`conversion ${of.conversionId} has no obligation`);
    // The released obligations cover the amounts of the void flags, so no payout is flagged, and the reason is unused.
    return { ...of, changes: settle(debt, worth, 'rejected') };
  });
  await saveSettled(tenant, settled);
}
