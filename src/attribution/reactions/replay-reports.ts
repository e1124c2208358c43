import { type EventId, MAX_ID } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { claimJobs } from '#platform/worker/jobs.ts';
import { isDecidedInOrder } from '#programs/store/decision-order.ts';
import {
  fillScratchBooks,
  findManualRejections,
  findOrganizations,
  findScratchDifferences,
  withScratchBooks,
} from '../store/scratch-books.ts';
import type { ProgramVersionCache } from './load-facts.ts';
import { isRevision, reactInRounds } from './react-to-events.ts';
import { MAX_DIFFERENCES, type Replay } from './replay-sales.ts';

const BATCH_SIZE = 500;

/**
 * Decides sales, leads and renewals again from the reports alone, in the order of their events. Compares the result
 * with the stored decisions: awards, their values after refunds, explanations and engagements.
 *
 * Unlike `replaySales`, this replay reads no sums, completed engagements or decision order from the stored decisions.
 * It runs the pipeline on scratch books (temporary tables) with all reports and no decisions, like a pipeline with the
 * largest possible delay. Manual credits, reviews by people, and sales that can't be decided again are copied from the
 * database.
 */
export function replayReports(database: Database, onBatch: (decided: number) => void = () => {}): Promise<Replay> {
  return withScratchBooks(database, async (connection) => {
    const versions: ProgramVersionCache = new Map();
    let replay: Replay = { decided: 0, leftOut: 0, differences: [] };
    for (const organizationId of await findOrganizations(connection)) {
      const leftOut = await fillScratchBooks({ connection, organizationId });
      const isOrdered = await isDecidedInOrder({ connection, organizationId });
      let { decided } = replay;
      // A conversion that a person rejected doesn't count for later events, so no batch may extend past a rejection.
      const bounds = isOrdered ? await findManualRejections({ connection, organizationId }) : [];
      for (const bound of [...bounds, MAX_ID as EventId]) {
        for (;;) {
          const jobs = await claimJobs({ connection, organizationId }, BATCH_SIZE, bound);
          if (jobs.length === 0) break;
          await reactInRounds({ connection, organizationId }, jobs, {
            isOrdered,
            versions,
            mayContinue: async () => true,
          });
          decided += jobs.filter((job) => !isRevision(job)).length;
          onBatch(decided);
        }
      }
      const found = await findScratchDifferences({ connection, organizationId });
      const differences = [...replay.differences, ...found].slice(0, MAX_DIFFERENCES);
      replay = { decided, leftOut: replay.leftOut + leftOut, differences };
    }
    return replay;
  });
}
