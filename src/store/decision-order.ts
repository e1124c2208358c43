import type { OrganizationId } from '#domain/ids.ts';
import type { Connection } from './database.ts';

/**
 * Begins a transaction that decides, or that changes what decisions look back at. Answers whether the organization is
 * decided in order: it has, or had, a program whose pay depends on what was decided before (a cap or tiers per period,
 * credit once an opportunity). Then only one such transaction runs at a time, until it ends. Who waits is let in by turns.
 */
export function holdDecisionOrder(connection: Connection, organizationId: OrganizationId): Promise<boolean> {
  return begin(connection, organizationId, HOLD_ORDER);
}

/**
 * The same for the pipeline. Workers wait for each other at a lock of their own first, so that of all of them one at most
 * waits for its turn among the calls, and a call that waits is told by `isWaitedFor` from a worker that does.
 */
export function holdDecisionOrderAsWorker(connection: Connection, organizationId: OrganizationId): Promise<boolean> {
  return begin(connection, organizationId, HOLD_ORDER_AS_WORKER);
}

/**
 * The shared lock is asked for in a statement of its own, so that what the second one sees is not older than the lock:
 * `holdDecisions` can't come between.
 */
async function begin(
  connection: Connection,
  organizationId: OrganizationId,
  {
    locks: [order, ...workers],
    ...hold
  }: { readonly name: string; readonly text: string; readonly locks: readonly number[] },
): Promise<boolean> {
  await connection.query({
    name: 'begin-decision',
    text: `select pg_advisory_xact_lock_shared($1, ${KEY})`,
    values: [DECISIONS, organizationId],
  });
  const { rows } = await connection.query({ ...hold, values: [order, organizationId, ...workers] });
  return rows.length > 0;
}

/** `deci`, `orde` and `work` in ASCII, so that no other lock of two keys is met. */
const DECISIONS = 0x64656369;
const DECISION_ORDER = 0x6f726465;
const WORKER_ORDER = 0x776f726b;

const KEY = '($2::bigint % 2147483647)::int';
const WHERE_DECIDED_IN_ORDER =
  'where exists (select from program_versions where organization_id = $2 and decided_in_order)';

const HOLD_ORDER = {
  name: 'hold-decision-order',
  text: `select pg_advisory_xact_lock($1, ${KEY}) ${WHERE_DECIDED_IN_ORDER}`,
  locks: [DECISION_ORDER],
};

/** The columns are worked out from left to right: first the workers' lock, then the turn among the calls. */
const HOLD_ORDER_AS_WORKER = {
  name: 'hold-decision-order-as-worker',
  text: `select pg_advisory_xact_lock($3, ${KEY}), pg_advisory_xact_lock($1, ${KEY}) ${WHERE_DECIDED_IN_ORDER}`,
  locks: [DECISION_ORDER, WORKER_ORDER],
};

/**
 * Whether somebody waits for what this transaction of a worker holds: a call for the order or for a row, or the change of
 * a program for the decisions in flight. Other workers don't count.
 */
export async function isWaitedFor(connection: Connection, organizationId: OrganizationId): Promise<boolean> {
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
 * Waits for the decisions in flight, and holds up new ones until the transaction ends: for the change that makes an
 * organization one that is decided in order. Without it a decision that has not seen the change could run beside one
 * that has, and the second would miss what the first awards.
 */
export async function holdDecisions(connection: Connection, organizationId: OrganizationId): Promise<void> {
  await connection.query(`select pg_advisory_xact_lock($1, ${KEY})`, [DECISIONS, organizationId]);
}
