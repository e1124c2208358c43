import type { ConversionId } from '#core/ids.ts';
import { settle } from '#ledger/domain/obligation.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { loadOwed, loadWorths, saveSettled } from '../store/revisions.ts';

/**
 * Adjusts the obligations of each conversion to its current worth. Used after payouts have released obligations and the
 * flags of those payouts have become void. The caller must have locked the conversions' transactions.
 */
export async function settleConversions(
  tenant: Tenant<Connection>,
  conversionIds: readonly ConversionId[],
): Promise<void> {
  if (conversionIds.length === 0) return;
  const owed = await loadOwed(tenant, conversionIds);
  const settled = (await loadWorths(tenant, conversionIds)).map(({ worth, ...of }) => {
    const debt = owed.get(of.conversionId);
    if (debt === undefined) throw new Error(`Conversion ${of.conversionId} has no obligation.`);
    // The released obligations cover the amounts of the void flags. `settle` therefore flags no payout and doesn't use
    // the reason.
    return { ...of, changes: settle(debt, worth, 'rejected') };
  });
  await saveSettled(tenant, settled);
}
