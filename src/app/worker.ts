import type { OrganizationId } from '#core/ids.ts';
import { type Database, inTransaction, isUnavailable } from '#platform/postgres/database.ts';
import { type Job, nextTurn, recordFailure } from '#platform/worker/jobs.ts';
import { followGrowth } from '#platform/postgres/statistics.ts';
import { approveDue } from '#payouts/reactions/approve-due.ts';
import { type ChoreOutcome, startChores } from '#platform/worker/chores.ts';
import { forgetSome } from '#privacy/reactions/forget.ts';
import { gathering } from '#attribution/reactions/gathering.ts';
import type { ProgramVersionCache } from '#attribution/reactions/load-facts.ts';
import { claimAndReact } from '#attribution/reactions/react-to-events.ts';
import { sealLedger } from '#ledger/reactions/seal-ledger.ts';
import { figureSumming } from '#reporting/reactions/sum-figures.ts';

export type Worker = {
  /** Signals that there may be work. Never waits. */
  readonly wake: () => void;
  /** Resolves once no work is left that can be done now. */
  readonly idle: () => Promise<void>;
  /** Finishes the current batch and stops. */
  readonly stop: () => Promise<void>;
  readonly isRunning: () => boolean;
};

export type WorkerOptions = {
  readonly onParked?: (organizationId: OrganizationId, job: Job, error: unknown) => void;
  readonly onFailure?: (error: unknown) => void;
  readonly batchSize?: number;
  readonly gatheringMs?: number;
  /** 0 keeps visits forever. */
  readonly visitRetentionDays?: number;
  /** The maximum age of a report's `occurredAt`, in days. */
  readonly lateReportDays?: number;
};

const BATCH_SIZE = 500;
/**
 * The minimum time between two rounds under a steady stream of reports. Without it, a batch would hold only the two or
 * three sales that arrived meanwhile. A batch of three costs as much as one of thirty. An idle organization, and one
 * whose last batch was full, don't wait.
 */
const GATHERING_MS = 25;
/**
 * After work, the worker looks again after this time, then after twice as long each time. Beyond LONGEST_POLL_MS it
 * relies on the poller.
 */
const BUSY_POLL_MS = 50;
const LONGEST_POLL_MS = 1_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** How often new ledger entries are linked into the chain. */
const SEALING_MS = 1_000;
/** How often expired data is deleted. The interval grows up to RAREST_FORGETTING_MS while nothing expires. */
const FORGETTING_MS = 60_000;
const RAREST_FORGETTING_MS = 3_600_000;
/**
 * How often facts are added to the sums of figures. After an idle period, visits may wait longer, because they don't
 * wake the worker.
 */
const SUMMING_MS = 60_000;
const RAREST_SUMMING_MS = 300_000;
/** How often a busy worker checks whether tables have outgrown their statistics. */
const GROWTH_CHECK_MS = 250;

/**
 * Starts the worker. It processes jobs in batches of one organization, each in one transaction: claim, lock, load,
 * decide, save. Any number of workers may share a database.
 *
 * If a batch fails, its jobs are processed one by one. Only the event that fails waits for its next attempt, or is
 * dead-lettered with its error. When idle, the worker waits until the poller wakes it: see lookout.ts.
 */
export function startWorker(database: Database, options: WorkerOptions = {}): Worker {
  const versions: ProgramVersionCache = new Map();
  const batchSize = options.batchSize ?? BATCH_SIZE;
  const { beginRound, noteFull, hurry } = gathering(options.gatheringMs ?? GATHERING_MS);
  let limit = batchSize;
  /**
   * Batch limits of organizations in which a batch met locked rows. Jobs that are given back were claimed in vain, and
   * the jobs behind them may meet locks too.
   */
  const waitedFor = new Map<OrganizationId, number>();
  let stopping = false;
  let running = true;
  let awake = true;
  let resume: (() => void) | undefined;
  let idleWaiters: (() => void)[] = [];
  /** Starts after the last organization, so that the first turn begins a round. */
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
          // If another worker holds all waiting jobs, look again soon.
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
      // Other processes can't wake this worker and may have left more work, so look again soon.
      pause = pause < LONGEST_POLL_MS ? pause * 2 : Infinity;
    }
    running = false;
    for (const resolve of idleWaiters) resolve();
  }

  /**
   * Processes a batch of jobs of the next organization and a batch of due approvals. Also seals the ledger chain once a
   * second, and sometimes deletes expired data and updates the sums of figures.
   */
  async function takeTurn(isHurried: boolean): Promise<'worked' | 'others-work' | 'nothing-waits'> {
    const { jobsOf, approvalsOf, unsealed } = await nextTurn(database, previous);
    if (unsealed && performance.now() - sealedAt > SEALING_MS) {
      sealedAt = performance.now();
      // Decisions don't depend on sealing, so a failure is only reported and tried again a second later.
      await sealLedger(database).catch(options.onFailure);
    }
    await chores.doDue();
    if (jobsOf === null && approvalsOf === null) return 'nothing-waits';
    // Before the batch, because an outdated plan on a grown table may be what makes the batch time out.
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
      done += await inTransaction(database, (connection) =>
        approveDue({ connection, organizationId: approvalsOf }, batchSize),
      );
    }
    return done === 0 ? 'others-work' : 'worked';
  }

  async function forget(): Promise<ChoreOutcome> {
    const { forgotten, isMore } = await forgetSome(database, options.visitRetentionDays, options.lateReportDays);
    if (isMore) return 'more';
    return forgotten === 0 ? 'none' : 'some';
  }

  /** Waits until the worker is woken, for at most `milliseconds`, or until a chore is due. */
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

  /** Halves the limit of an organization whose batch met locks. Doubles it again after each batch that did not. */
  function noteWaiting(organizationId: OrganizationId, asked: number, didWait: boolean): void {
    if (didWait) waitedFor.set(organizationId, Math.max(1, asked >> 1));
    else if (asked * 2 >= batchSize) waitedFor.delete(organizationId);
    else if (waitedFor.has(organizationId)) waitedFor.set(organizationId, asked * 2);
  }

  /** Returns the number of claimed jobs, including jobs that were given back. */
  async function workOff(organizationId: OrganizationId): Promise<number> {
    const claimed: Job[] = [];
    const asked = limitOf(organizationId);
    try {
      const count = await inTransaction(database, (connection) => {
        claimed.length = 0;
        return claimAndReact({ connection, organizationId }, asked, versions, claimed);
      });
      noteWaiting(organizationId, asked, claimed.length < count);
      limit = Math.min(limit * 2, batchSize);
      return count;
    } catch (error) {
      // Claim fewer jobs if the database can't process as many within the statement timeout.
      limit = Math.max(1, limit >> 2);
      if (isUnavailable(error) || claimed.length === 0) throw error;
      let done = 0;
      // Process only as many jobs as failed together. Jobs that arrived since are batched again.
      while (done < claimed.length && !stopping && (await workOffOne(organizationId))) done += 1;
      return done;
    }
  }

  /** Processes one job. Returns whether there was one. */
  async function workOffOne(organizationId: OrganizationId): Promise<boolean> {
    const claimed: Job[] = [];
    try {
      await inTransaction(database, (connection) => {
        claimed.length = 0;
        return claimAndReact({ connection, organizationId }, 1, versions, claimed);
      });
    } catch (error) {
      const [job] = claimed;
      if (isUnavailable(error) || job === undefined) throw error;
      const outcome = await recordFailure({ connection: database, organizationId }, job.eventId, describe(error));
      if (outcome === 'parked') options.onParked?.(organizationId, job, error);
    }
    return claimed.length > 0;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
