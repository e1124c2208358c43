import { setTimeout } from 'node:timers/promises';
import type { OrganizationId } from '#domain/ids.ts';
import type { Database } from '#store/database.ts';
import { findUnsummed, readClosed } from '#store/figure-sums.ts';

const SAMPLE_MS = 10;

export type Drain = { readonly backlog: number; readonly seconds: number };

/** Waits until every event is decided: how many waited at first, and how long it took. */
export async function drain(database: Database): Promise<Drain> {
  const started = performance.now();
  const backlog = await pending(database);
  while ((await pending(database)) > 0) await setTimeout(SAMPLE_MS);
  return { backlog, seconds: (performance.now() - started) / 1000 };
}

/** Waits until a worker has added what had happened by now to the sums of figures: else it does that beside what is measured. */
export async function addUp(database: Database): Promise<void> {
  const closedUntil = await readClosed(database);
  while ((await findUnsummed(database, 0 as OrganizationId, closedUntil)) !== undefined) await setTimeout(SAMPLE_MS);
}

async function pending(database: Database): Promise<number> {
  const { rows } = await database.query<{ pending: number }>('select count(*) as pending from jobs');
  return rows[0]?.pending ?? 0;
}
