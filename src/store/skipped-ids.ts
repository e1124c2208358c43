import type { Database } from './database.ts';
import { leavePartition } from './partitions.ts';

/** More than any service gives between a back-up and the loss of what came after it. */
const OF_REPORTS = 2 ** 32;
const OF_OTHERS = 10_000;

/**
 * After a restore: gives no id again that may have been given after the back-up. Browsers, shops, receivers of webhooks
 * and banks remember them: a visitor's number would lead to somebody else, and a message that has a known id be ignored.
 *
 * What is reported goes on 2^32 further, as from partition to partition (docs/decisions/0040); what people make, where
 * short numbers are pleasant, by as many again as there were, and 10,000.
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
