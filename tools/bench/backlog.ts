import { setTimeout } from 'node:timers/promises';
import type { OrganizationId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { findUnsummed, readClosed } from '#reporting/store/figure-sums.ts';

const SAMPLE_MS = 10;

export type Drain = { readonly backlog: number; readonly seconds: number };

/** Waits until every event is decided. Returns the initial number of waiting events, and the duration in seconds. */
export async function drain(database: Database): Promise<Drain> {
  const started = performance.now();
  const backlog = await countPendingJobs(database);
  while ((await countPendingJobs(database)) > 0) await setTimeout(SAMPLE_MS);
  return { backlog, seconds: (performance.now() - started) / 1000 };
}

/**
 * Waits until a worker has added all existing facts to the sums of figures, because that work would distort the
 * measurement.
 */
export async function waitForSums(database: Database): Promise<void> {
  const closedUntil = await readClosed(database);
  while ((await findUnsummed(database, 0 as OrganizationId, closedUntil)) !== undefined) await setTimeout(SAMPLE_MS);
}

async function countPendingJobs(database: Database): Promise<number> {
  const { rows } = await database.query<{ pending: number }>('select count(*) as pending from jobs');
  return rows[0]?.pending ?? 0;
}
