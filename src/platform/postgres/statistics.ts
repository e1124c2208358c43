import type { Database } from './database.ts';

/**
 * The tables that grow quickly, and the tables that are read for every new row to check its foreign keys. Visits are
 * analyzed by partition.
 */
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
  'connector_events',
  'connector_links',
];

/**
 * Updates the planner's statistics of tables that have more than doubled since the last update, and returns their
 * names. Plans are cached, including the plans of foreign-key checks. A plan that was made while a table had a few rows
 * may read every row of the organization. On a new database, a worker dropped to a tenth of its rate until autovacuum
 * ran, a minute later.
 *
 * A check costs one query. An analysis samples a tenth of PostgreSQL's usual number of rows. So decisions wait 0.05 s
 * for it, instead of 0.3 s.
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
