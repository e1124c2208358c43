import type { Database } from '#platform/postgres/database.ts';
import { purgePayloads } from '#connectors/store/connector-events.ts';
import { purgeEntryLinks } from '#portal/store/entry-links.ts';
import { purgeSignUpNetworks } from '#portal/store/sign-ups.ts';
import { purgeIdempotency } from '#access/store/idempotency.ts';
import { isCanceled } from '#platform/postgres/failures.ts';
import { keepPartitions } from '#platform/postgres/partitions.ts';
import { purgeChallenges } from '#access/store/passkeys.ts';
import { dropOldVisits, longestWindowDays, sweepOpportunities } from '#tracking/store/retention.ts';
import { purgeSessions } from '#access/store/sessions.ts';
import { purgeThrottles } from '#platform/throttles/throttles.ts';
import { purgeVisitCounts } from '#tracking/store/visit-counts.ts';
import { forgetVisitKeys } from '#tracking/store/visit-keys.ts';
import { NOTICE_DAYS } from '#notifications/domain/partner-email.ts';
import { purgePartnerNotices } from '#notifications/store/partner-emails.ts';
import { purgeMessages } from '#webhooks/store/webhook-deliveries.ts';

/**
 * The functions that delete expired rows or values. Each function deletes up to a given number of rows or values, and
 * returns how many it deleted.
 */
const FORGETTING = [
  purgeIdempotency,
  forgetVisitKeys,
  purgeVisitCounts,
  purgeSessions,
  purgeChallenges,
  purgeThrottles,
  purgeEntryLinks,
  purgeSignUpNetworks,
  (database: Database, limit: number) => purgePartnerNotices(database, limit, NOTICE_DAYS),
];
/** The maximum number of webhook messages in a statement. Each message can have 20 deliveries with 30 attempts each. */
const MESSAGES_A_STATEMENT = 200;
/** The maximum number of rows in a statement. It is small, so that a statement and its locks last only milliseconds. */
const ROWS_A_STATEMENT = 1_000;
/**
 * The approximate number of partitions that cover the retention time of visits. A partition covers at least one day.
 */
const PARTITIONS_KEPT = 10;

/** The retention times and the maximum age of a late report, in days. */
export type RetentionTimes = {
  readonly visitRetentionDays?: number | undefined;
  readonly lateReportDays?: number | undefined;
  readonly connectorPayloadDays?: number | undefined;
};

/**
 * The result of one pass. `forgotten` is the number of deleted rows and values, where a dropped partition of visits
 * counts as one row. `isMore` is true if more expired data may be left.
 */
export type Forgotten = { readonly forgotten: number; readonly isMore: boolean };

/**
 * Deletes some of the expired data. Any number of workers can do so concurrently. Visits expire after
 * `visitRetentionDays`, and payloads of connectors' events after `connectorPayloadDays`. A value of 0 keeps them
 * forever. Visits are kept at least for the longest window of a program plus `lateReportDays`, because sales can be
 * reported that late.
 */
export async function forgetSome(
  database: Database,
  { visitRetentionDays = 0, lateReportDays = 0, connectorPayloadDays = 0 }: RetentionTimes = {},
): Promise<Forgotten> {
  let forgotten = 0;
  let isMore = false;
  const canceled: unknown[] = [];
  const forgetUpTo = async (limit: number, forget: (database: Database, limit: number) => Promise<number>) => {
    try {
      const rows = await forget(database, limit);
      forgotten += rows;
      if (rows === limit) isMore = true;
    } catch (error) {
      // A statement that takes too long must not keep the other expired data from being deleted.
      if (!isCanceled(error)) throw error;
      canceled.push(error);
    }
  };
  for (const forget of FORGETTING) await forgetUpTo(ROWS_A_STATEMENT, forget);
  await forgetUpTo(MESSAGES_A_STATEMENT, purgeMessages);
  if (connectorPayloadDays > 0)
    await forgetUpTo(ROWS_A_STATEMENT, (database, limit) => purgePayloads(database, limit, connectorPayloadDays));
  await forgetUpTo(1, async () => {
    const { dropped, isSweeping } = await keepVisits(database, visitRetentionDays, lateReportDays);
    isMore ||= isSweeping;
    return dropped ? 1 : 0;
  });
  if (canceled.length > 0) throw new AggregateError(canceled, 'Some expired data could not be deleted in time.');
  return { forgotten, isMore };
}

/**
 * Creates the next partition of visits when it is due, and drops the oldest partition once it has expired. Then
 * continues to delete opportunities that have lost their visits. Visits are never dropped while a program could still
 * count them, even for a sale that is reported as late as allowed.
 */
async function keepVisits(
  database: Database,
  retentionDays: number,
  lateDays: number,
): Promise<{ readonly dropped: boolean; readonly isSweeping: boolean }> {
  const days = retentionDays === 0 ? null : Math.max(retentionDays, lateDays + (await longestWindowDays(database)));
  await keepPartitions(database, { daysEach: days === null ? null : Math.max(1, Math.floor(days / PARTITIONS_KEPT)) });
  const dropped = days !== null && (await dropOldVisits(database, days));
  return { dropped, isSweeping: await sweepOpportunities(database, ROWS_A_STATEMENT) };
}
