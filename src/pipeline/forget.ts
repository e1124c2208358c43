import type { Database } from '#store/database.ts';
import { purgeIdempotency } from '#store/idempotency.ts';
import { forgetVisitKeys } from '#store/visit-keys.ts';

/** What is kept for a time only: each forgets up to so many rows whose time is over, and answers how many there were. */
const FORGETTING = [purgeIdempotency, forgetVisitKeys];
/** Few enough that one statement is over in milliseconds, and nobody waits for what it locks. */
const ROWS_A_STATEMENT = 1_000;

/** Forgets some of what has had its time; answers whether there is more. Any number of workers may do so at once. */
export async function forgetSome(database: Database): Promise<boolean> {
  let isMore = false;
  for (const forget of FORGETTING) {
    if ((await forget(database, ROWS_A_STATEMENT)) === ROWS_A_STATEMENT) isMore = true;
  }
  return isMore;
}
