import { type EventId, MAX_ID, type OrganizationId, type TransactionId } from '#core/ids.ts';
import type { Sight } from '../domain/placed-award.ts';
import { decideSale } from '../domain/sale-decision.ts';
import { loadAwardHistory } from '../store/award-counters.ts';
import { type Connection, type Database, inSnapshot, planSteadily } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { DecidedSale } from '../store/decisions.ts';
import { type Difference, findDifferences, findNextDecided } from '../store/recorded-decisions.ts';
import { findIrreproducible, lockVisits } from '#tracking/store/retention.ts';
import { loadDecidedSales, type ReportedSale } from '../store/reported-sales.ts';
import { candidatesOf, countersOf, type EarnedHistory, earnedHistory } from './earned-before.ts';
import { loadFacts, type ProgramVersionCache, type SaleFacts } from './load-facts.ts';

export type Replay = {
  readonly decided: number;
  /** The number of transactions that were not decided again, for example because retention deleted their visits. */
  readonly leftOut: number;
  readonly differences: readonly Difference[];
};

const BATCH_SIZE = 500;
/** The maximum number of differences that a replay returns. */
export const MAX_DIFFERENCES = 20;

/**
 * Decides sales, leads and renewals again, and compares the results with the recorded decisions. It uses the event log,
 * the configuration at each event and the decision's position in the decision sequence. It runs read-only on one
 * consistent snapshot, and stops after MAX_DIFFERENCES differences. Transactions whose visits were deleted by retention
 * are skipped and counted. `onBatch` receives the number of processed transactions.
 */
export function replaySales(database: Database, onBatch: (decided: number) => void = () => {}): Promise<Replay> {
  return inSnapshot(database, async (connection) => {
    await lockVisits(connection);
    await planSteadily(connection);
    const versions: ProgramVersionCache = new Map();
    const differences: Difference[] = [];
    let decided = 0;
    let leftOut = 0;
    let place = { organizationId: 0 as OrganizationId, transactionId: 0 as TransactionId };
    for (;;) {
      const batch = await findNextDecided(connection, place, BATCH_SIZE);
      if (batch === undefined || differences.length >= MAX_DIFFERENCES) break;
      const { organizationId, transactionIds } = batch;
      const irreproducible = await findIrreproducible({ connection, organizationId }, transactionIds);
      const comparable = transactionIds.filter((id) => !irreproducible.has(id));
      const again = await decideAgain({ connection, organizationId }, comparable, versions);
      differences.push(...(await findDifferences({ connection, organizationId }, again)));
      decided += comparable.length;
      leftOut += irreproducible.size;
      onBatch(decided + leftOut);
      place = { organizationId, transactionId: transactionIds.at(-1) ?? place.transactionId };
    }
    return { decided, leftOut, differences: differences.slice(0, MAX_DIFFERENCES) };
  });
}

async function decideAgain(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
  versions: ProgramVersionCache,
): Promise<DecidedSale[]> {
  const sales = await loadDecidedSales(tenant, transactionIds);
  const facts = await loadFacts(tenant, sales, versions);
  const decided: DecidedSale[] = [];
  for (const alike of Map.groupBy(facts, ({ sale }) => sale.isAsOfEvent).values()) {
    const earned = await loadHistory(tenant, alike);
    for (const each of alike) {
      const { sale, lines, unengaged } = each;
      const candidates = candidatesOf(each, earned.at(sightOf(sale)));
      decided.push({ ...sale, decision: decideSale({ ...sale, lines }, candidates, unengaged) });
    }
  }
  return decided;
}

/**
 * Returns the sums that the caps and tiers of each decision counted. Reads the sums from the conversions instead of
 * adding them up across decisions. `isAsOfEvent` must be the same for all decisions.
 */
async function loadHistory(tenant: Tenant<Connection>, facts: readonly SaleFacts[]): Promise<EarnedHistory> {
  const counters = countersOf(facts);
  const sights = facts.map(({ sale }) => sightOf(sale));
  const history = await loadAwardHistory(tenant, [...counters.values()], {
    first: cornerOf(sights, Math.min),
    last: cornerOf(sights, Math.max),
    isAsOfEvent: facts.every(({ sale }) => sale.isAsOfEvent),
  });
  return earnedHistory(counters, history);
}

/**
 * Returns the position of a decision. Decisions of older releases used only the decision sequence, so they count awards
 * of all events.
 */
function sightOf({ eventId, seq, isAsOfEvent }: ReportedSale): Sight {
  return { eventId: isAsOfEvent ? eventId : (MAX_ID as EventId), seq };
}

function cornerOf(sights: readonly Sight[], choose: (...numbers: number[]) => number): Sight {
  return {
    eventId: choose(...sights.map(({ eventId }) => eventId)),
    seq: choose(...sights.map(({ seq }) => seq)),
  } as Sight;
}
