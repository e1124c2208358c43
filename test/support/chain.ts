import { extendChains } from '#ledger/reactions/extend-chain.ts';
import type { Database } from '#platform/postgres/database.ts';

/** Links all ledger entries into the ledger chains of their organizations, and returns how many it linked. */
export async function extendAllChains(database: Database): Promise<number> {
  await waitUntilOldest(database);
  return extendChains(database);
}

/**
 * Waits until each ledger entry outside the ledger chains is older than all running transactions. Transaction ids are
 * shared by the whole server, so transactions of other test files also delay the ledger chain, as in production.
 */
export async function waitUntilOldest(database: Database): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ waits: boolean }>(
      `select exists (
         select from ledger_entries e cross join ledger_chain s
         where e.xid >= pg_snapshot_xmin(pg_current_snapshot()) and e.id > s.after_id) as waits`,
    );
    if (rows[0]?.waits !== true) return;
  }
}
