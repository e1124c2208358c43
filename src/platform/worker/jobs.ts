import type { EventId, OrganizationId, TransactionId } from '#core/ids.ts';
import type { Connection, Queryable } from '../postgres/database.ts';
import type { Tenant } from '../postgres/tenant.ts';

export type Job = {
  readonly eventId: EventId;
  readonly transactionId: TransactionId;
  readonly type:
    'SaleTriggered' | 'LeadTriggered' | 'RenewalTriggered' | 'RefundTriggered' | 'RefundReversed' | 'SaleCorrected';
};

/** A claimed job, with the data that is needed to release it. */
export type ClaimedJob = Job & { readonly attempts: number; readonly error: string | null };

/** The `run_at` of a job that is due immediately, in SQL. It is due even if the clock is set back. */
export const AT_ONCE = `'-infinity'::timestamptz`;

/** The number of attempts before an event is dead-lettered. The gaps between them are 1, 4, 16 and 64 seconds. */
export const MAX_ATTEMPTS = 5;
const LAST_GAP_SECONDS = 64;

/**
 * SQL condition for jobs that are due. A time further ahead than the longest gap was set while the database's clock was
 * ahead, so it counts as past. `infinity` never counts as past.
 */
const DUE = `(run_at <= now() or (run_at > now() + interval '${LAST_GAP_SECONDS} seconds' and run_at < 'infinity'))`;

/**
 * The next task of a worker: an organization with jobs, an organization with conversions due for approval, an
 * organization with events of connectors, and the ledger chain.
 */
export type Turn = {
  readonly jobsOf: OrganizationId | null;
  readonly approvalsOf: OrganizationId | null;
  readonly eventsOf: OrganizationId | null;
  /** Whether there are ledger entries to add to the ledger chain. */
  readonly unchained: boolean;
};

/**
 * Returns the next task of a worker, in one cheap query. Organizations with jobs take turns, starting after `previous`,
 * so that a flood of one organization doesn't block other organizations. For events of connectors, the oldest event of
 * an organization other than `previousEvents` is next.
 */
export async function nextTurn(
  connection: Queryable,
  previous: OrganizationId,
  previousEvents: OrganizationId,
): Promise<Turn> {
  const { rows } = await connection.query<Turn>({
    name: 'next-turn',
    text: `
      select
        coalesce(
          (select organization_id from jobs
           where organization_id > $1 and dead_lettered_at is null and ${DUE} order by organization_id limit 1),
          (select organization_id from jobs
           where organization_id <= $1 and dead_lettered_at is null and ${DUE} order by organization_id limit 1)
        ) as "jobsOf",
        (select organization_id from conversions
         where status = 'pending' and approve_at <= now() order by approve_at limit 1) as "approvalsOf",
        coalesce(
          (select organization_id from connector_events where due_at <= now() and organization_id <> $2
           order by due_at limit 1),
          (select organization_id from connector_events where due_at <= now() order by due_at limit 1)
        ) as "eventsOf",
        ${UNCHAINED} as unchained`,
    values: [previous, previousEvents],
  });
  return rows[0] ?? { jobsOf: null, approvalsOf: null, eventsOf: null, unchained: false };
}

/**
 * SQL that checks whether there are unchained entries. Uses the index `ledger_entries_unchained`. On a restored
 * database, `takeUnchained` must first determine the unchained entries.
 */
const UNCHAINED = `exists (
  select from ledger_chain s cross join pg_current_snapshot() c
  where s.chained_below > pg_snapshot_xmax(c) or exists (
    select from ledger_entries e
    where e.xid >= s.chained_below and e.xid < pg_snapshot_xmin(c) and e.id > s.after_id)
)`;

/**
 * The kinds of pending work: for the worker (jobs, approvals, connectors' events, the ledger chain), for deliveries
 * (the outbox and due deliveries), and for outgoing mail.
 */
export type WaitingWork = {
  readonly forWorker: boolean;
  readonly forDeliveries: boolean;
  readonly forEmails: boolean;
};

/**
 * Returns the kinds of pending work, in one cheap query for all background tasks of a process. While there is no
 * activity, it is the only query. Like `claimDeliveries`, it reads one webhook after another, and stops at the first
 * webhook with a due delivery.
 */
export async function lookForWork(connection: Queryable): Promise<WaitingWork> {
  const { rows } = await connection.query<WaitingWork>({ name: 'look-for-work', text: LOOK_FOR_WORK });
  return rows[0] ?? { forWorker: false, forDeliveries: false, forEmails: false };
}

const LOOK_FOR_WORK = `
with recursive waiting (organization_id, webhook_id, due_at) as (
  (select organization_id, webhook_id, due_at from webhook_deliveries
   where status = 'pending' order by webhook_id, due_at, organization_id limit 1)
  union all
  select n.organization_id, n.webhook_id, n.due_at
  from waiting w cross join lateral (
    select organization_id, webhook_id, due_at from webhook_deliveries
    where status = 'pending' and webhook_id > w.webhook_id order by webhook_id, due_at, organization_id limit 1
  ) n
)
select
  exists (select from jobs where dead_lettered_at is null and ${DUE})
    or exists (select from conversions where status = 'pending' and approve_at <= now())
    or exists (select from connector_events where due_at <= now())
    or ${UNCHAINED} as "forWorker",
  exists (select from webhook_outbox)
    or exists (select from webhook_outbox_stuck where due_at <= now())
    or exists (
      select from waiting w
      where w.due_at <= now() and exists (
        select from webhooks h where h.organization_id = w.organization_id and h.id = w.webhook_id and h.status = 'active')
    ) as "forDeliveries",
  exists (select from outgoing_emails where due_at <= now()) as "forEmails"`;

/**
 * Claims up to `limit` jobs of an organization, the oldest first, for events up to `last`. The claim lasts until the
 * transaction ends. If it is rolled back, the jobs are available again immediately. Two workers never claim the same
 * job.
 *
 * A cursor (`event id > last`) was tried as well. It missed one event in four under load, because ids become visible
 * out of order.
 */
export async function claimJobs(
  { connection, organizationId }: Tenant<Connection>,
  limit: number,
  last: EventId,
): Promise<ClaimedJob[]> {
  const { rows } = await connection.query<ClaimedJob>({
    name: 'claim-jobs',
    text: `
      with due as materialized (
        select event_id from jobs
        where organization_id = $1 and dead_lettered_at is null and ${DUE} and event_id <= $3
        order by event_id
        limit $2
        for update skip locked
      )
      -- This is not a join. A plan made while few jobs were waiting would search the due jobs again for every row.
      delete from jobs j
      where j.organization_id = $1 and j.event_id = any (array(select event_id from due))
      returning j.event_id as "eventId", j.transaction_id as "transactionId", j.type, j.attempts, j.error`,
    values: [organizationId, limit, last],
  });
  return rows.sort((a, b) => a.eventId - b.eventId);
}

/** Releases jobs that were claimed in this transaction and not finished. They are due immediately. */
export async function releaseJobs(
  { connection, organizationId }: Tenant<Connection>,
  jobs: readonly ClaimedJob[],
): Promise<void> {
  await connection.query({
    name: 'give-back-jobs',
    text: `
      insert into jobs (organization_id, event_id, transaction_id, type, attempts, error, run_at)
      select $1, j.*, ${AT_ONCE}
      from unnest($2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::text[]) as j`,
    values: [
      organizationId,
      jobs.map(({ eventId }) => eventId),
      jobs.map(({ transactionId }) => transactionId),
      jobs.map(({ type }) => type),
      jobs.map(({ attempts }) => attempts),
      jobs.map(({ error }) => error),
    ],
  });
}

/**
 * Records that deciding an event failed. Returns whether the event waits for its next attempt or is dead-lettered with
 * its error.
 */
export async function recordFailure(
  { connection, organizationId }: Tenant,
  eventId: EventId,
  error: string,
): Promise<'waits' | 'dead-lettered'> {
  const { rows } = await connection.query<{ dead: boolean }>(
    `update jobs set
       attempts = attempts + 1,
       run_at = now() + interval '1 second' * power(4, attempts),
       dead_lettered_at = case when attempts + 1 >= $3 then now() end,
       error = $4
     where organization_id = $1 and event_id = $2
     returning dead_lettered_at is not null as dead`,
    [organizationId, eventId, MAX_ATTEMPTS, error],
  );
  return rows[0]?.dead === true ? 'dead-lettered' : 'waits';
}

/** Returns the number of pending jobs, the age of the oldest in seconds, and the number of dead-lettered jobs. */
export async function countJobs(
  connection: Queryable,
): Promise<{ pending: number; deadLettered: number; lagSeconds: number }> {
  const { rows } = await connection.query<{ pending: number; deadLettered: number; lag: number }>(
    `select
       count(*) filter (where j.dead_lettered_at is null) as pending,
       count(*) filter (where j.dead_lettered_at is not null) as "deadLettered",
       coalesce(extract(epoch from now() - min(coalesce(e.reported_at, e.occurred_at)) filter (where j.dead_lettered_at is null)), 0)::float8 as lag
     from (select * from jobs limit 100000) j
     join events e on e.organization_id = j.organization_id and e.id = j.event_id`,
  );
  const [row] = rows;
  return { pending: row?.pending ?? 0, deadLettered: row?.deadLettered ?? 0, lagSeconds: row?.lag ?? 0 };
}
