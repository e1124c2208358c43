import type { OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import { type Connection, type Database, inTransaction, type Queryable } from './database.ts';
import { alone, KEPT_SINCE } from './partitions.ts';

/**
 * When the oldest event happened that is yet to be decided; else now. Also parked ones count: they may be retried. An hour
 * less, since one that is being written can't be seen, and has the time at which its transaction began. A look-up for
 * each organization, however many events wait.
 */
const DECIDED_FROM = `(coalesce((
  select min(e.occurred_at)
  from organizations o
  cross join lateral (select event_id from jobs where organization_id = o.id order by event_id limit 1) j
  cross join lateral (select occurred_at from events where organization_id = o.id and id = j.event_id offset 0) e
), now()) - interval '1 hour')`;

/**
 * The longest window, in days, of any version of a program that may still decide: the newest of each that is not deleted,
 * and those that were in force when the oldest event that waits happened, or a day before it.
 */
export async function longestWindowDays(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ days: number | null }>({
    name: 'longest-window-days',
    text: `
      select max(v.window_days) as days
      from program_versions v
      where v.status <> 'deleted' and not exists (
        select from program_versions n
        where n.organization_id = v.organization_id and n.program_id = v.program_id and n.version > v.version
          and n.created_at < ${DECIDED_FROM} - interval '1 day')`,
  });
  return rows[0]?.days ?? 0;
}

/**
 * Drops the oldest partition of visits if all of them are older than `days`, and so much older than any event that is yet
 * to be decided; answers whether it has. Visits may wait for it for a moment; where others hold the table for longer, it
 * is left for the next time. Nothing of what was earned is touched: conversions and explanations hold their own facts.
 */
export async function dropOldVisits(database: Database, days: number): Promise<boolean> {
  // Asked before any lock is taken, and again under it: another process may have dropped it since.
  if ((await findOldPartition(database, days)) === undefined) return false;
  const dropped = await alone(database, async (connection) => {
    const number = await findOldPartition(connection, days);
    if (number === undefined) return false;
    await connection.query('delete from visit_partitions where number = $1', [number]);
    // Last: from here on visits wait, and must not for the one who looks through opportunities.
    await connection.query('select drop_visit_partition($1)', [number]);
    return true;
  });
  return dropped === true;
}

/** The oldest partition, if the next one was begun long enough ago. */
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
 * After visits were dropped: removes opportunities that nothing remembers any more, with their engagements: no visit, no
 * transaction, no user, no merge. It looks at the `limit` next ones of one organization, by their ids; answers whether
 * there are more to look at. One process does it at a time.
 */
export function sweepOpportunities(database: Database, limit: number): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    const sweep = await holdSweep(connection);
    if (sweep === undefined) return false;
    const { organizationId, after } = sweep;
    const { rows } = await connection.query<{ id: OpportunityId; old: boolean; bare: boolean }>(
      `select id, created_at <= ${KEPT_SINCE} as old, user_id is null and merged_into is null as bare
       from opportunities where organization_id = $1 and id > $2 order by id limit $3`,
      [organizationId, after, limit],
    );
    await removeForgotten(
      connection,
      organizationId,
      rows.filter(({ old, bare }) => old && bare).map(({ id }) => id),
    );
    // Their ids grow with time: from the first that is young on all are.
    const last = rows.at(-1);
    const hasMore = rows.length === limit && last?.old === true;
    return hasMore ? goOn(connection, organizationId, last.id) : toNextOrganization(connection, organizationId);
  });
}

type Sweep = { readonly organizationId: OrganizationId; readonly after: OpportunityId };

/** Where the sweep has come to; undefined where there is none, or another process is at it. */
async function holdSweep(connection: Connection): Promise<Sweep | undefined> {
  const { rows } = await connection.query<Sweep>(
    `select swept_organization_id as "organizationId", swept_opportunity_id as after
     from visit_partitions
     where number = (select min(number) from visit_partitions) and number > 0 and swept_at is null
     for update skip locked`,
  );
  return rows[0];
}

/**
 * Locked first, and looked at in a statement of its own: it sees what those have committed who held the lock before, such
 * as a sale. Who waits for the lock finds the opportunity gone, as one that was removed long ago.
 */
async function removeForgotten(
  connection: Connection,
  organizationId: OrganizationId,
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
         -- Each a look-up by index, whatever a planner thinks of joins.
         and (select m.id from opportunities m where m.organization_id = $1 and m.merged_into = o.id limit 1) is null
         and (select v.id from visits v where v.organization_id = $1 and v.opportunity_id = o.id limit 1) is null
         and (select t.id from transactions t where t.organization_id = $1 and t.opportunity_id = o.id limit 1) is null
       returning o.id
     )
     delete from engagements where organization_id = $1 and opportunity_id = any (array(select id from gone))`,
    [organizationId, rows.map(({ id }) => id)],
  );
}

async function goOn(connection: Connection, organizationId: OrganizationId, after: OpportunityId): Promise<boolean> {
  await connection.query(
    `update visit_partitions set swept_organization_id = $1, swept_opportunity_id = $2
     where number = (select min(number) from visit_partitions)`,
    [organizationId, after],
  );
  return true;
}

/** Answers whether there is one; after the last the sweep is over until visits are dropped again. */
async function toNextOrganization(connection: Connection, organizationId: OrganizationId): Promise<boolean> {
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
 * Of these transactions those whose visits, or some of them, may be gone: what decided them can't be told any more. By
 * when their opportunities were created, the ones that were merged into them too.
 */
export async function findBeyondMemory(
  connection: Queryable,
  organizationId: OrganizationId,
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
 * Keeps visits from being dropped until the transaction ends. To be called before anything is read: a snapshot does not
 * bring back a table that was dropped since.
 */
export async function holdVisits(connection: Connection): Promise<void> {
  await connection.query('lock table visits in access share mode');
}
