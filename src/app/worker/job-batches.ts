import type { OrganizationId } from '#core/ids.ts';
import { type Database, isConnectionLost, isUnavailable } from '#platform/postgres/database.ts';
import { isCanceled, isLockTimeout } from '#platform/postgres/failures.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ClaimedJob, type Job, recordFailure } from '#platform/worker/jobs.ts';
import type { ProgramVersionCache } from '#attribution/reactions/load-facts.ts';
import { claimAndReact } from '#attribution/reactions/react-to-events.ts';
import { batchSizes } from './batch-sizes.ts';

export type JobBatchOptions = {
  readonly batchSize: number;
  readonly onDeadLettered: ((organizationId: OrganizationId, job: Job, error: unknown) => void) | undefined;
  readonly isStopping: () => boolean;
};

/**
 * The number of consecutive batches that must lose their connection before their events are processed one by one. If an
 * event has failed before, one batch is enough. If an event blocks the process, the database server closes the
 * connection, which looks like an outage.
 */
const LOST_BEFORE_SINGLE = 3;

/**
 * The duration of a batch above which its organization gets smaller batches, in milliseconds. Sales with many
 * candidates take long, and each organization waits for the batches of other organizations.
 */
export const SLOW_BATCH_MS = 500;

/**
 * Processes a batch of an organization's jobs. Returns the number of claimed jobs, including released jobs, and whether
 * more jobs may be pending.
 */
export type WorkOffJobs = (
  organizationId: OrganizationId,
) => Promise<{ readonly done: number; readonly isFull: boolean }>;

/**
 * Returns a function that processes a batch of jobs of one organization in one transaction. If the batch fails, its
 * jobs are processed one by one, except after a lock timeout or an outage. Only the event of a failing job waits for
 * its next attempt, or is dead-lettered with its error.
 *
 * A lost connection usually means an outage. It counts as a failed attempt of an event only if all of these are true:
 * - The previous batches of the organization also lost their connection, or one of the claimed events has failed
 *   before.
 * - The event was processed alone.
 * - The database is available right afterwards. Otherwise, the attempt can't be recorded.
 *
 * A statement that exceeds its time limit counts as a failed attempt if the event was processed alone.
 */
export function jobBatches(
  database: Database,
  { batchSize, onDeadLettered, isStopping }: JobBatchOptions,
): WorkOffJobs {
  const versions: ProgramVersionCache = new Map();
  const sizes = batchSizes(batchSize);
  /** The number of batches that lost their connection since the last successful batch, by organization. */
  const lost = new Map<OrganizationId, number>();
  return async (organizationId) => {
    const asked = sizes.sizeFor(organizationId);
    const done = await workOff({ connection: database, organizationId }, asked);
    return { done, isFull: done >= asked };
  };

  async function workOff(tenant: Tenant<Database>, asked: number): Promise<number> {
    const claimed: ClaimedJob[] = [];
    try {
      const began = performance.now();
      const found = await claim(tenant, asked, claimed);
      lost.delete(tenant.organizationId);
      const isTooLarge = claimed.length < found || performance.now() - began > SLOW_BATCH_MS;
      sizes.noteSuccess(tenant.organizationId, { asked, found, isTooLarge });
      return found;
    } catch (error) {
      // A call of the organization has a lock for longer than the worker waits. The organization's next turn, with a
      // smaller batch, follows the turns of other organizations.
      if (isLockTimeout(error)) {
        const found = claimed.length;
        if (found > 0) sizes.noteSuccess(tenant.organizationId, { asked, found, isTooLarge: true });
        return 0;
      }
      sizes.noteFailure();
      if (claimed.length === 0 || (isUnavailable(error) && !isSuspect(tenant, error, claimed))) throw error;
      let done = 0;
      // Process only as many single jobs as there were in the failed batch. Later jobs are processed in batches again.
      while (done < claimed.length && !isStopping() && (await workOffOne(tenant, isConnectionLost(error)))) done += 1;
      return done;
    }
  }

  /** Returns whether one of the events may have caused a lost connection or a canceled statement. */
  function isSuspect({ organizationId }: Tenant, error: unknown, claimed: readonly ClaimedJob[]): boolean {
    if (isCanceled(error)) return true;
    if (!isConnectionLost(error)) return false;
    const count = (lost.get(organizationId) ?? 0) + 1;
    lost.set(organizationId, count);
    return count >= LOST_BEFORE_SINGLE || claimed.some(({ attempts }) => attempts > 0);
  }

  /**
   * Processes one job. If `mayBlame` is true, a lost connection counts as a failed attempt. Returns false if no job is
   * pending, or if a call of the organization has a lock for longer than the worker waits.
   */
  async function workOffOne(tenant: Tenant<Database>, mayBlame: boolean): Promise<boolean> {
    const claimed: ClaimedJob[] = [];
    try {
      await claim(tenant, 1, claimed);
    } catch (error) {
      if (isLockTimeout(error)) return false;
      const [job] = claimed;
      if (job === undefined) throw error;
      const isBlamed = isCanceled(error) || (mayBlame && isConnectionLost(error));
      if (isUnavailable(error) && !isBlamed) throw error;
      const outcome = await recordFailure(tenant, job.eventId, describe(error));
      if (outcome === 'dead-lettered') onDeadLettered?.(tenant.organizationId, job, error);
    }
    return claimed.length > 0;
  }

  /** Returns the number of claimed jobs. Adds the processed jobs to `claimed`, even if the transaction fails. */
  function claim(tenant: Tenant<Database>, count: number, claimed: ClaimedJob[]): Promise<number> {
    return inTenantTransaction(tenant, (tenant) => {
      claimed.length = 0;
      return claimAndReact(tenant, count, versions, claimed);
    });
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
