import type { OrganizationId } from '#core/ids.ts';
import { type Database, isUnavailable } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type Job, recordFailure } from '#platform/worker/jobs.ts';
import type { ProgramVersionCache } from '#attribution/reactions/load-facts.ts';
import { claimAndReact } from '#attribution/reactions/react-to-events.ts';
import { batchSizes } from './batch-sizes.ts';

export type JobBatchOptions = {
  readonly batchSize: number;
  readonly onDeadLettered: ((organizationId: OrganizationId, job: Job, error: unknown) => void) | undefined;
  readonly isStopping: () => boolean;
};

/** Returns the number of claimed jobs, including released jobs, and whether more jobs may be pending. */
export type WorkOffJobs = (
  organizationId: OrganizationId,
) => Promise<{ readonly done: number; readonly isFull: boolean }>;

/**
 * Returns a function that processes a batch of jobs of one organization in one transaction. If the batch fails, its
 * jobs are processed one by one. Only the event of a failing job waits for its next attempt, or is dead-lettered with
 * its error.
 */
export function jobBatches(
  database: Database,
  { batchSize, onDeadLettered, isStopping }: JobBatchOptions,
): WorkOffJobs {
  const versions: ProgramVersionCache = new Map();
  const sizes = batchSizes(batchSize);
  return async (organizationId) => {
    const asked = sizes.sizeFor(organizationId);
    const done = await workOff({ connection: database, organizationId }, asked);
    return { done, isFull: done >= asked };
  };

  async function workOff(tenant: Tenant<Database>, asked: number): Promise<number> {
    const claimed: Job[] = [];
    try {
      const count = await claim(tenant, asked, claimed);
      sizes.noteSuccess(tenant.organizationId, asked, claimed.length < count);
      return count;
    } catch (error) {
      sizes.noteFailure();
      if (isUnavailable(error) || claimed.length === 0) throw error;
      let done = 0;
      // Process only as many single jobs as there were in the failed batch. Later jobs are processed in batches again.
      while (done < claimed.length && !isStopping() && (await workOffOne(tenant))) done += 1;
      return done;
    }
  }

  /** Processes one job. Returns false if no job is pending. */
  async function workOffOne(tenant: Tenant<Database>): Promise<boolean> {
    const claimed: Job[] = [];
    try {
      await claim(tenant, 1, claimed);
    } catch (error) {
      const [job] = claimed;
      if (isUnavailable(error) || job === undefined) throw error;
      const outcome = await recordFailure(tenant, job.eventId, describe(error));
      if (outcome === 'dead-lettered') onDeadLettered?.(tenant.organizationId, job, error);
    }
    return claimed.length > 0;
  }

  /** Returns the number of claimed jobs. Adds the processed jobs to `claimed`, even if the transaction fails. */
  function claim(tenant: Tenant<Database>, count: number, claimed: Job[]): Promise<number> {
    return inTenantTransaction(tenant, (tenant) => {
      claimed.length = 0;
      return claimAndReact(tenant, count, versions, claimed);
    });
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
