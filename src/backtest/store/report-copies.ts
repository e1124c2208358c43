import { COMPLETE_SCRATCH_BOOKS, COPY_REJECTION, EMPTY, shadow } from '#attribution/store/scratch-books.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/*
 * Copies of the reports and decisions that a backtest needs, in temporary tables that hide the real tables. The copies
 * belong to the session of a connection. Once they are complete, no snapshot of the database is needed.
 */

/** The number of transactions or opportunities whose rows one statement copies. */
const CHUNK = 5_000;

/** SQL for the rows of a table that belong to the chosen transaction `c` or to the opportunity `m`. */
type Copied = { readonly of: 'chosen' | 'members'; readonly rows: string };

const OF_TRANSACTION = (table: string): Copied => ({
  of: 'chosen',
  rows: `select * from ${table} where organization_id = $1 and transaction_id = c.transaction_id`,
});

const OF_OPPORTUNITY = (table: string): Copied => ({
  of: 'members',
  rows: `select * from ${table} where organization_id = $1 and opportunity_id = m.id`,
});

/** The copied tables that hide the real tables. */
const REPORTS: Readonly<Record<string, Copied>> = {
  transactions: {
    of: 'chosen',
    rows: 'select * from transactions where organization_id = $1 and id = c.transaction_id',
  },
  transaction_lines: OF_TRANSACTION('transaction_lines'),
  events: {
    of: 'chosen',
    rows: `
      select * from events where organization_id = $1 and id = c.event_id
      union all
      select * from events where organization_id = $1 and transaction_id = c.transaction_id
        and type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected', 'CreditGranted')`,
  },
  refunds: OF_TRANSACTION('refunds'),
  refund_lines: {
    of: 'chosen',
    rows: `
      select l.* from refunds f join refund_lines l on l.organization_id = $1 and l.event_id = f.event_id
      where f.organization_id = $1 and f.transaction_id = c.transaction_id`,
  },
  reversed_full_refunds: OF_TRANSACTION('reversed_full_refunds'),
  sale_corrections: OF_TRANSACTION('sale_corrections'),
  buyer_signals: OF_TRANSACTION('buyer_signals'),
  opportunities: { of: 'members', rows: 'select * from opportunities where organization_id = $1 and id = m.id' },
  visits: OF_OPPORTUNITY('visits'),
};

/** The tables of decisions, which are copied to `recorded_…`. */
const DECISIONS: Readonly<Record<string, Copied>> = {
  explanations: OF_TRANSACTION('explanations'),
  conversions: OF_TRANSACTION('conversions'),
  engagements: OF_OPPORTUNITY('engagements'),
};

/** Small tables of which all rows of the organization are copied, because an erasure changes or adds rows. */
const OF_ORGANIZATION = ['collaborator_versions', 'self_referral_tombstones'] as const;

/** Tables of the configuration, which drafts change. */
const CONFIGURATION = ['program_versions', 'program_group_versions', 'enrollments'] as const;

/**
 * Copies the rows of all selected transactions and opportunities, in statements of CHUNK transactions or opportunities.
 * Then hides the real tables with the copies. Calls `onStatement` before each statement that creates or fills a table.
 */
export async function copyReports(tenant: Tenant<Connection>, onStatement: () => void): Promise<void> {
  const { connection, organizationId } = tenant;
  const run = async (text: string, values?: readonly unknown[]): Promise<number> => {
    onStatement();
    return (await connection.query(text, values)).rowCount ?? 0;
  };
  const tables = [
    ...Object.entries(REPORTS).map(([table, copied]) => ({ table, copied, copy: `copied_${table}` })),
    ...Object.entries(DECISIONS).map(([table, copied]) => ({ table, copied, copy: `recorded_${table}` })),
  ];
  for (const { table, copy } of tables) await run(`create temp table ${copy} (like ${table} including all)`);
  await run(DROP_LIST_INDEXES);
  for (const kind of ['chosen', 'members'] as const) {
    const { rows } = await connection.query<{ last: number | null }>(`select max(n) as last from ${kind}`);
    for (let after = 0; after < (rows[0]?.last ?? 0); after += CHUNK) {
      for (const { copied, copy } of tables.filter((each) => each.copied.of === kind)) {
        const alias = kind === 'chosen' ? 'c' : 'm';
        await run(
          `insert into ${copy} select r.* from ${kind} ${alias} cross join lateral (${copied.rows} offset 0) r
           where ${alias}.n > $2 and ${alias}.n <= $3`,
          [organizationId, after, after + CHUNK],
        );
      }
    }
  }
  await run('create temp table recorded_jobs (like jobs including all)');
  await run('insert into recorded_jobs select * from jobs where organization_id = $1', [organizationId]);
  for (const table of OF_ORGANIZATION) {
    await run(`create temp table copied_${table} (like ${table} including all)`);
    await run(`insert into copied_${table} select * from ${table} where organization_id = $1`, [organizationId]);
  }
  for (const table of CONFIGURATION) {
    const columns = await findPlainColumns(connection, table);
    await run(`create temp table recorded_${table} (like ${table} including all)`);
    await run(`insert into recorded_${table} (${columns}) select ${columns} from ${table} where organization_id = $1`, [
      organizationId,
    ]);
  }
  await run(hideTables());
  await run(DROP_LIST_INDEXES);
}

/**
 * SQL that drops the copied indexes of lists, which decisions don't use. All of them have the condition `id > 0`.
 * Without them, the copies are written faster.
 */
const DROP_LIST_INDEXES = `
do $$
declare
  list_index regclass;
begin
  for list_index in
    select i.indexrelid::regclass from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = pg_my_temp_schema() and pg_get_expr(i.indpred, i.indrelid) like '%(id > 0)%'
  loop
    execute format('drop index %s', list_index);
  end loop;
end $$`;

/** Returns the columns of a table whose values are not generated, as SQL. */
export async function findPlainColumns(connection: Connection, table: string): Promise<string> {
  const { rows } = await connection.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return (rows[0] as { columns: string }).columns;
}

/** Returns SQL that hides the real tables with the copies, and with empty tables for decisions and configuration. */
function hideTables(): string {
  const copied = [...Object.keys(REPORTS), ...OF_ORGANIZATION];
  return `
alter table copied_visits add column recorded_reason text;
update copied_visits set recorded_reason = reason where reason is not null;
${[...Object.keys(DECISIONS), 'jobs', 'programs', ...EMPTY, ...CONFIGURATION].map(shadow).join('\n')}
${copied.map((table) => `alter table copied_${table} rename to ${table};`).join('\n')}
create temp view recorded_transactions as select * from transactions;
create temp table engaged_triples (
  organization_id bigint, opportunity_id bigint, program_id bigint, collaborator_id bigint
);
${COMPLETE_SCRATCH_BOOKS}
${TAKE_REVIEWS}`;
}

/**
 * SQL for the trigger that applies people's reviews to the conversions of a draft. A rejection applies to the same
 * commission. A commission that the books don't have is rejected if people rejected all commissions of the collaborator
 * on the transaction. A rejection keeps its position among the events.
 */
const TAKE_REVIEWS = `
create function pg_temp.take_reviews() returns trigger language plpgsql as $$
declare
  recorded recorded_conversions;
begin
  select * into recorded from recorded_conversions c
  where c.organization_id = new.organization_id and c.transaction_id = new.transaction_id
    and c.program_id = new.program_id and c.collaborator_id = new.collaborator_id and c.type = new.type;
  if found then
    if new.hold_reasons is not null then new.released_seq := recorded.released_seq; end if;
  elsif new.type <> 'manual' then
    select * into recorded from recorded_conversions c
    where c.organization_id = new.organization_id and c.transaction_id = new.transaction_id
      and c.collaborator_id = new.collaborator_id and c.type = new.type
    order by c.rejected_by_seq desc nulls first limit 1;
  end if;
  ${COPY_REJECTION}
  return new;
end $$;
create trigger conversions_reviewed before insert on conversions for each row execute function pg_temp.take_reviews();`;
