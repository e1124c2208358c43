import type { OrganizationId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { isCanceled, isLockTimeout } from '#platform/postgres/failures.ts';
import { followGrowth } from '#platform/postgres/statistics.ts';
import { inTenantTransaction } from '#platform/postgres/tenant.ts';
import { nextTurn } from '#platform/worker/jobs.ts';
import { type WorkOffOptions, workOffEvents } from '#connectors/reactions/work-off-events.ts';
import type { Pacer } from '#attribution/reactions/pacer.ts';
import { extendChains } from '#ledger/reactions/extend-chain.ts';
import { approveDue } from '#payouts/reactions/approve-due.ts';
import { batchSizes } from './batch-sizes.ts';
import { SLOW_BATCH_MS, type WorkOffJobs } from './job-batches.ts';
import { atMostEvery } from './schedule.ts';

/** How often new ledger entries are added to the ledger chain, in milliseconds. */
const CHAIN_MS = 1_000;
const ABOVE_ALL = Number.MAX_SAFE_INTEGER as OrganizationId;
/** How often a busy worker checks whether tables have outgrown their statistics, in milliseconds. */
const GROWTH_CHECK_MS = 250;

/**
 * The maximum number of connectors' events in one turn. They are processed in one transaction, and decisions wait until
 * it ends.
 */
const EVENTS_A_TURN = 50;

/**
 * The result of a turn. `others-work` means that work is pending, but this worker could not claim it, for example
 * because another worker has claimed it.
 */
export type Turn = 'worked' | 'others-work' | 'nothing-waits';

export type TurnOptions = {
  readonly batchSize: number;
  readonly workOffJobs: WorkOffJobs;
  readonly connectors: WorkOffOptions;
  readonly rounds: Pick<Pacer, 'beginRound' | 'noteFull'>;
  readonly onFailure: ((error: unknown) => void) | undefined;
};

/**
 * Returns a function that takes one turn: a batch of jobs of the next organization, some events of connectors, and a
 * batch of due approvals. It also adds new ledger entries to the ledger chains, at most once a second. In a round, each
 * organization with jobs has one turn. If `isHurried` returns true, a round begins without waiting for more reports.
 */
export function workerTurns(
  database: Database,
  { batchSize, workOffJobs, connectors, rounds, onFailure }: TurnOptions,
): (isHurried: () => boolean) => Promise<Turn> {
  // The initial values are above every id, so that the first batch begins a round.
  const previous = { jobsOf: ABOVE_ALL, approvalsOf: ABOVE_ALL, eventsOf: ABOVE_ALL };
  const approvalSizes = batchSizes(batchSize);
  // Decisions don't depend on the ledger chain or on statistics. So if updating the chain or the statistics fails, the
  // failure is reported, and the update is retried later.
  const extendChain = atMostEvery(CHAIN_MS, () => extendChains(database).catch(onFailure));
  const checkGrowth = atMostEvery(GROWTH_CHECK_MS, () => followGrowth(database).catch(onFailure));

  return async (isHurried) => {
    const { jobsOf, approvalsOf, eventsOf, unchained } = await nextTurn(database, previous);
    if (unchained) await extendChain();
    if (jobsOf === null && approvalsOf === null && eventsOf === null) return 'nothing-waits';
    // Check the tables before the batch, because an outdated plan on a grown table can make the batch time out.
    await checkGrowth();
    let done = 0;
    if (jobsOf !== null) {
      // Begin a new round if all organizations with jobs have had their turn.
      if (jobsOf <= previous.jobsOf) await rounds.beginRound(isHurried());
      previous.jobsOf = jobsOf;
      const batch = await workOffJobs(jobsOf);
      if (batch.isFull) rounds.noteFull();
      done += batch.done;
    }
    if (eventsOf !== null) {
      previous.eventsOf = eventsOf;
      done += await workOffEvents({ connection: database, organizationId: eventsOf }, EVENTS_A_TURN, connectors);
    }
    if (approvalsOf !== null) {
      previous.approvalsOf = approvalsOf;
      done += await approve(approvalsOf);
    }
    return done === 0 ? 'others-work' : 'worked';
  };

  /**
   * Approves a batch of due conversions of an organization, and returns the number of their transactions. Returns 0 if
   * a call of the organization has a lock for longer than the worker waits, or if the batch exceeds the time limit of a
   * statement. The next batch of the organization is then smaller.
   */
  async function approve(organizationId: OrganizationId): Promise<number> {
    const asked = approvalSizes.sizeFor(organizationId);
    const began = performance.now();
    const noteBatch = (found: number, isTooLarge: boolean): void =>
      approvalSizes.noteSuccess(organizationId, { asked, found, isTooLarge });
    try {
      const found = await inTenantTransaction({ connection: database, organizationId }, (tenant) =>
        approveDue(tenant, asked),
      );
      noteBatch(found, performance.now() - began > SLOW_BATCH_MS);
      return found;
    } catch (error) {
      if (!isLockTimeout(error) && !isCanceled(error)) throw error;
      if (isCanceled(error)) onFailure?.(error);
      noteBatch(asked, true);
      return 0;
    }
  }
}
