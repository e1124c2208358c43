import type { Complain, Complaint } from '#tools/traffic/complaint.ts';
import { diceOf } from '#tools/traffic/random.ts';
import { waitUntil } from '#tools/traffic/until.ts';
import { checkBooks, checkReports } from './check.ts';
import type { Fault } from './fault.ts';
import { type Load, startLoad } from './load.ts';
import type { System } from './system.ts';

/** The result of one iteration. */
export type Seen = {
  readonly seed: number;
  readonly acknowledged: number;
  /** The number of unknown outcomes by cause. */
  readonly unknown: ReadonlyMap<string, number>;
  /**
   * The time in milliseconds from the end of the fault until every API process had accepted a sale and these sales were
   * decided.
   */
  readonly healedMs: number;
  readonly slowest503Ms: number;
  readonly lostAnswers: number;
  /** Whether the load ended and the books were checked. If not, the absence of complaints means nothing. */
  readonly isWhole: boolean;
  readonly complaints: Complaint[];
};

/** The number of reports that are acknowledged before the fault begins: at least `least`, and fewer than `most`. */
const BEFORE = { least: 60, most: 300 };
/** The number of further reports that must be acknowledged after the recovery. */
const AFTER = 100;
const DECIDED_WITHIN_MS = 30_000;

/**
 * Runs one iteration: a load, the fault, recovery, and the check of the books. Returns all complaints in its result.
 * Events that are not decided in time are reported as undecided.
 */
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
  let isWhole = false;
  try {
    await load.acknowledged(BEFORE.least + dice.roll(BEFORE.most - BEFORE.least));
    await fault.run(system, dice, load);
    healedMs = await waitUntilHealed(system, load, decidedWithinMs, complain);
    await load.acknowledged(AFTER);
    await load.stop();
    await checkReports(system.database, load, complain);
    await load.settle();
    await waitUntilDecided(system, load, decidedWithinMs, complain);
    await checkBooks(system.database, load, complain);
    isWhole = true;
  } catch (error) {
    complain('failed', (error as Error).stack ?? String(error));
    await load.stop().catch(() => {});
  }
  for (const words of system.casualties.slice(casualtiesBefore)) complain('failed', words);
  if (healedMs > fault.healsWithinMs) {
    complain('failed', `the recovery took ${Math.round(healedMs)} ms, but may take at most ${fault.healsWithinMs} ms`);
  }
  const { acknowledged, unknowns, slowest503 } = load.tally;
  const seen: Seen = {
    seed,
    acknowledged,
    unknown: unknowns,
    healedMs,
    slowest503Ms: slowest503,
    lostAnswers: system.line.lostAnswers() - lostBefore,
    isWhole,
    complaints,
  };
  for (const words of fault.complaints?.(seen) ?? []) complain('failed', words);
  return seen;
}

/**
 * Waits until an order through each API process is accepted and decided. Reports a timeout as undecided. Returns the
 * duration in milliseconds.
 */
async function waitUntilHealed(system: System, load: Load, withinMs: number, complain: Complain): Promise<number> {
  const began = performance.now();
  const names = await Promise.all(system.apis.map(load.sellThrough));
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
  await waitUntil(areDecided, 'new sales are decided', withinMs).catch(reportUndecided(complain));
  return performance.now() - began;
}

async function waitUntilDecided(
  { database }: System,
  { shop }: Load,
  withinMs: number,
  complain: Complain,
): Promise<void> {
  const nothingWaits = async (): Promise<boolean> => {
    const { rows } = await database.query<{ waiting: number }>(
      'select count(*) as waiting from jobs where organization_id = $1 and dead_lettered_at is null',
      [shop.organizationId],
    );
    return rows[0]?.waiting === 0;
  };
  await waitUntil(nothingWaits, 'everything is decided', withinMs).catch(reportUndecided(complain));
}

/**
 * Returns a handler that reports a timeout and lets the iteration continue. The check of the books then names the
 * undecided events.
 */
function reportUndecided(complain: Complain): (error: Error) => void {
  return ({ message }) => complain('undecided', message);
}
