import type { Database } from './database.ts';

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
 * database a worker fell to a tenth of its rate until autovacuum came by, a minute later. A look costs one query; where
 * something has grown, a tenth of PostgreSQL's own number of rows is looked at: what is decided waits 0.05 s and not 0.3.
 */
export async function followGrowth(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>({
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
  if (names.length === 0) return [];
  await database.query('select take_statistics($1::regclass[])', [names]);
  return names;
}
