import { checkBooks, checkReports } from './books.ts';
import type { Complain, Complaint } from './complaint.ts';
import type { Fault } from './fault.ts';
import { type Load, startLoad, until } from './load.ts';
import type { System } from './system.ts';
import { diceOf } from '#test/support/random.ts';

/** What one trial came to. */
export type Seen = {
  readonly seed: number;
  readonly orders: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** Answers that left open what was done, by what they were. */
  readonly unknown: ReadonlyMap<string, number>;
  /** Reports of those that were sent again at the end. */
  readonly resent: number;
  /** From the end of the cause until every process took sales, and they were decided. */
  readonly healedMs: number;
  readonly slowest503Ms: number;
  readonly lostAnswers: number;
  /** That its load ended and its books were looked at; where not, they say nothing. */
  readonly isWhole: boolean;
  readonly complaints: Complaint[];
};

/** Reports that are acknowledged before the fault, at least and at most, and after it. */
const BEFORE = { least: 60, most: 300 };
const AFTER = 100;
const DECIDED_WITHIN_MS = 30_000;

/** A load, the fault amid it, healing, and the books; what is not decided in time is undecided. */
export async function tryFault(
  system: System,
  fault: Fault,
  seed: number,
  decidedWithinMs = DECIDED_WITHIN_MS,
): Promise<Seen> {
  const complaints: Complaint[] = [];
  const complain: Complain = (kind, words) => {
    if (fault.isKnown?.(words) !== true) complaints.push({ kind, words });
  };
  const dice = diceOf(seed);
  const lostBefore = system.line.lostAnswers();
  const casualtiesBefore = system.casualties.length;
  const load = await startLoad(system, seed, complain);
  let healedMs = 0;
  let resent = 0;
  let isWhole = false;
  try {
    await load.acknowledged(BEFORE.least + dice.roll(BEFORE.most - BEFORE.least));
    await fault.run(system, dice, load);
    healedMs = await heal(system, load, decidedWithinMs, complain);
    await load.acknowledged(AFTER);
    await load.stop();
    await checkReports(system.database, load, complain);
    resent = await load.settle();
    await decided(system, load, decidedWithinMs, complain);
    await checkBooks(system.database, load, complain);
    isWhole = true;
  } catch (error) {
    complain('failed', (error as Error).stack ?? String(error));
    await load.stop().catch(() => {});
  }
  for (const words of system.casualties.slice(casualtiesBefore)) complain('failed', words);
  if (healedMs > fault.healsWithinMs) {
    complain('failed', `it took ${Math.round(healedMs)} ms to heal, and should take ${fault.healsWithinMs} at most`);
  }
  const { acknowledged, refused, unknowns, slowest503 } = load.tally;
  const seen: Seen = {
    seed,
    orders: load.stories.filter((story) => story.isSold).length,
    acknowledged,
    refused,
    unknown: unknowns,
    resent,
    healedMs,
    slowest503Ms: slowest503,
    lostAnswers: system.line.lostAnswers() - lostBefore,
    isWhole,
    complaints,
  };
  for (const words of fault.complaints?.(seen) ?? []) complain('failed', words);
  return seen;
}

/** An order by each process, and all of them decided. */
async function heal(system: System, load: Load, withinMs: number, complain: Complain): Promise<number> {
  const began = performance.now();
  const orders = await Promise.all(
    system.apis.map((api) => load.order((caller) => (report) => caller.sendTo(api, report))),
  );
  const names = orders.map(({ externalId }) => externalId);
  const areDecided = async (): Promise<boolean> => {
    const { rows } = await system.database
      .query<{ n: number }>(
        `select count(*) as n from transactions t
         where t.organization_id = $1 and t.external_id = any ($2)
           and exists (select from conversions c where c.organization_id = t.organization_id and c.transaction_id = t.id)`,
        [load.shop.organizationId, names],
      )
      .catch(() => ({ rows: [] }));
    return rows[0]?.n === names.length;
  };
  await until(areDecided, 'new sales are decided', withinMs).catch(undecided(complain));
  return performance.now() - began;
}

async function decided({ database }: System, { shop }: Load, withinMs: number, complain: Complain): Promise<void> {
  const nothingWaits = async (): Promise<boolean> => {
    const { rows } = await database.query<{ waiting: number }>(
      'select count(*) as waiting from jobs where organization_id = $1 and parked_at is null',
      [shop.organizationId],
    );
    return rows[0]?.waiting === 0;
  };
  await until(nothingWaits, 'everything is decided', withinMs).catch(undecided(complain));
}

/** Books are looked at all the same: they say what it is. */
function undecided(complain: Complain): (error: Error) => void {
  return ({ message }) => complain('undecided', message);
}
