import type { OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import { type Connection, type Database, inTransaction, isUnavailable } from '#store/database.ts';
import { holdDecisionOrder } from '#store/decision-order.ts';
import { findRefundsWorkedOff, reopenEngagements } from '#store/engagement-credits.ts';
import { claimJobs, type Job, nextTurn, recordFailure } from '#store/jobs.ts';
import { findRenewedSales, lockTransactions } from '#store/sale-facts.ts';
import { followGrowth } from '#store/statistics.ts';
import { approveDue } from './approve-due.ts';
import { decideSales } from './decide-sales.ts';
import type { ProgramVersionCache } from './load-facts.ts';
import { reviseConversions } from './revise-conversions.ts';
import { sealLedger } from './seal-ledger.ts';

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
/** How often what is new in the ledger goes into its chain. */
const SEALING_MS = 1_000;
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
  let sealedAt = 0;

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

  /** A batch of jobs of the next organization, and one of approvals that are due; once a second the ledger's chain. */
  async function takeTurn(): Promise<'worked' | 'others-work' | 'nothing-waits'> {
    const { jobsOf, approvalsOf, unsealed } = await nextTurn(database, previous);
    if (unsealed && performance.now() - sealedAt > SEALING_MS) {
      sealedAt = performance.now();
      // What is to be decided doesn't wait for it: a failure is told, and the next second tries again.
      await sealLedger(database).catch(options.onFailure);
    }
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
  const isOrdered = await holdDecisionOrder(connection, organizationId);
  const jobs = await claimJobs(connection, organizationId, limit);
  claimed.push(...jobs);
  if (jobs.length === 0) return 0;
  const renewals = transactionsOf(jobs, ['RenewalTriggered']);
  const renewed: Renewed =
    renewals.length === 0 ? new Map() : await findRenewedSales(connection, organizationId, renewals);
  const held = [...new Set([...jobs.map((job) => job.transactionId), ...renewed.values()])];
  const opportunities = await lockTransactions(connection, organizationId, held);
  const rounds = isOrdered ? inRounds(jobs, opportunities) : [jobs];
  for (const round of rounds) await react(connection, organizationId, round, renewed, versions);
  if (isOrdered) {
    // A sale that was tried again after its refund had been worked off: what it completes is opened at once.
    const late = await findRefundsWorkedOff(connection, organizationId, transactionsOf(jobs, REPORTS));
    if (late.length > 0) await reopenEngagements(connection, organizationId, late);
  }
  return jobs.length;
}

/**
 * Cuts jobs, in their order, wherever an opportunity comes up again, and between a refund and a report after it: what one
 * event leaves, the next must see.
 */
function inRounds(jobs: readonly Job[], opportunities: ReadonlyMap<TransactionId, OpportunityId>): Job[][] {
  const rounds: Job[][] = [];
  let met = new Set<OpportunityId | undefined>();
  for (const job of jobs) {
    const opportunity = opportunities.get(job.transactionId);
    const round = rounds.at(-1);
    const followsRefund = round?.at(-1)?.type === 'RefundTriggered' && job.type !== 'RefundTriggered';
    if (round === undefined || met.has(opportunity) || followsRefund) {
      rounds.push([job]);
      met = new Set([opportunity]);
    } else {
      round.push(job);
      met.add(opportunity);
    }
  }
  return rounds;
}

/** Renewals, each with its sale. */
type Renewed = ReadonlyMap<TransactionId, TransactionId>;

const REPORTS = ['SaleTriggered', 'LeadTriggered', 'RenewalTriggered'] as const;

async function react(
  connection: Connection,
  organizationId: OrganizationId,
  jobs: readonly Job[],
  renewed: Renewed,
  versions: ProgramVersionCache,
): Promise<void> {
  const reported = transactionsOf(jobs, REPORTS);
  const refunded = transactionsOf(jobs, ['RefundTriggered']);
  // A renewal pays by what its sale has earned: one that still waits, whatever for, is decided first.
  const sold = [...new Set(reported.flatMap((id) => renewed.get(id) ?? []))];
  if (sold.length > 0) await decide(connection, organizationId, sold, versions);
  if (reported.length > 0) await decide(connection, organizationId, reported, versions);
  if (refunded.length > 0) {
    await reviseConversions(connection, organizationId, refunded);
    await reopenEngagements(connection, organizationId, refunded);
  }
}

/** A refund changed its transaction with its 200, so the order of the two can't be seen afterwards. */
async function decide(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
  versions: ProgramVersionCache,
): Promise<void> {
  const refunded = await decideSales(connection, organizationId, transactionIds, versions);
  if (refunded.length > 0) await reviseConversions(connection, organizationId, refunded);
}

function transactionsOf(jobs: readonly Job[], types: readonly Job['type'][]): TransactionId[] {
  return [...new Set(jobs.filter((job) => types.includes(job.type)).map((job) => job.transactionId))];
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
