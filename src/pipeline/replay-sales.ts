import type { OrganizationId, Tick, TransactionId } from '#domain/ids.ts';
import { decideSale, type Earned } from '#domain/sale-decision.ts';
import { loadAwardHistory } from '#store/award-counters.ts';
import { type Connection, type Database, inSnapshot, planSteadily } from '#store/database.ts';
import type { DecidedSale } from '#store/decisions.ts';
import { type Difference, findDifferences, nextDecided } from '#store/recorded-decisions.ts';
import { findBeyondMemory, holdVisits } from '#store/retention.ts';
import { loadDecidedSales } from '#store/sale-facts.ts';
import { candidatesOf, countersOf, plus } from './earned-before.ts';
import { loadFacts, type ProgramVersionCache, type SaleFacts } from './load-facts.ts';

export type Replay = {
  readonly decided: number;
  /** Those whose visits are not kept any more: they can't be decided again. */
  readonly leftOut: number;
  readonly differences: readonly Difference[];
};

const BATCH_SIZE = 500;
/** Differences that are told; the rest is as wrong. */
const MAX_DIFFERENCES = 20;

/**
 * Decides every sale, lead and renewal again, from the event log, the configuration that its event names and the tick of
 * its decision, and compares: on one consistent snapshot, read-only. What retention has taken the visits of is left out,
 * and counted. `onBatch` hears how many are done.
 */
export function replaySales(database: Database, onBatch: (decided: number) => void = () => {}): Promise<Replay> {
  return inSnapshot(database, async (connection) => {
    await holdVisits(connection);
    await planSteadily(connection);
    const versions: ProgramVersionCache = new Map();
    const differences: Difference[] = [];
    let decided = 0;
    let leftOut = 0;
    let place = { organizationId: 0 as OrganizationId, transactionId: 0 as TransactionId };
    for (;;) {
      const batch = await nextDecided(connection, place, BATCH_SIZE);
      if (batch === undefined || differences.length >= MAX_DIFFERENCES) break;
      const { organizationId, transactionIds } = batch;
      const beyond = await findBeyondMemory(connection, organizationId, transactionIds);
      const told = transactionIds.filter((id) => !beyond.has(id));
      const again = await decideAgain(connection, organizationId, told, versions);
      differences.push(...(await findDifferences(connection, organizationId, again)));
      decided += told.length;
      leftOut += beyond.size;
      onBatch(decided + leftOut);
      place = { organizationId, transactionId: transactionIds.at(-1) ?? place.transactionId };
    }
    return { decided, leftOut, differences: differences.slice(0, MAX_DIFFERENCES) };
  });
}

async function decideAgain(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
  versions: ProgramVersionCache,
): Promise<DecidedSale[]> {
  const sales = await loadDecidedSales(connection, organizationId, transactionIds);
  const facts = await loadFacts(connection, organizationId, sales, versions);
  const history = await loadHistory(connection, organizationId, facts);
  return facts.map((each) => {
    const { sale, lines, unengaged } = each;
    const candidates = candidatesOf(each, history(sale.tick));
    return { ...sale, decision: decideSale({ ...sale, lines }, candidates, unengaged) };
  });
}

/**
 * What caps and tiers counted at each tick: not added up from decision to decision, but told by the conversions of lower
 * ticks. To be asked with rising ticks, as the facts come.
 */
async function loadHistory(
  connection: Connection,
  organizationId: OrganizationId,
  facts: readonly SaleFacts[],
): Promise<(tick: Tick) => (key: string) => Earned | undefined> {
  const counters = countersOf(facts);
  const [first, last] = [facts[0]?.sale.tick, facts.at(-1)?.sale.tick];
  if (counters.size === 0 || first === undefined || last === undefined) return () => () => undefined;
  const keys = [...counters.keys()];
  const loaded = await loadAwardHistory(connection, organizationId, [...counters.values()], first, last);
  const earned = new Map(keys.map((key, n) => [key, loaded.earned[n] as Earned]));
  const changes = loaded.changes.toSorted((a, b) => a.tick - b.tick);
  let next = 0;
  return (tick) => {
    for (let change = changes[next]; change !== undefined && change.tick < tick; change = changes[next]) {
      const key = keys[change.n] as string;
      earned.set(key, plus(earned.get(key), change.sum, change.count));
      next += 1;
    }
    return (key) => earned.get(key);
  };
}
