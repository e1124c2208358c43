import type { OrganizationId } from '#domain/ids.ts';
import { type Database, inTransaction, isUnavailable } from '#store/database.ts';
import { type Job, nextTurn, recordFailure } from '#store/jobs.ts';
import { followGrowth } from '#store/statistics.ts';
import { approveDue } from './approve-due.ts';
import { type ChoreOutcome, startChores } from './chores.ts';
import { forgetSome } from './forget.ts';
import { gathering } from './gathering.ts';
import type { ProgramVersionCache } from './load-facts.ts';
import { claimAndReact } from './react-to-events.ts';
import { sealLedger } from './seal-ledger.ts';
import { figureSumming } from './sum-figures.ts';

export type Worker = {
  /** Says that there may be work now; never waits. */
  readonly wake: () => void;
  /** Resolves once nothing is left that could be done now. */
  readonly idle: () => Promise<void>;
  /** Finishes the batch in hand and ends. */
  readonly stop: () => Promise<void>;
  readonly isRunning: () => boolean;
};

export type WorkerOptions = {
  readonly onParked?: (organizationId: OrganizationId, job: Job, error: unknown) => void;
  readonly onFailure?: (error: unknown) => void;
  readonly batchSize?: number;
  readonly gatheringMs?: number;
  /** 0: for ever. */
  readonly visitRetentionDays?: number;
};

const BATCH_SIZE = 500;
/**
 * Under a steady stream of reports it looks at an organization no sooner again, so that a batch is more than the two or
 * three sales that came in meanwhile: a batch of three costs as much as one of thirty. Who was quiet until now, and a
 * batch that was full, waits for nothing.
 */
const GATHERING_MS = 25;
/** After work it looks again so soon, then after twice the time, until it leaves looking to the lookout. */
const BUSY_POLL_MS = 50;
const LONGEST_POLL_MS = 1_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** How often what is new in the ledger goes into its chain. */
const SEALING_MS = 1_000;
/** How often what is kept for a time only is looked through: as long as nothing has had its time, less and less often. */
const FORGETTING_MS = 60_000;
const RAREST_FORGETTING_MS = 3_600_000;
/** How often facts are added to the sums of figures; after a silence visits, which wake nobody, wait for longer. */
const SUMMING_MS = 60_000;
const RAREST_SUMMING_MS = 300_000;
/** How often a worker that is busy looks whether tables have outgrown their statistics. */
const GROWTH_CHECK_MS = 250;

/**
 * Works off jobs, a batch of one organization in one transaction: claim, lock, load, decide, save. Any number of workers
 * may share a database. A batch that fails is done again one by one, so that only the event that is at fault waits for
 * its next attempt, or is parked with its error. In a quiet time it waits to be woken: see lookout.ts.
 */
export function startWorker(database: Database, options: WorkerOptions = {}): Worker {
  const versions: ProgramVersionCache = new Map();
  const batchSize = options.batchSize ?? BATCH_SIZE;
  const { beginRound, noteFull, hurry } = gathering(options.gatheringMs ?? GATHERING_MS);
  let limit = batchSize;
  /** Of organizations in which somebody waited: what is given back was claimed in vain, and there may be others behind them. */
  const waitedFor = new Map<OrganizationId, number>();
  let stopping = false;
  let running = true;
  let awake = true;
  let resume: (() => void) | undefined;
  let idleWaiters: (() => void)[] = [];
  /** At first the last of all, so that the first turn begins a round. */
  let previous = Number.MAX_SAFE_INTEGER as OrganizationId;
  let growthCheckedAt = 0;
  let sealedAt = 0;
  const chores = startChores(
    [
      { run: forget, everyMs: FORGETTING_MS, rarestMs: RAREST_FORGETTING_MS },
      { run: figureSumming(database), everyMs: SUMMING_MS, rarestMs: RAREST_SUMMING_MS },
    ],
    options.onFailure,
  );

  const loop = run();
  return {
    wake,
    isRunning: () => running,
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        wake();
        hurry();
      }),
    stop: async () => {
      stopping = true;
      wake();
      hurry();
      await loop;
    },
  };

  function wake(): void {
    awake = true;
    resume?.();
  }

  async function run(): Promise<void> {
    let pause = Infinity;
    while (!stopping) {
      awake = false;
      const waiters = idleWaiters;
      idleWaiters = [];
      try {
        const turn = await takeTurn(waiters.length > 0);
        if (turn === 'nothing-waits') {
          for (const resolve of waiters) resolve();
        } else {
          idleWaiters.push(...waiters);
          // Where another worker holds all that waits there is nothing to do but to look again soon.
          pause = BUSY_POLL_MS;
        }
        if (turn === 'worked') {
          chores.noteWork();
          continue;
        }
      } catch (error) {
        options.onFailure?.(error);
        idleWaiters.push(...waiters);
        pause = PAUSE_AFTER_FAILURE_MS;
        chores.postpone(pause);
        awake = false;
      }
      if (!awake && !stopping) await sleep(pause);
      // Soon after work there may be more of other processes, which can't wake this one.
      pause = pause < LONGEST_POLL_MS ? pause * 2 : Infinity;
    }
    running = false;
    for (const resolve of idleWaiters) resolve();
  }

  /**
   * A batch of jobs of the next organization, and one of approvals that are due; once a second the ledger's chain, now and
   * then what is kept for a time only, and the sums of figures.
   */
  async function takeTurn(isHurried: boolean): Promise<'worked' | 'others-work' | 'nothing-waits'> {
    const { jobsOf, approvalsOf, unsealed } = await nextTurn(database, previous);
    if (unsealed && performance.now() - sealedAt > SEALING_MS) {
      sealedAt = performance.now();
      // What is to be decided doesn't wait for it: a failure is told, and the next second tries again.
      await sealLedger(database).catch(options.onFailure);
    }
    await chores.doDue();
    if (jobsOf === null && approvalsOf === null) return 'nothing-waits';
    // Before the work, not after it: what makes a batch fail for want of time may be a plan that growth has left behind.
    if (performance.now() - growthCheckedAt > GROWTH_CHECK_MS) {
      await followGrowth(database);
      growthCheckedAt = performance.now();
    }
    let done = 0;
    if (jobsOf !== null) {
      // All organizations with jobs have had their turn.
      if (jobsOf <= previous) await beginRound(isHurried || stopping || idleWaiters.length > 0);
      previous = jobsOf;
      const asked = limitOf(jobsOf);
      done += await workOff(jobsOf);
      if (done >= asked) noteFull();
    }
    if (approvalsOf !== null) {
      done += await inTransaction(database, (connection) => approveDue(connection, approvalsOf, batchSize));
    }
    return done === 0 ? 'others-work' : 'worked';
  }

  async function forget(): Promise<ChoreOutcome> {
    const { forgotten, isMore } = await forgetSome(database, options.visitRetentionDays);
    if (isMore) return 'more';
    return forgotten === 0 ? 'none' : 'some';
  }

  /** Until it is woken, or at most so long; a chore may be due before that. */
  function sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(wakeUp, Math.max(0, Math.min(milliseconds, chores.dueIn())));
      resume = wakeUp;
      function wakeUp(): void {
        clearTimeout(timer);
        resume = undefined;
        resolve();
      }
    });
  }

  function limitOf(organizationId: OrganizationId): number {
    return Math.min(limit, waitedFor.get(organizationId) ?? batchSize);
  }

  /** Half as many while somebody waits, then twice as many each time. */
  function noteWaiting(organizationId: OrganizationId, asked: number, didWait: boolean): void {
    if (didWait) waitedFor.set(organizationId, Math.max(1, asked >> 1));
    else if (asked * 2 >= batchSize) waitedFor.delete(organizationId);
    else if (waitedFor.has(organizationId)) waitedFor.set(organizationId, asked * 2);
  }

  /** Answers how many jobs it claimed; some may have been given back. */
  async function workOff(organizationId: OrganizationId): Promise<number> {
    const claimed: Job[] = [];
    const asked = limitOf(organizationId);
    try {
      const count = await inTransaction(database, (connection) => {
        claimed.length = 0;
        return claimAndReact(connection, organizationId, asked, versions, claimed);
      });
      noteWaiting(organizationId, asked, claimed.length < count);
      limit = Math.min(limit * 2, batchSize);
      return count;
    } catch (error) {
      // Less at a time where the database can't do as much in the time that a statement has.
      limit = Math.max(1, limit >> 2);
      if (isUnavailable(error) || claimed.length === 0) throw error;
      let done = 0;
      // No more than failed together: what has come since then goes together again.
      while (done < claimed.length && !stopping && (await workOffOne(organizationId))) done += 1;
      return done;
    }
  }

  /** Answers whether there was one. */
  async function workOffOne(organizationId: OrganizationId): Promise<boolean> {
    const claimed: Job[] = [];
    try {
      await inTransaction(database, (connection) => {
        claimed.length = 0;
        return claimAndReact(connection, organizationId, 1, versions, claimed);
      });
    } catch (error) {
      const [job] = claimed;
      if (isUnavailable(error) || job === undefined) throw error;
      const outcome = await recordFailure(database, organizationId, job.eventId, describe(error));
      if (outcome === 'parked') options.onParked?.(organizationId, job, error);
    }
    return claimed.length > 0;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
