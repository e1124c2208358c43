import type { CollaboratorId, ProgramId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import {
  type ChangedHands,
  type Compared,
  type ComparedMonth,
  type ComparedPartner,
  type ComparedSale,
  type ComparedTotal,
  MAX_DIFFERING,
  MAX_EXPLAINED,
  MAX_HANDS,
  MAX_PARTNERS,
} from '../domain/backtest.ts';

/*
 * The commissions of the period, in the books and in the books of a draft, and their comparison.
 */

/** Creates the table of commissions, with the commissions in the books. */
export async function recordOutcomes({ connection }: Tenant<Connection>): Promise<void> {
  await connection.query(`
    create temp table outcomes (
      is_drafted boolean not null,
      transaction_id bigint not null,
      collaborator_id bigint not null,
      program_id bigint not null,
      program_version integer not null,
      by_quantity boolean not null,
      currency text not null,
      amount bigint not null
    );
    create index on outcomes (transaction_id);
    create temp table sums (transaction_id bigint, collaborator_id bigint, currency text, recorded bigint, drafted bigint);
    create index on sums (transaction_id);
    insert into outcomes ${OUTCOMES('false', 'recorded_conversions')}`);
}

const OUTCOMES = (isDrafted: string, table: string): string => `
select ${isDrafted}, c.transaction_id, c.collaborator_id, c.program_id, c.program_version, c.by_quantity, c.currency, c.amount
from chosen t
cross join lateral (
  select * from ${table} c where c.organization_id = t.organization_id and c.transaction_id = t.transaction_id offset 0
) c
where t.is_in_period and c.status <> 'rejected' and c.amount > 0`;

/** Adds the commissions of a decided draft. Transactions that are not decided again have their recorded commissions. */
export async function saveOutcomes({ connection }: Tenant<Connection>): Promise<void> {
  await connection.query('delete from outcomes where is_drafted');
  await connection.query(`insert into outcomes ${OUTCOMES('true', 'conversions')} and t.is_decided`);
  await connection.query(`insert into outcomes ${OUTCOMES('true', 'recorded_conversions')} and not t.is_decided`);
  await connection.query('delete from sums');
  await connection.query(`
    insert into sums
    select transaction_id, collaborator_id, currency,
      coalesce(sum(amount) filter (where not is_drafted), 0), coalesce(sum(amount) filter (where is_drafted), 0)
    from outcomes
    group by 1, 2, 3`);
}

/** SQL columns of two sums. They are texts, because a sum can exceed the range of a bigint. */
const BOTH = 'sum(recorded)::text as recorded, sum(drafted)::text as drafted';

type Row<Of extends Compared> = {
  readonly [Field in keyof Of]: Of[Field] extends Minor ? string : Of[Field];
};

function readCompared<Of extends Compared>(row: Row<Of>): Of {
  const { recorded, drafted, revenue } = row as Row<Of> & { recorded: string; drafted: string; revenue?: string };
  return {
    ...row,
    recorded: BigInt(recorded),
    drafted: BigInt(drafted),
    ...(revenue === undefined ? {} : { revenue: BigInt(revenue) }),
  } as unknown as Of;
}

/** SQL for the revenue of each transaction in the period. */
const REVENUE = `
select t.currency, t.total - t.refunded_amount as revenue, t.occurred_at
from chosen c
cross join lateral (
  select * from transactions t where t.organization_id = c.organization_id and t.id = c.transaction_id offset 0
) t
where c.is_in_period`;

/** SQL for the earners of each transaction in each currency. */
const EARNERS = `
select transaction_id, currency, sum(recorded) as recorded, sum(drafted) as drafted,
  sum(abs(drafted - recorded)) as difference,
  coalesce(array_agg(collaborator_id order by collaborator_id) filter (where recorded > 0), '{}') as recorded_earners,
  coalesce(array_agg(collaborator_id order by collaborator_id) filter (where drafted > 0), '{}') as drafted_earners
from sums group by transaction_id, currency`;

/** SQL for the names under which a transaction `e.transaction_id` was reported. */
const REPORTED_AS = `
cross join lateral (
  select source, external_id from transactions t where t.organization_id = $1 and t.id = e.transaction_id offset 0
) t`;

/**
 * SQL condition for transactions that change hands: both sides have earners, and they are not the same collaborators.
 */
const CHANGES_HANDS = `recorded_earners <> drafted_earners and recorded_earners <> '{}' and drafted_earners <> '{}'`;

/** The sums of a currency, without the quotients. */
export type TotalSums = Omit<ComparedTotal, 'recordedPpm' | 'draftedPpm'>;

export async function readTotals({ connection }: Tenant<Connection>): Promise<TotalSums[]> {
  const { rows } = await connection.query<Row<TotalSums>>(`
    with commissions as materialized (select currency, ${BOTH} from sums group by currency),
    revenues as materialized (select currency, sum(revenue) as revenue from (${REVENUE}) r group by currency),
    partners as materialized (
      select currency, count(*) filter (where drafted > recorded) as gaining,
        count(*) filter (where drafted < recorded) as losing
      from (
        select currency, collaborator_id, sum(recorded) as recorded, sum(drafted) as drafted from sums group by 1, 2
      ) p group by currency
    ), hands as materialized (
      select currency, count(*) as changing from (${EARNERS}) e where ${CHANGES_HANDS} group by currency
    )
    select currency, coalesce(c.recorded, '0') as recorded, coalesce(c.drafted, '0') as drafted,
      coalesce(r.revenue, 0)::text as revenue, coalesce(p.gaining, 0) as gaining, coalesce(p.losing, 0) as losing,
      coalesce(h.changing, 0) as "changingHands"
    from commissions c
    full join revenues r using (currency)
    left join partners p using (currency)
    left join hands h using (currency)
    order by currency`);
  return rows.map((row) => readCompared<TotalSums>(row));
}

export async function readPartners({ connection, organizationId }: Tenant<Connection>): Promise<ComparedPartner[]> {
  const { rows } = await connection.query<Row<ComparedPartner>>(
    `select r.currency, r.collaborator_id as "collaboratorId", c.name, r.recorded::text, r.drafted::text
     from (
       select currency, collaborator_id, sum(recorded) as recorded, sum(drafted) as drafted,
         row_number() over (
           partition by currency
           order by abs(sum(drafted) - sum(recorded)) desc, sum(recorded) desc, collaborator_id
         ) as nth
       from sums group by 1, 2
     ) r
     join collaborators c on c.organization_id = $1 and c.id = r.collaborator_id
     where r.nth <= $2
     order by r.currency, r.nth`,
    [organizationId, MAX_PARTNERS],
  );
  return rows.map((row) => readCompared<ComparedPartner>(row));
}

export async function readMonths({ connection, organizationId }: Tenant<Connection>): Promise<ComparedMonth[]> {
  const { rows } = await connection.query<Row<ComparedMonth>>(
    `with zone as materialized (select time_zone from organizations where id = $1),
     commissions as (
       select s.currency, t.occurred_at, s.recorded, s.drafted, 0 as revenue
       from sums s
       cross join lateral (
         select occurred_at from transactions t where t.organization_id = $1 and t.id = s.transaction_id offset 0
       ) t
       union all
       select currency, occurred_at, 0, 0, revenue from (${REVENUE}) r
     )
     select currency, to_char(occurred_at at time zone (select time_zone from zone), 'YYYY-MM') as month, ${BOTH},
       sum(revenue)::text as revenue
     from commissions group by 1, 2 order by 1, 2`,
    [organizationId],
  );
  return rows.map((row) => readCompared<ComparedMonth>(row));
}

export async function readChangedHands({ connection, organizationId }: Tenant<Connection>): Promise<ChangedHands[]> {
  const { rows } = await connection.query<Row<ChangedHands>>(
    `select transaction_id as "transactionId", source, external_id as "externalId", currency, recorded::text,
       drafted::text, recorded_earners as "recordedEarners", drafted_earners as "draftedEarners"
     from (
       select *, row_number() over (partition by currency order by difference desc, transaction_id) as nth
       from (${EARNERS}) e where ${CHANGES_HANDS}
     ) e
     ${REPORTED_AS}
     where nth <= $2 order by currency, nth`,
    [organizationId, MAX_HANDS],
  );
  return rows.map((row) => readCompared<ChangedHands>(row));
}

export type DifferingSale = Omit<ComparedSale, 'recordedText' | 'draftedText' | 'namedIds'>;

/**
 * Returns the transactions with the largest differences, up to MAX_DIFFERING for each currency and MAX_EXPLAINED in
 * total. A difference is a sum over all collaborators.
 */
export async function findDiffering({ connection, organizationId }: Tenant<Connection>): Promise<DifferingSale[]> {
  const { rows } = await connection.query<Row<DifferingSale>>(
    `select transaction_id as "transactionId", source, external_id as "externalId", currency, recorded::text,
       drafted::text
     from (
       select *, row_number() over (partition by currency order by difference desc, transaction_id) as nth
       from (${EARNERS}) e where difference > 0
     ) e
     ${REPORTED_AS}
     where nth <= $2 order by nth, currency limit $3`,
    [organizationId, MAX_DIFFERING, MAX_EXPLAINED],
  );
  return rows
    .map((row) => readCompared<DifferingSale>(row))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : one.currency > other.currency ? 1 : 0));
}

/** A commission in the books or in the books of a draft. */
export type Outcome = {
  readonly isDrafted: boolean;
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly collaboratorId: CollaboratorId;
  readonly byQuantity: boolean;
  readonly currency: string;
  readonly amount: Minor;
};

/** Returns the commissions of the next `limit` transactions with commissions, in the order of the transactions. */
export async function readOutcomes(
  { connection }: Tenant<Connection>,
  after: TransactionId,
  limit: number,
): Promise<Outcome[]> {
  const { rows } = await connection.query<Omit<Outcome, 'amount'> & { readonly amount: number }>(
    `select is_drafted as "isDrafted", transaction_id as "transactionId", program_id as "programId",
       program_version as "programVersion", collaborator_id as "collaboratorId", by_quantity as "byQuantity",
       currency, amount
     from outcomes
     where transaction_id > $1 and transaction_id <= coalesce((
       select max(id) from (
         select distinct transaction_id as id from outcomes where transaction_id > $1 order by 1 limit $2
       ) t
     ), 0)
     order by transaction_id`,
    [after, limit],
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) as Minor }));
}

/**
 * Runs `work` while the scratch books contain the recorded decisions on the given transactions. Must run in a
 * transaction, because the change is rolled back.
 */
export async function withRecordedDecisions<Result>(
  { connection }: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.query('savepoint recorded');
  for (const table of ['explanations', 'conversions']) {
    await connection.query(`delete from pg_temp.${table} where transaction_id = any ($1::bigint[])`, [transactionIds]);
  }
  await connection.query('alter table pg_temp.conversions disable trigger user');
  for (const table of ['explanations', 'conversions']) {
    await connection.query(
      `insert into pg_temp.${table} select * from recorded_${table} where transaction_id = any ($1::bigint[])`,
      [transactionIds],
    );
  }
  const result = await work();
  await connection.query('rollback to recorded; release recorded');
  return result;
}

/** Returns the recorded decisions that completed engagements, with the programs of these engagements. */
export async function findCompleting({
  connection,
}: Tenant<Connection>): Promise<Map<TransactionId, ReadonlySet<ProgramId>>> {
  const { rows } = await connection.query<{ id: TransactionId; programs: ProgramId[] }>(
    `select c.transaction_id as id, array_agg(distinct g.program_id) as programs
     from recorded_engagements g join chosen c on c.event_id = g.closed_by
     where c.completes group by 1`,
  );
  return new Map(rows.map(({ id, programs }) => [id, new Set(programs)]));
}
