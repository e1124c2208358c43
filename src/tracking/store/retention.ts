import type { OpportunityId, OrganizationId, TransactionId } from '#core/ids.ts';
import { type Connection, type Database, inTransaction, type Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { KEPT_SINCE, runAlone } from '#platform/postgres/partitions.ts';

/**
 * SQL for the time one hour before the oldest undecided event was reported, or one hour ago if there is none.
 * Dead-lettered events count too, because they may be retried. The hour is subtracted, because an event that is being
 * written is invisible, and has the start time of its transaction. The SQL takes one lookup for each organization,
 * however many events are pending.
 */
const DECIDED_FROM = `(coalesce((
  select min(e.came_at)
  from organizations o
  cross join lateral (select event_id from jobs where organization_id = o.id order by event_id limit 1) j
  cross join lateral (select coalesce(reported_at, occurred_at) as came_at from events where organization_id = o.id and id = j.event_id offset 0) e
), now()) - interval '1 hour')`;

/**
 * Returns the longest window, in days, of any program version that may still be used in a decision, or 0 if there are
 * none. These versions are:
 *
 * - the newest version of each program that is not deleted
 * - all versions that were in force at any time since one day before `DECIDED_FROM`
 */
export async function longestWindowDays(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ days: number | null }>({
    name: 'longest-window-days',
    text: `
      select max(v.window_days) as days
      from programs p
      left join lateral (
        select version from program_versions
        where organization_id = p.organization_id and program_id = p.id and created_at < ${DECIDED_FROM} - interval '1 day'
        order by version desc limit 1
      ) oldest on true
      join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id
        and v.version >= coalesce(oldest.version, 0)
      where v.status <> 'deleted'`,
  });
  return rows[0]?.days ?? 0;
}

/**
 * Drops the oldest partition of visits if all its visits are more than `days` days old, and more than `days` days older
 * than every undecided event. Returns whether it dropped a partition. Visits may wait briefly for the drop. If other
 * transactions lock the table for longer, the drop is postponed. Earnings are not affected, because conversions and
 * explanations store their own facts.
 */
export async function dropOldVisits(database: Database, days: number): Promise<boolean> {
  // Look for an old partition before taking a lock, and again under the lock, because another process may have dropped
  // the partition since.
  if ((await findOldPartition(database, days)) === undefined) return false;
  const dropped = await runAlone(database, async (connection) => {
    const number = await findOldPartition(connection, days);
    if (number === undefined) return false;
    await connection.query('delete from visit_partitions where number = $1', [number]);
    // Drop the table last, because the drop blocks visits until the commit. The previous statement may wait for a sweep
    // of opportunities, and visits must not wait for a sweep.
    await connection.query('select drop_visit_partition($1)', [number]);
    return true;
  });
  return dropped === true;
}

/** Returns the number of the oldest partition of visits, or undefined if its visits may still be needed. */
async function findOldPartition(connection: Queryable, days: number): Promise<number | undefined> {
  const { rows } = await connection.query<{ number: number }>(
    `select p.number
     from (select number from visit_partitions order by number limit 1) p
     join visit_partitions next on next.number = p.number + 1
     where next.opened_at < now() - make_interval(days => $1)
       and next.opened_at < ${DECIDED_FROM} - make_interval(days => $1)`,
    [days],
  );
  return rows[0]?.number;
}

/**
 * Removes opportunities without a visit, transaction, user or merge, and their engagements, after visits were dropped.
 * Checks the next `limit` opportunities of one organization, in order of id. Returns whether there are more to check,
 * or false if another process is running the sweep.
 */
export function sweepOpportunities(database: Database, limit: number): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    const sweep = await lockSweep(connection);
    if (sweep === undefined) return false;
    const { organizationId, after } = sweep;
    const { rows } = await connection.query<{ id: OpportunityId; old: boolean; bare: boolean }>(
      `select id, created_at <= ${KEPT_SINCE} as old, user_id is null and merged_into is null as bare
       from opportunities where organization_id = $1 and id > $2 order by id limit $3`,
      [organizationId, after, limit],
    );
    const tenant = { connection, organizationId };
    await removeUnreferenced(
      tenant,
      rows.filter(({ old, bare }) => old && bare).map(({ id }) => id),
    );
    // Ids grow with time, so all opportunities after the first recent opportunity are recent.
    const last = rows.at(-1);
    const hasMore = rows.length === limit && last?.old === true;
    return hasMore ? continueSweep(tenant, last.id) : moveToNextOrganization(tenant);
  });
}

type Sweep = { readonly organizationId: OrganizationId; readonly after: OpportunityId };

/**
 * Locks and returns the position of the sweep. Returns undefined if there is no sweep, or another process is running
 * it.
 */
async function lockSweep(connection: Connection): Promise<Sweep | undefined> {
  const { rows } = await connection.query<Sweep>(
    `select swept_organization_id as "organizationId", swept_opportunity_id as after
     from visit_partitions
     where number = (select min(number) from visit_partitions) and number > 0 and swept_at is null
     for update skip locked`,
  );
  return rows[0];
}

/**
 * Removes unreferenced opportunities and their engagements. Locks the opportunities first and checks them in a separate
 * statement, which sees changes by earlier lock holders, such as a sale. A transaction that waited for the lock finds
 * the opportunity removed, as if it had been removed long ago.
 */
async function removeUnreferenced(
  { connection, organizationId }: Tenant<Connection>,
  opportunityIds: readonly OpportunityId[],
): Promise<void> {
  if (opportunityIds.length === 0) return;
  const { rows } = await connection.query<{ id: OpportunityId }>(
    `select id from opportunities where organization_id = $1 and id = any ($2::bigint[])
     order by id for update skip locked`,
    [organizationId, opportunityIds],
  );
  await connection.query(
    `with gone as (
       delete from opportunities o
       where o.organization_id = $1 and o.id = any ($2::bigint[]) and o.user_id is null and o.merged_into is null
         -- Subqueries with a limit force lookups by index. The planner could choose slower joins.
         and (select m.id from opportunities m where m.organization_id = $1 and m.merged_into = o.id limit 1) is null
         and (select v.id from visits v where v.organization_id = $1 and v.opportunity_id = o.id limit 1) is null
         and (select t.id from transactions t where t.organization_id = $1 and t.opportunity_id = o.id limit 1) is null
       returning o.id
     )
     delete from engagements where organization_id = $1 and opportunity_id = any (array(select id from gone))`,
    [organizationId, rows.map(({ id }) => id)],
  );
}

async function continueSweep(
  { connection, organizationId }: Tenant<Connection>,
  after: OpportunityId,
): Promise<boolean> {
  await connection.query(
    `update visit_partitions set swept_organization_id = $1, swept_opportunity_id = $2
     where number = (select min(number) from visit_partitions)`,
    [organizationId, after],
  );
  return true;
}

/**
 * Moves the sweep to the next organization, and returns whether there is one. After the last organization, the sweep
 * ends until visits are dropped again.
 */
async function moveToNextOrganization({ connection, organizationId }: Tenant<Connection>): Promise<boolean> {
  const { rows } = await connection.query<{ next: OrganizationId | null }>(
    `update visit_partitions p
     set swept_organization_id = coalesce(o.next, p.swept_organization_id), swept_opportunity_id = 0,
       swept_at = case when o.next is null then now() end
     from (select min(id) as next from organizations where id > $1) o
     where p.number = (select min(number) from visit_partitions)
     returning o.next`,
    [organizationId],
  );
  return rows[0]?.next != null;
}

/**
 * Returns the transactions whose decisions can't be reproduced, because retention may have dropped visits of their
 * opportunities. Uses the creation times of the opportunities, including merged opportunities.
 */
export async function findIrreproducible(
  { connection, organizationId }: Tenant,
  transactionIds: readonly TransactionId[],
): Promise<Set<TransactionId>> {
  const { rows } = await connection.query<{ id: TransactionId }>(
    `with recursive member (transaction_id, event_id, id) as (
       select t.id, t.event_id, t.opportunity_id from transactions t
       where t.organization_id = $1 and t.id = any ($2::bigint[]) and t.opportunity_state = 'active'
         and t.type <> 'renewal'
       union all
       select m.transaction_id, m.event_id, o.id from member m
       cross join lateral (
         select o.id from opportunities o
         where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < m.event_id offset 0
       ) o
     )
     select distinct m.transaction_id as id
     from member m
     cross join lateral (
       select o.created_at from opportunities o where o.organization_id = $1 and o.id = m.id offset 0
     ) o
     where o.created_at <= ${KEPT_SINCE}`,
    [organizationId, transactionIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Prevents visits from being dropped until the transaction ends. Call it before the first read, because a snapshot
 * doesn't include a table that was dropped since.
 */
export async function lockVisits(connection: Connection): Promise<void> {
  await connection.query('lock table visits in access share mode');
}
