import type { ProgramId, TransactionId } from '#core/ids.ts';
import { completeEngagements } from '../store/engagement-credits.ts';
import { loadDecidedSales } from '../store/reported-sales.ts';
import { closingsOf } from './decide-sales.ts';
import { loadFacts, type ProgramVersionCache } from './load-facts.ts';
import type { ApplyRecorded } from './react-to-events.ts';

/**
 * Returns a function that completes the engagements which recorded decisions had completed. `completing` has the
 * programs of these engagements by transaction. The recorded decisions must be in the scratch books.
 */
export function completeAsRecorded(
  completing: ReadonlyMap<TransactionId, ReadonlySet<ProgramId>>,
  versions: ProgramVersionCache,
): ApplyRecorded {
  return async (tenant, transactionIds) => {
    const recorded = transactionIds.filter((id) => completing.has(id));
    if (recorded.length === 0) return;
    const facts = await loadFacts(tenant, await loadDecidedSales(tenant, recorded), versions);
    const closings = facts.flatMap((each) => closingsOf(completing.get(each.sale.transactionId) ?? new Set(), each));
    if (closings.length > 0) await completeEngagements(tenant, closings);
  };
}
