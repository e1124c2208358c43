import type { EventId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { limitLockWaits } from '#platform/worker/jobs.ts';

/**
 * Takes the locks of a transaction that decides events, or that changes data of earlier decisions. Call it first in the
 * transaction. Returns whether the organization's events are decided sequentially. If they are, only one such
 * transaction runs at a time, and waiting transactions run in order of arrival.
 *
 * Events are decided sequentially if the organization has or had a program whose payments depend on earlier decisions.
 * Such a program has a cap per period, has tiers, or credits an opportunity once.
 */
export async function lockDecisionOrder(tenant: Tenant<Connection>): Promise<boolean> {
  await lockDecisionsShared(tenant);
  const { rows } = await tenant.connection.query({
    ...LOCK_ORDER,
    values: [DECISION_ORDER, tenant.organizationId],
  });
  return rows.length > 0;
}

/**
 * Runs `lockDecisionOrder` for workers. If the organization's events are decided sequentially, and another worker
 * already decides them, returns `busy` instead of waiting for that worker. So at most one worker competes with API
 * calls, and `isWaitedFor` can distinguish a waiting call from a waiting worker.
 *
 * Each statement, also later in the transaction, waits for a lock at most WORKER_WAIT_MS, because the wait also delays
 * the events of all other organizations. If a call keeps the lock for longer, the statement fails with a lock timeout,
 * and a worker decides the organization's events later.
 */
export async function lockDecisionOrderAsWorker(tenant: Tenant<Connection>): Promise<'ordered' | 'unordered' | 'busy'> {
  await limitLockWaits(tenant.connection);
  await lockDecisionsShared(tenant);
  const { rows } = await tenant.connection.query<{ mine: boolean }>({
    ...LOCK_ORDER_AS_WORKER,
    values: [DECISION_ORDER, tenant.organizationId, WORKER_ORDER],
  });
  if (rows[0]?.mine === false) return 'busy';
  return rows.length > 0 ? 'ordered' : 'unordered';
}

/**
 * Takes the shared lock in a separate statement, so that the snapshot of the second statement is not older than the
 * lock. No other transaction can get the lock of `lockDecisions` between the two statements.
 */
async function lockDecisionsShared({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query({
    name: 'begin-decision',
    text: `select pg_advisory_xact_lock_shared($1, ${KEY})`,
    values: [DECISIONS, organizationId],
  });
}

/**
 * The first keys of the advisory locks: `even`, `deci`, `orde` and `work` in ASCII. They avoid collisions with other
 * two-key locks.
 */
const EVENTS = 0x6576656e;
const DECISIONS = 0x64656369;
const DECISION_ORDER = 0x6f726465;
const WORKER_ORDER = 0x776f726b;

const KEY = '($2::bigint % 2147483647)::int';

/**
 * Returns SQL that takes a shared lock, which marks the transaction as writing reports of organization $1. The function
 * `findSettledEvents` waits for this lock. Add the SQL to the statement that draws the ids of the events. The rows of
 * the subquery `locked` are locked first, so that the statement doesn't wait for a row while it has the shared lock.
 */
export const reportMark = (locked?: string): string => `(
  select pg_advisory_xact_lock_shared(${EVENTS}, ($1::bigint % 2147483647)::int)
  ${locked === undefined ? '' : `from (select count(*) from ${locked}) l`}
)`;

/**
 * Returns the event id up to which all reports of an organization are visible. Waits for reports that are being
 * written, usually a few milliseconds. Otherwise, a report could be decided before a report with a lower id that
 * commits later.
 */
export async function findSettledEvents({ connection, organizationId }: Tenant<Connection>): Promise<EventId> {
  const { rows } = await connection.query<{ id: EventId }>({
    name: 'find-settled-events',
    text: `select last_settled_event($1, ${KEY}) as id`,
    values: [EVENTS, organizationId],
  });
  return (rows[0] as { id: EventId }).id;
}
const WHERE_DECIDED_IN_ORDER =
  'where exists (select from program_versions where organization_id = $2 and decided_in_order)';

/** Returns whether an organization's events are decided sequentially. Takes no lock. */
export async function isDecidedInOrder({ connection, organizationId }: Tenant<Connection>): Promise<boolean> {
  const { rows } = await connection.query<{ ordered: boolean }>(
    'select exists (select from program_versions where organization_id = $1 and decided_in_order) as ordered',
    [organizationId],
  );
  return rows[0]?.ordered === true;
}

const LOCK_ORDER = {
  name: 'hold-decision-order',
  text: `select pg_advisory_xact_lock($1, ${KEY}) ${WHERE_DECIDED_IN_ORDER}`,
};

/** Takes the workers' lock without waiting, and then the lock that calls also take. */
const LOCK_ORDER_AS_WORKER = {
  name: 'hold-decision-order-as-worker',
  text: `
    select mine, case when mine then pg_advisory_xact_lock($1, ${KEY})::text end
    from (select pg_try_advisory_xact_lock($3, ${KEY}) as mine ${WHERE_DECIDED_IN_ORDER}) tried`,
};

/**
 * Returns whether a call waits for this worker's transaction: for the decision order, for a row, or (if it changes a
 * program) for the decisions in progress. Other workers don't count.
 */
export async function isWaitedFor({ connection, organizationId }: Tenant<Connection>): Promise<boolean> {
  const { rows } = await connection.query<{ waits: boolean }>({
    name: 'is-waited-for',
    text: `
      select exists (
        select from pg_locks
        where not granted and (
          transactionid = pg_current_xact_id_if_assigned()::xid
          or locktype = 'advisory' and classid::bigint in ($1, $3) and objid::bigint = $2::bigint % 2147483647
            and objsubid = 2 and database = (select oid from pg_database where datname = current_database())
        )
      ) as waits`,
    values: [DECISION_ORDER, organizationId, DECISIONS],
  });
  return rows[0]?.waits === true;
}

/**
 * Waits for decisions in progress, and blocks new decisions until the transaction ends. Call it before a change that
 * requires sequential decisions. Otherwise, a decision with the old configuration could run concurrently with a
 * decision with the new configuration. The second decision would miss the awards of the first decision.
 */
export async function lockDecisions({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query(`select pg_advisory_xact_lock($1, ${KEY})`, [DECISIONS, organizationId]);
}
