import type { EventId, OrganizationId, TransactionId } from '#core/ids.ts';
import type { Connection, Queryable } from '../postgres/database.ts';
import type { Tenant } from '../postgres/tenant.ts';

export type Job = {
  readonly eventId: EventId;
  readonly transactionId: TransactionId;
  readonly type:
    'SaleTriggered' | 'LeadTriggered' | 'RenewalTriggered' | 'RefundTriggered' | 'RefundReversed' | 'SaleCorrected';
};

/** A job that the current transaction has claimed, with the data that is needed to release it. */
export type ClaimedJob = Job & { readonly attempts: number; readonly error: string | null };

/** SQL for the `run_at` of a job that is due immediately. The job is due even if the clock is set back. */
export const AT_ONCE = `'-infinity'::timestamptz`;

/**
 * The maximum time in milliseconds that the worker waits for each lock. The worker serves all organizations, so a long
 * call of one organization must not stop it. The worker retries the work in the organization's next turn.
 */
export const WORKER_WAIT_MS = 250;

/** Limits the time that each later statement of a transaction waits for a lock to WORKER_WAIT_MS. */
export async function limitLockWaits(connection: Connection): Promise<void> {
  await connection.query(`set local lock_timeout = ${WORKER_WAIT_MS}`);
}

/** The number of attempts before an event is dead-lettered. The gaps between them are 1, 4, 16 and 64 seconds. */
export const MAX_ATTEMPTS = 5;
const LAST_GAP_SECONDS = 64;

/**
 * SQL condition for jobs that are due. A time further ahead than the longest gap was set while the database's clock was
 * ahead, so it counts as past. `infinity` never counts as past.
 */
const DUE = `(run_at <= now() or (run_at > now() + interval '${LAST_GAP_SECONDS} seconds' and run_at < 'infinity'))`;

/**
 * A worker's next tasks: the organizations to serve next, and whether the ledger chain must be extended. A field for an
 * organization is null if no organization has such a task.
 */
export type Turn = {
  /** An organization with jobs that are due. */
  readonly jobsOf: OrganizationId | null;
  /** An organization with conversions that are due for automatic approval. */
  readonly approvalsOf: OrganizationId | null;
  /** An organization with connectors' events that are due. */
  readonly eventsOf: OrganizationId | null;
  /** Whether there are ledger entries to add to the ledger chain. */
  readonly unchained: boolean;
};

/** The organizations that had the previous turn of each kind. */
export type PreviousTurn = {
  readonly jobsOf: OrganizationId;
  readonly approvalsOf: OrganizationId;
  readonly eventsOf: OrganizationId;
};

/**
 * Returns a worker's next tasks, in one cheap query. Organizations take turns in the order of their ids, separately for
 * each kind of task. So a flood of one organization, or a lock of its calls, doesn't block other organizations.
 */
export async function nextTurn(connection: Queryable, previous: PreviousTurn): Promise<Turn> {
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
        ${nextOrganization(DUE_APPROVALS, '$2')} as "approvalsOf",
        ${nextOrganization(DUE_EVENTS, '$3')} as "eventsOf",
        ${UNCHAINED} as unchained`,
    values: [previous.jobsOf, previous.approvalsOf, previous.eventsOf],
  });
  return rows[0] ?? { jobsOf: null, approvalsOf: null, eventsOf: null, unchained: false };
}

/**
 * SQL for the conversions that are due for automatic approval, or for the connectors' events that are due. `time` is
 * the name of the column with the due time.
 */
type DueRows = { readonly rows: string; readonly time: string };
const DUE_APPROVALS: DueRows = {
  rows: `conversions where status = 'pending' and approve_at <= now()`,
  time: 'approve_at',
};
const DUE_EVENTS: DueRows = { rows: 'connector_events where due_at <= now()', time: 'due_at' };

/**
 * Returns SQL that is true if a row of any organization is due. Reads one entry of the index `conversions_due` or
 * `connector_events_due`. The order keeps PostgreSQL from scanning an index by organization.
 */
function isAnyDue({ rows, time }: DueRows): string {
  return `(select true from ${rows} order by ${time} limit 1) is not null`;
}

/**
 * Returns an SQL expression for the next organization after `previous` that has due rows. The expression is null if no
 * rows are due. Otherwise, PostgreSQL checks one organization after another with the indexes by organization. The
 * condition is a scalar subquery, because PostgreSQL can turn `exists` into a join that reads all due rows.
 */
function nextOrganization(due: DueRows, previous: string): string {
  const next = (condition: string): string =>
    `(select o.id from organizations o where o.id ${condition} ${previous}
      and (select true from ${due.rows} and organization_id = o.id limit 1) order by o.id limit 1)`;
  return `case when ${isAnyDue(due)} then coalesce(${next('>')}, ${next('<=')}) end`;
}

/**
 * SQL that is true if the worker must extend the ledger chain: if ledger entries are not in the chain, or if a restore
 * changed the transaction numbers. After a restore, `takeUnchained` finds the missing ledger entries by id. Uses the
 * index `ledger_entries_unchained`.
 */
const UNCHAINED = `exists (
  select from ledger_chain s cross join pg_current_snapshot() c
  where s.chained_below > pg_snapshot_xmax(c) or exists (
    select from ledger_entries e
    where e.xid >= s.chained_below and e.xid < pg_snapshot_xmin(c) and e.id > s.after_id)
)`;

/**
 * Which background tasks have pending work: the worker (jobs, approvals, connectors' events, the ledger chain),
 * deliveries (outbox rows and due deliveries), and outgoing emails.
 */
export type WaitingWork = {
  readonly forWorker: boolean;
  readonly forDeliveries: boolean;
  readonly forEmails: boolean;
  readonly forBacktests: boolean;
};

/**
 * Returns which background tasks of a process have pending work, in one cheap query. While there is no activity, it is
 * the only query that the process sends every second. Like `claimDeliveries`, the query checks one active webhook after
 * another, and stops at the first webhook with a due delivery.
 */
export async function lookForWork(connection: Queryable): Promise<WaitingWork> {
  const { rows } = await connection.query<WaitingWork>({ name: 'look-for-work', text: LOOK_FOR_WORK });
  return rows[0] ?? { forWorker: false, forDeliveries: false, forEmails: false, forBacktests: false };
}

const LOOK_FOR_WORK = `
select
  exists (select from jobs where dead_lettered_at is null and ${DUE})
    or ${isAnyDue(DUE_APPROVALS)}
    or ${isAnyDue(DUE_EVENTS)}
    or ${UNCHAINED} as "forWorker",
  exists (select from webhook_outbox)
    or exists (select from webhook_outbox_stuck where due_at <= now())
    or exists (
      select from webhooks w
      where w.status = 'active' and (
        select true from webhook_deliveries d
        where d.webhook_id = w.id and d.status = 'pending' and d.due_at <= now() limit 1)
    ) as "forDeliveries",
  exists (select from outgoing_emails where due_at <= now()) as "forEmails",
  exists (select from backtests where status in ('queued', 'running')) as "forBacktests"`;

/**
 * Claims up to `limit` due jobs of an organization, the oldest first, for events with ids up to `last`. Two workers
 * never claim the same job. A commit deletes the claimed jobs. A rollback makes them available again immediately.
 *
 * Reading the events above the last decided event id was tried instead of jobs. Under load, it missed one event in
 * four, because ids become visible out of order.
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
      -- Don't use a join. If its plan was made while few jobs were waiting, it searches the due jobs again for every
      -- row.
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
 * Records that deciding an event failed. Returns `dead-lettered` after MAX_ATTEMPTS attempts, and otherwise `waits`,
 * because another attempt follows.
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

/**
 * Returns the numbers of pending and dead-lettered jobs, and the seconds since the oldest pending event was reported,
 * or 0 if no event is pending. Counts at most 100,000 jobs.
 */
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
