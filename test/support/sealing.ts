import { sealLedger } from '#pipeline/seal-ledger.ts';
import type { Database } from '#store/database.ts';

/** Seals what is written, and answers how many entries that were. */
export async function sealAll(database: Database): Promise<number> {
  await untilOldest(database);
  return sealLedger(database);
}

/**
 * Waits until no transaction is in flight that began before the last entry was written. Numbers of transactions are the
 * server's, so those of other test files count too: they delay seals, as they would in life.
 */
export async function untilOldest(database: Database): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ waits: boolean }>(
      `select exists (
         select from ledger_entries e cross join ledger_sealing s
         where e.xid >= pg_snapshot_xmin(pg_current_snapshot()) and e.id > s.after_id) as waits`,
    );
    if (rows[0]?.waits !== true) return;
  }
}
