import type { OrganizationId, TransactionId } from '#domain/ids.ts';
import { decideSale } from '#domain/sale-decision.ts';
import { countAwardsAt } from '#store/award-counters.ts';
import { type Connection, type Database, inSnapshot } from '#store/database.ts';
import type { DecidedSale } from '#store/decisions.ts';
import { type Difference, findDifferences, nextDecided } from '#store/recorded-decisions.ts';
import { loadDecidedSales } from '#store/sale-facts.ts';
import { earnedBefore } from './earned-before.ts';
import { loadFacts, type ProgramVersionCache } from './load-facts.ts';

export type Replay = { readonly decided: number; readonly differences: readonly Difference[] };

const BATCH_SIZE = 500;
/** Differences that are told; the rest is as wrong. */
const MAX_DIFFERENCES = 20;

/**
 * Decides every sale, lead and renewal again, from the event log, the configuration that its event names and the tick of
 * its decision, and compares: on one consistent snapshot, read-only. `onBatch` hears how many are done.
 */
export function replaySales(database: Database, onBatch: (decided: number) => void = () => {}): Promise<Replay> {
  return inSnapshot(database, async (connection) => {
    const versions: ProgramVersionCache = new Map();
    const differences: Difference[] = [];
    let decided = 0;
    let place = { organizationId: 0 as OrganizationId, transactionId: 0 as TransactionId };
    for (;;) {
      const batch = await nextDecided(connection, place, BATCH_SIZE);
      if (batch === undefined || differences.length >= MAX_DIFFERENCES) break;
      const { organizationId, transactionIds } = batch;
      const again = await decideAgain(connection, organizationId, transactionIds, versions);
      differences.push(...(await findDifferences(connection, organizationId, again)));
      decided += transactionIds.length;
      onBatch(decided);
      place = { organizationId, transactionId: transactionIds.at(-1) ?? place.transactionId };
    }
    return { decided, differences: differences.slice(0, MAX_DIFFERENCES) };
  });
}

async function decideAgain(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
  versions: ProgramVersionCache,
): Promise<DecidedSale[]> {
  const sales = await loadDecidedSales(connection, organizationId, transactionIds);
  const again: DecidedSale[] = [];
  for (const facts of await loadFacts(connection, organizationId, sales, versions)) {
    const { sale, lines, unengaged } = facts;
    // Not added up from decision to decision: what each saw is counted from the conversions of lower ticks.
    const earned = await earnedBefore([facts], (counters) =>
      countAwardsAt(connection, organizationId, sale.tick, counters),
    );
    again.push({ ...sale, decision: decideSale({ ...sale, lines }, earned.candidates(facts), unengaged) });
  }
  return again;
}
