import { setTimeout } from 'node:timers/promises';
import type { Database } from '#store/database.ts';

const SAMPLE_MS = 10;

export type Drain = { readonly backlog: number; readonly seconds: number };

/** Waits until every event is decided: how many waited at first, and how long it took. */
export async function drain(database: Database): Promise<Drain> {
  const started = performance.now();
  const backlog = await pending(database);
  while ((await pending(database)) > 0) await setTimeout(SAMPLE_MS);
  return { backlog, seconds: (performance.now() - started) / 1000 };
}

async function pending(database: Database): Promise<number> {
  const { rows } = await database.query<{ pending: number }>('select count(*) as pending from jobs');
  return rows[0]?.pending ?? 0;
}
