import type { OrganizationId } from '#domain/ids.ts';
import { type Connection, type Database, inTransaction, isUnavailable } from '#store/database.ts';
import { rejectConversions } from '#store/decisions.ts';
import { reopenEngagements } from '#store/engagement-credits.ts';
import { claimJobs, type Job, nextTurn, recordFailure } from '#store/jobs.ts';
import { lockTransactions } from '#store/sale-facts.ts';
import { followGrowth } from '#store/statistics.ts';
import { approveDue } from '#store/due-approvals.ts';
import { decideSales, type ProgramVersionCache } from './decide-sales.ts';

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
};

const BATCH_SIZE = 500;
/** How often a worker looks for work that another process has reported: one cheap query. */
const IDLE_POLL_MS = 1_000;
const BUSY_POLL_MS = 50;
/** How often a worker that is busy looks whether tables have outgrown their statistics. */
const GROWTH_CHECK_MS = 250;

/**
 * Works off jobs, a batch of one organization in one transaction: claim, lock, load, decide, save. Any number of workers
 * may share a database. A batch that fails is done again one by one, so that only the event that is at fault waits for
 * its next attempt, or is parked with its error.
 */
export function startWorker(database: Database, options: WorkerOptions = {}): Worker {
  const versions: ProgramVersionCache = new Map();
  const batchSize = options.batchSize ?? BATCH_SIZE;
  let stopping = false;
  let running = true;
  let awake = true;
  let resume: (() => void) | undefined;
  let idleWaiters: (() => void)[] = [];

  const loop = run();
  return {
    wake,
    isRunning: () => running,
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        wake();
      }),
    stop: async () => {
      stopping = true;
      wake();
      await loop;
    },
  };

  function wake(): void {
    awake = true;
    resume?.();
  }

  async function run(): Promise<void> {
    let previous = 0 as OrganizationId;
    let pause = IDLE_POLL_MS;
    let growthCheckedAt = 0;
    while (!stopping) {
      awake = false;
      const waiters = idleWaiters;
      idleWaiters = [];
      try {
        const { jobsOf, approvalsOf } = await nextTurn(database, previous);
        if (approvalsOf !== null) {
          await inTransaction(database, (connection) => approveDue(connection, approvalsOf, batchSize));
        }
        if (jobsOf !== null) {
          previous = jobsOf;
          await workOff(jobsOf);
        }
        if (jobsOf !== null || approvalsOf !== null) {
          pause = BUSY_POLL_MS;
          if (performance.now() - growthCheckedAt > GROWTH_CHECK_MS) {
            await followGrowth(database);
            growthCheckedAt = performance.now();
          }
          idleWaiters.push(...waiters);
          continue;
        }
        for (const done of waiters) done();
      } catch (error) {
        options.onFailure?.(error);
        idleWaiters.push(...waiters);
        pause = IDLE_POLL_MS;
        awake = false;
      }
      if (!awake && !stopping) await sleep(pause);
      // Work of other processes is looked for soon after work, and once a second in a quiet time.
      pause = Math.min(pause * 2, IDLE_POLL_MS);
    }
    running = false;
    for (const done of idleWaiters) done();
  }

  function sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(wakeUp, milliseconds);
      resume = wakeUp;
      function wakeUp(): void {
        clearTimeout(timer);
        resume = undefined;
        resolve();
      }
    });
  }

  async function workOff(organizationId: OrganizationId): Promise<void> {
    try {
      await inTransaction(database, async (connection) => {
        await react(connection, organizationId, await claimJobs(connection, organizationId, batchSize), versions);
      });
    } catch (error) {
      if (isUnavailable(error)) throw error;
      for (let done = 0; done < batchSize && !stopping; done += 1) {
        if (!(await workOffOne(organizationId))) return;
      }
    }
  }

  /** Answers whether there was one. */
  async function workOffOne(organizationId: OrganizationId): Promise<boolean> {
    let job: Job | undefined;
    try {
      await inTransaction(database, async (connection) => {
        [job] = await claimJobs(connection, organizationId, 1);
        if (job !== undefined) await react(connection, organizationId, [job], versions);
      });
    } catch (error) {
      if (isUnavailable(error) || job === undefined) throw error;
      const outcome = await recordFailure(database, organizationId, job.eventId, describe(error));
      if (outcome?.parked === true) options.onParked?.(organizationId, job, error);
    }
    return job !== undefined;
  }
}

/** Does jobs in the transaction that has claimed them. */
async function react(
  connection: Connection,
  organizationId: OrganizationId,
  jobs: readonly Job[],
  versions: ProgramVersionCache,
): Promise<void> {
  const sold = transactionsOf(jobs, 'SaleTriggered');
  const refunded = transactionsOf(jobs, 'RefundTriggered');
  if (jobs.length > 0) await lockTransactions(connection, organizationId, [...new Set([...sold, ...refunded])]);
  // A refund marked its transaction with its 200, so the order of these two can't be seen afterwards.
  if (sold.length > 0) await decideSales(connection, organizationId, sold, versions);
  if (refunded.length > 0) {
    await rejectConversions(connection, organizationId, refunded, 'refunded');
    await reopenEngagements(connection, organizationId, refunded);
  }
}

function transactionsOf(jobs: readonly Job[], type: Job['type']) {
  return jobs.filter((job) => job.type === type).map((job) => job.transactionId);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
