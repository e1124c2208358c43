import type { Database } from '#store/database.ts';
import { purgeEntryLinks } from '#store/entry-links.ts';
import { purgeIdempotency } from '#store/idempotency.ts';
import { keepPartitions } from '#store/partitions.ts';
import { purgeChallenges } from '#store/passkeys.ts';
import { dropOldVisits, longestWindowDays, sweepOpportunities } from '#store/retention.ts';
import { purgeSessions } from '#store/sessions.ts';
import { purgeThrottles } from '#store/throttles.ts';
import { purgeVisitCounts } from '#store/visit-counts.ts';
import { forgetVisitKeys } from '#store/visit-keys.ts';
import { purgeMessages } from '#store/webhook-deliveries.ts';

/** What is kept for a time only: each forgets up to so many rows whose time is over, and answers how many there were. */
const FORGETTING = [
  purgeIdempotency,
  forgetVisitKeys,
  purgeVisitCounts,
  purgeMessages,
  purgeSessions,
  purgeChallenges,
  purgeThrottles,
  purgeEntryLinks,
];
/** Few enough that one statement is over in milliseconds, and nobody waits for what it locks. */
const ROWS_A_STATEMENT = 1_000;
/** The time for which visits are kept is cut into so many partitions, of a day at least. */
const PARTITIONS_KEPT = 10;

/** What one pass forgot; there may be more. */
export type Forgotten = { readonly forgotten: number; readonly isMore: boolean };

/**
 * Forgets some of what has had its time. Any number of workers may do so at once. Visits go after `visitRetentionDays`,
 * 0: never.
 */
export async function forgetSome(database: Database, visitRetentionDays = 0): Promise<Forgotten> {
  let forgotten = 0;
  let isMore = false;
  for (const forget of FORGETTING) {
    const rows = await forget(database, ROWS_A_STATEMENT);
    forgotten += rows;
    if (rows === ROWS_A_STATEMENT) isMore = true;
  }
  const { dropped, isSweeping } = await keepVisits(database, visitRetentionDays);
  return { forgotten: forgotten + (dropped ? 1 : 0), isMore: isMore || dropped || isSweeping };
}

/**
 * Begins the next partition of visits when it is due, drops the oldest one whose time is over, and goes on through the
 * opportunities that may be forgotten after it. Visits are never dropped while a program could still count them.
 */
async function keepVisits(
  database: Database,
  retentionDays: number,
): Promise<{ readonly dropped: boolean; readonly isSweeping: boolean }> {
  const days = retentionDays === 0 ? null : Math.max(retentionDays, await longestWindowDays(database));
  await keepPartitions(database, { daysEach: days === null ? null : Math.max(1, Math.floor(days / PARTITIONS_KEPT)) });
  const dropped = days !== null && (await dropOldVisits(database, days));
  return { dropped, isSweeping: await sweepOpportunities(database, ROWS_A_STATEMENT) };
}
