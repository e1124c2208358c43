import type { OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import { type Connection, type Database, inTransaction, isUnavailable } from '#store/database.ts';
import { rejectConversions } from '#store/decisions.ts';
import { findRefundsWorkedOff, holdCreditOrder, reopenEngagements } from '#store/engagement-credits.ts';
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
  let limit = batchSize;
  let stopping = false;
  let running = true;
  let awake = true;
  let resume: (() => void) | undefined;
  let idleWaiters: (() => void)[] = [];
  let previous = 0 as OrganizationId;
  let growthCheckedAt = 0;

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
    let pause = IDLE_POLL_MS;
    while (!stopping) {
      awake = false;
      const waiters = idleWaiters;
      idleWaiters = [];
      try {
        const turn = await takeTurn();
        if (turn === 'nothing-waits') {
          for (const resolve of waiters) resolve();
        } else {
          idleWaiters.push(...waiters);
          // Where another worker holds all that waits there is nothing to do but to look again soon.
          pause = BUSY_POLL_MS;
        }
        if (turn === 'worked') continue;
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
    for (const resolve of idleWaiters) resolve();
  }

  /** A batch of jobs of the next organization, and one of approvals that are due. */
  async function takeTurn(): Promise<'worked' | 'others-work' | 'nothing-waits'> {
    const { jobsOf, approvalsOf } = await nextTurn(database, previous);
    if (jobsOf === null && approvalsOf === null) return 'nothing-waits';
    // Before the work, not after it: what makes a batch fail for want of time may be a plan that growth has left behind.
    if (performance.now() - growthCheckedAt > GROWTH_CHECK_MS) {
      await followGrowth(database);
      growthCheckedAt = performance.now();
    }
    let done = 0;
    if (jobsOf !== null) {
      previous = jobsOf;
      done += await workOff(jobsOf);
    }
    if (approvalsOf !== null) {
      done += await inTransaction(database, (connection) => approveDue(connection, approvalsOf, batchSize));
    }
    return done === 0 ? 'others-work' : 'worked';
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

  /** Answers how many jobs it did. */
  async function workOff(organizationId: OrganizationId): Promise<number> {
    try {
      const done = await inTransaction(database, (connection) =>
        claimAndReact(connection, organizationId, limit, versions),
      );
      limit = Math.min(limit * 2, batchSize);
      return done;
    } catch (error) {
      // Less at a time where the database can't do as much in the time that a statement has.
      limit = Math.max(1, limit >> 2);
      if (isUnavailable(error)) throw error;
      let done = 0;
      while (done < batchSize && !stopping && (await workOffOne(organizationId))) done += 1;
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

/** Claims up to `limit` jobs and does them, in the caller's transaction. They are put into `claimed` before they are done. */
async function claimAndReact(
  connection: Connection,
  organizationId: OrganizationId,
  limit: number,
  versions: ProgramVersionCache,
  claimed: Job[] = [],
): Promise<number> {
  const isOrdered = await holdCreditOrder(connection, organizationId);
  const jobs = await claimJobs(connection, organizationId, limit);
  claimed.push(...jobs);
  if (jobs.length === 0) return 0;
  const opportunities = await lockTransactions(connection, organizationId, [
    ...new Set(jobs.map((job) => job.transactionId)),
  ]);
  const rounds = isOrdered ? inRounds(jobs, opportunities) : [jobs];
  for (const round of rounds) await react(connection, organizationId, round, versions);
  if (isOrdered) {
    // A sale that was tried again after its refund had been worked off: what it completes is opened at once.
    const late = await findRefundsWorkedOff(connection, organizationId, transactionsOf(jobs, 'SaleTriggered'));
    if (late.length > 0) await reopenEngagements(connection, organizationId, late);
  }
  return jobs.length;
}

/** Cuts jobs, in their order, wherever an opportunity comes up again: what one event leaves, the next must see. */
function inRounds(jobs: readonly Job[], opportunities: ReadonlyMap<TransactionId, OpportunityId>): Job[][] {
  const rounds: Job[][] = [];
  let met = new Set<OpportunityId | undefined>();
  for (const job of jobs) {
    const opportunity = opportunities.get(job.transactionId);
    const round = rounds.at(-1);
    if (round === undefined || met.has(opportunity)) {
      rounds.push([job]);
      met = new Set([opportunity]);
    } else {
      round.push(job);
      met.add(opportunity);
    }
  }
  return rounds;
}

async function react(
  connection: Connection,
  organizationId: OrganizationId,
  jobs: readonly Job[],
  versions: ProgramVersionCache,
): Promise<void> {
  const sold = transactionsOf(jobs, 'SaleTriggered');
  const refunded = transactionsOf(jobs, 'RefundTriggered');
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
