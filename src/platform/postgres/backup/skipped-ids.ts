import type { Database } from '../database.ts';
import { leavePartition } from '../partitions.ts';

/**
 * The number of ids to skip in sequences that don't belong to an identity column. It is more than any service assigns
 * between a backup and a restore.
 */
const OF_REPORTS = 2 ** 32;
/** The minimum number of ids to skip in identity columns. */
const OF_OTHERS = 10_000;

/**
 * Skips all ids that may have been assigned after the backup, so that a restored service doesn't assign them again.
 * Browsers, shops, webhook receivers and banks store ids. A reused opportunity number would identify a different
 * visitor, and a webhook receiver would ignore a message with a reused id.
 *
 * The sequence of event ids jumps to the next partition (docs/decisions/0040). Other sequences that don't belong to an
 * identity column skip 2^32 ids. Identity columns, where short ids are preferable, double their last id, and skip at
 * least 10,000.
 */
export async function skipIds(database: Database): Promise<void> {
  await leavePartition(database);
  await database.query(
    `select setval(s.oid::regclass, coalesce(pg_sequence_last_value(s.oid), 0) + case
         when owned.refobjid is null then $1 else greatest($2, coalesce(pg_sequence_last_value(s.oid), 0)) end)
     from pg_class s
     left join pg_depend owned on owned.classid = 'pg_class'::regclass and owned.objid = s.oid and owned.deptype = 'i'
     where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace and s.relname <> 'event_ids'`,
    [OF_REPORTS, OF_OTHERS],
  );
}
