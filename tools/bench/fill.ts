import { setTimeout } from 'node:timers/promises';
import type { OrganizationId } from '#core/ids.ts';
import { foundOrganization } from '#access/commands/found-organization.ts';
import { extendChains } from '#ledger/reactions/extend-chain.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';

/** The number of opportunities in a chunk. Each chunk is one transaction. */
const CHUNK = 250_000;
const COLLABORATORS = 1_000;
/** The time span of the reports, which ends now. */
const SPAN = `interval '365 days'`;
/**
 * A payout run pays the obligations of a month if the month ended more than 30 days ago. Later obligations stay unpaid.
 */
const UNPAID = `interval '30 days'`;

const CHAIN_MS = 100;

type PrintLine = (line: string) => void;

/** The filled organizations. The first organization has seven tenths of the data, and the last has a thousandth. */
export type Filled = { readonly organizationIds: readonly OrganizationId[] };

/**
 * Fills a database with set-based statements. Each opportunity has a visit and an engagement. About a tenth of the
 * opportunities have a decided sale: line, event, explanation, conversion, obligation and ledger entries. About one
 * sale in twenty is refunded. Older sales that were not refunded are paid out monthly. The times of the reports span a
 * year, and increase with the ids. Half of the data belongs to one collaborator of each organization. `whence verify`
 * finds no error in the filled database.
 *
 * The database user must be a superuser. Triggers are disabled, because they would give every ledger entry the current
 * time.
 */
export async function fill(
  database: Database,
  opportunities: number,
  printLine: PrintLine = () => {},
): Promise<Filled> {
  const started = performance.now();
  const { rows } = await database.query<{ id: OrganizationId }>('select id from organizations order by id limit 1');
  const organizationIds = [(rows[0] as { id: OrganizationId }).id];
  for (const name of ['Second', 'Third', 'Small']) {
    organizationIds.push((await foundOrganization(database, name)).organizationId);
  }
  const connection = await database.connect();
  try {
    for (const text of [`set session_replication_role = replica`, `set synchronous_commit = off`, BASES, CAST]) {
      await connection.query(text);
    }
    const indexes = await takeDown(connection);
    for (const id of organizationIds) await connection.query(PROGRAM, [id]);
    for (const id of organizationIds) for (const text of PEOPLE) await connection.query(text, [id, COLLABORATORS]);
    for (let from = 0; from < opportunities; from += CHUNK) {
      const until = Math.min(from + CHUNK, opportunities);
      await connection.query('begin');
      await connection.query(CHOOSE, [organizationIds, from, until - 1, opportunities, COLLABORATORS]);
      for (const text of WRITE) await connection.query(text);
      await connection.query('drop table chosen; commit');
      printLine(`${until} of ${opportunities} opportunities`);
    }
    printLine('payouts');
    for (const text of PAY) await connection.query(text);
    printLine('ledger');
    await connection.query(LEDGER);
    for (const text of AFTERWARDS) await connection.query(text, text.includes('$1') ? [opportunities] : []);
    await buildUp(connection, indexes, printLine);
  } finally {
    connection.release(true);
  }
  printLine('analyze');
  await database.query('analyze');
  printLine('writing the ledger chain');
  // The running service may be extending the chain, so wait for it if nothing was left to extend here.
  while (await hasUnchained(database)) if ((await extendChains(database)) === 0) await setTimeout(CHAIN_MS);
  printLine('vacuum and checkpoint');
  await database.query('vacuum (freeze, analyze)');
  await database.query('checkpoint');
  printLine(`filled in ${Math.round((performance.now() - started) / 1000)} s`);
  return { organizationIds };
}

type Index = { readonly name: string; readonly definition: string };

/** Indexes that the background work needs during the fill. */
const KEPT = ['conversions_due', 'ledger_entries_unchained'];

/**
 * Drops the indexes of the tables in GROWING, except KEPT and the indexes of constraints, and disables autovacuum.
 * Returns the dropped indexes. Rebuilding an index takes a fraction of the time that updating it would take.
 */
async function takeDown(connection: Connection): Promise<readonly Index[]> {
  const { rows } = await connection.query<Index>(
    `select x.indexrelid::regclass::text as name, replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ') as definition
     from pg_index x
     where x.indrelid = any ($1::regclass[]) and x.indexrelid <> all ($2::regclass[])
       and not exists (select from pg_constraint where conindid = x.indexrelid)
     order by 1`,
    [GROWING, KEPT],
  );
  for (const { name } of rows) await connection.query(`drop index ${name}`);
  for (const name of await leaves(connection))
    await connection.query(`alter table ${name} set (autovacuum_enabled = off)`);
  return rows;
}

async function buildUp(connection: Connection, indexes: readonly Index[], printLine: PrintLine): Promise<void> {
  await connection.query(`set maintenance_work_mem = '512MB'`);
  for (const { name, definition } of indexes) {
    printLine(`index ${name}`);
    await connection.query(definition);
  }
  for (const name of await leaves(connection)) await connection.query(`alter table ${name} reset (autovacuum_enabled)`);
}

const GROWING = [
  'opportunities',
  'visits',
  'engagements',
  'transactions',
  'transaction_lines',
  'events',
  'explanations',
  'conversions',
  'obligations',
  'ledger_entries',
  'payouts',
];

/** Returns the tables that store the rows of GROWING: ordinary tables, and the partitions of partitioned tables. */
async function leaves(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>(
    `select coalesce(i.inhrelid, t.oid)::regclass::text as name
     from unnest($1::regclass[]) as t (oid) left join pg_inherits i on i.inhparent = t.oid`,
    [GROWING],
  );
  return rows.map(({ name }) => name);
}

async function hasUnchained(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ waits: boolean }>(
    `select exists (
       select from ledger_chain s join ledger_entries e on e.xid >= s.chained_below and e.id > s.after_id) as waits`,
  );
  return rows[0]?.waits === true;
}

/**
 * Ids continue from the sequences. Each opportunity uses five event ids: visit, sale, decision, refund and rejection.
 */
const BASES = `
  create temp table bases as select
    (select nextval('event_ids')) as event, (select nextval('opportunity_ids')) as opportunity,
    (select nextval('engagement_ids')) as engagement, (select nextval('transaction_ids')) as transaction,
    (select coalesce(max(id), 0) + 1 from conversions) as conversion,
    (select coalesce(max(id), 0) + 1 from obligations) as obligation, now() as until`;

const PROGRAM = `
  with program as (
    insert into programs (organization_id, version) select $1::bigint, 1 from generate_series(1, 2) returning id
  ), changed as (
    update organizations set config_version = config_version + 1 where id = $1::bigint returning config_version
  )
  insert into program_versions
    (organization_id, program_id, version, config_version, name, status, currency, window_days, attribution, reward,
     counted_lines, triggers, pays, auto_approve, enrollment, credits_per, collaborator_rewards)
  select $1::bigint, id, 1, config_version, 'Filled ' || id, 'active', 'USD', 30, 'last-touch',
    '{"type": "percent", "ratePpm": 100000}', '{product,discount}', '{"site-visit": 1}', '{sale}', true, 'everyone',
    'sale', '[]'
  from program cross join changed`;

const PEOPLE = [
  `insert into collaborators (organization_id, name, email, status)
   select $1::bigint, 'Filled ' || n, 'filled-' || n || '@example.com', 'active' from generate_series(1, $2::int) n`,
  `insert into collaborator_versions (organization_id, collaborator_id, config_version, status)
   select c.organization_id, c.id, g.config_version, c.status
   from collaborators c join organizations g on g.id = c.organization_id
   where c.organization_id = $1::bigint and c.name like 'Filled %' limit $2::int`,
  `insert into aliases (organization_id, collaborator_id, type, code, code_key, from_version)
   select c.organization_id, c.id, 'tracking', 'filled-' || c.id, 'filled-' || c.id, g.config_version
   from collaborators c join organizations g on g.id = c.organization_id
   where c.organization_id = $1::bigint and c.name like 'Filled %' limit $2::int`,
  `insert into filled_people
   select $1::bigint, row_number() over (order by id), id from (
     select id from collaborators where organization_id = $1::bigint and name like 'Filled %' order by id limit $2::int
   ) c`,
  // Other programs may exist already, so use the two newest programs.
  `insert into filled_programs
   select $1::bigint, row_number() over (order by id desc), id from (
     select id from programs where organization_id = $1::bigint and version = 1 and $2::int > 0 order by id desc limit 2
   ) p`,
];

const CAST = `
  create temp table filled_people (organization_id bigint, place bigint, id bigint);
  create temp table filled_programs (organization_id bigint, place bigint, id bigint)`;

/** Returns an SQL expression for a number from 0 to 1 that looks random, but depends only on `n` and `salt`. */
const chance = (salt: number): string => `((hashint8(n * 8 + ${salt})::bigint & 2147483647) / 2147483648.0)`;

/**
 * Chooses the outcome of each opportunity in a chunk. A merged opportunity is merged into the opportunity ten places
 * before it, in the same organization.
 */
const CHOOSE = `
  create temp table chosen as
  select n, organization_id, b.opportunity + n as opportunity_id, b.event + 5 * n as visit_id, b.engagement + n as engagement_id,
    b.transaction + n as transaction_id, b.conversion + n as conversion_id, b.obligation + n as obligation_id,
    p.id as collaborator_id, q.id as program_id,
    b.until - ${SPAN} * (($4::int - n)::float8 / $4::int) as at,
    case when ${chance(3)} < 0.2 then 1000000 + n end as user_id,
    n / 10 % 10 = 0 as sells, n >= 10 and n % 1000 = 7 as merges, ${chance(4)} < 0.05 as refunded,
    case when ${chance(5)} < 0.9 then 'USD' when ${chance(5)} < 0.99 then 'EUR' else 'JPY' end as currency,
    1000 + floor(${chance(6)} * 20000)::bigint as total, ${chance(7)} < 0.9 as shop, g.config_version
  from (
    select n, ($1::bigint[])[case when n % 1000 = 9 then 4 when n % 10 < 7 then 1 when n % 10 < 9 then 2 else 3 end]
      as organization_id
    from generate_series($2::bigint, $3::bigint) n
  ) i
  join filled_people p using (organization_id) join filled_programs q using (organization_id)
  join organizations g on g.id = organization_id cross join bases b
  where p.place = 1 + floor($5::int * power(${chance(1)}, 10))::int
    and q.place = case when ${chance(2)} < 0.02 then 1 else 2 end`;

const SOLD = `from chosen where sells and not merges order by n`;
const REFUNDED = `from chosen where sells and not merges and refunded order by n`;
const REWARD = 'round(total / 10.0)::bigint';

const WRITE = [
  `insert into opportunities (organization_id, id, user_id, user_since, merged_into, merged_by, created_at)
   select organization_id, opportunity_id, case when not merges then user_id end,
     case when not merges and user_id is not null then visit_id end, case when merges then opportunity_id - 10 end,
     case when merges then visit_id + 1 end, at
   from chosen order by n`,
  `insert into visits (organization_id, id, opportunity_id, collaborator_id, config_version, occurred_at)
   select organization_id, visit_id, opportunity_id, collaborator_id, config_version, at from chosen order by n`,
  `insert into engagements
     (organization_id, id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at,
      last_at, closed_by, status, absorbed_seq)
   select organization_id, engagement_id, opportunity_id, program_id, collaborator_id, 1, visit_id, visit_id, at, at,
     case when merges then visit_id + 1 end, case when merges then 'invalid' else 'active' end,
     case when merges then visit_id + 1 end
   from chosen order by n`,
  `insert into transactions
     (organization_id, id, source, external_id, event_id, opportunity_id, reported_opportunity_id, opportunity_state, total,
      refunded_amount, currency, status, content_hash, occurred_at, refunded_at)
   select organization_id, transaction_id, case when shop then 'shop' else 'market' end, 'filled-' || n, visit_id + 1,
     opportunity_id, opportunity_id, 'active', total, case when refunded then total else 0 end, currency,
     case when refunded then 'refunded' else 'complete' end, sha256(convert_to(n::text, 'UTF8')), at,
     case when refunded then at + interval '1 hour' end
   ${SOLD}`,
  `insert into transaction_lines (organization_id, transaction_id, position, name, type, quantity, amount)
   select organization_id, transaction_id, 1, 'Order', 'product', 1, total ${SOLD}`,
  `insert into events (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
   select organization_id, visit_id + 1, 'SaleTriggered', case when shop then 'shop' else 'market' end, opportunity_id,
     transaction_id, config_version, at
   ${SOLD}`,
  `insert into events
     (organization_id, id, type, source, opportunity_id, transaction_id, config_version, refunded, occurred_at)
   select organization_id, visit_id + 3, 'RefundTriggered', case when shop then 'shop' else 'market' end, opportunity_id,
     transaction_id, config_version, total, at + interval '1 hour'
   ${REFUNDED}`,
  `insert into explanations
     (organization_id, transaction_id, event_id, decided_at, decided_seq, base, currency, candidates)
   select organization_id, transaction_id, visit_id + 1, at, visit_id + 2, total, currency,
     jsonb_build_array(jsonb_build_object('programId', program_id, 'programVersion', 1, 'collaboratorId', collaborator_id,
       'outcome', 'won', 'engagementId', engagement_id, 'score', 1, 'firstAt', (extract(epoch from at) * 1000000)::bigint,
       'lastAt', (extract(epoch from at) * 1000000)::bigint, 'base', total, 'quantity', 1, 'weight', 1,
       'reward', ${REWARD}, 'share', ${REWARD}))
   ${SOLD}`,
  `insert into conversions
     (organization_id, id, type, status, transaction_id, opportunity_id, program_id, program_version, collaborator_id,
      engagement_id, awarded, amount, currency, reason, created_at, updated_at, decided_seq, rejected_seq, weight)
   select organization_id, conversion_id, 'sale', case when refunded then 'rejected' else 'approved' end, transaction_id,
     opportunity_id, program_id, 1, collaborator_id, engagement_id, ${REWARD}, case when refunded then 0 else ${REWARD} end,
     currency, case when refunded then 'refunded' end, at, case when refunded then at + interval '1 hour' else at end,
     visit_id + 2, case when refunded then visit_id + 4 end, 1
   ${SOLD}`,
  `insert into obligations
     (organization_id, id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
   select organization_id, obligation_id, conversion_id, collaborator_id, ${REWARD}, currency,
     case when refunded then 'rejected' else 'pending' end, at, case when refunded then at + interval '1 hour' else at end
   ${SOLD}`,
];

/** Creates one paid payout run for each organization, month and currency. */
const PAY = [
  `create temp table paid as
   select o.organization_id, o.id as obligation_id, o.collaborator_id, o.currency, o.amount,
     date_trunc('month', o.created_at) + interval '1 month' as at
   from obligations o cross join bases b
   where o.status = 'pending' and date_trunc('month', o.created_at) + interval '1 month' < b.until - ${UNPAID}`,
  `create temp table runs as
   select organization_id, currency, at, nextval(pg_get_serial_sequence('fulfillments', 'id')) as id
   from (select distinct organization_id, currency, at from paid order by at) r`,
  `insert into fulfillments (organization_id, id, currency, status, author, created_at, updated_at)
   overriding system value select organization_id, id, currency, 'complete', 'bench', at, at from runs`,
  `create temp table paying as
   select organization_id, r.id as fulfillment_id, collaborator_id, currency, at, amount, obligation_ids,
     nextval(pg_get_serial_sequence('payouts', 'id')) as id
   from (
     select organization_id, currency, at, collaborator_id, sum(amount) as amount, array_agg(obligation_id) as obligation_ids
     from paid group by 1, 2, 3, 4
   ) p join runs r using (organization_id, currency, at)`,
  `insert into payouts
     (organization_id, id, fulfillment_id, collaborator_id, currency, amount, status, paid_at, created_at, updated_at)
   select organization_id, id, fulfillment_id, collaborator_id, currency, amount, 'paid', at, at, at from paying`,
  `update obligations o set status = 'fulfilled', payout_id = p.payout_id, updated_at = p.at
   from (select organization_id, id as payout_id, at, unnest(obligation_ids) as id from paying) p
   where o.organization_id = p.organization_id and o.id = p.id`,
];

/** Ledger entries must be in time order, so the awards of a month precede its payout run. */
const LEDGER = `
  insert into ledger_entries
    (organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id, payout_id, occurred_at)
  select organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id, payout_id, at
  from (
    select o.organization_id, e.kind, o.collaborator_id, o.currency, o.amount, e.debit, e.credit, o.id as obligation_id,
      e.payout_id, e.at
    from obligations o cross join bases b
    cross join lateral (values
      ('award', 'expense', 'pending', null::bigint, o.created_at, true),
      ('reject', 'pending', 'expense', null, o.updated_at, o.status = 'rejected'),
      ('fulfil', 'pending', 'in-payout', o.payout_id, o.updated_at, o.status = 'fulfilled')
    ) e (kind, debit, credit, payout_id, at, happened)
    where o.id >= b.obligation and e.happened
    union all
    select organization_id, 'pay', collaborator_id, currency, amount, 'in-payout', 'paid', null, id, at from paying
  ) e
  order by at, kind, obligation_id, payout_id`;

const AFTERWARDS = [
  `select setval('event_ids', b.event + 5 * $1::bigint), setval('opportunity_ids', b.opportunity + $1),
     setval('engagement_ids', b.engagement + $1), setval('transaction_ids', b.transaction + $1),
     setval(pg_get_serial_sequence('conversions', 'id'), b.conversion + $1),
     setval(pg_get_serial_sequence('obligations', 'id'), b.obligation + $1)
   from bases b`,
];
