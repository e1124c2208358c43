import type { Queryable } from './database.ts';

/** The tables that pour in, and those that foreign keys look up for every row of theirs; of visits each partition. */
const GROWING = [
  'opportunities',
  'visit_keys',
  'engagements',
  'transactions',
  'transaction_lines',
  'events',
  'conversions',
  'obligations',
  'ledger_entries',
  'refunds',
  'refund_lines',
  'payout_flags',
  'explanations',
  'collaborators',
  'program_versions',
];

/**
 * Lets the planner know of tables that have more than doubled since it last looked; answers which. Plans are kept, those
 * of foreign keys too, and one that was made for a handful of rows may read every row of the organization: on a new
 * database a worker fell to a tenth of its rate until autovacuum came by, a minute later. A look costs one query.
 */
export async function followGrowth(connection: Queryable): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>({
    name: 'follow-growth',
    text: `
      select c.relname as name
      from (
        select unnest($1::regclass[])::oid as oid
        union all
        select inhrelid from pg_inherits where inhparent = 'visits'::regclass
      ) growing
      join pg_class c on c.oid = growing.oid
      where pg_relation_size(c.oid) / 8192 > 2 * greatest(c.relpages, 4)`,
    values: [GROWING],
  });
  const names = rows.map((row) => row.name);
  // One that is being analyzed already is passed over.
  if (names.length > 0) await connection.query(`analyze (skip_locked) ${names.join(', ')}`);
  return names;
}
