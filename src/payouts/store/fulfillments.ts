import type { PendingObligations, PlannedRun, RunPayout } from '../domain/fulfillment.ts';
import type { FulfillmentStatus } from '../domain/run-status.ts';
import type { CollaboratorId, FulfillmentId, ObligationId, OrganizationId, PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { deletePaidRequests } from './payout-requests.ts';
import { conversionsGoingBack, WITH_WAITING_REFUND } from './payouts.ts';
import { LACKS_TAX_DETAILS } from './tax-rule.ts';

/**
 * The obligations to consider for a run. If `obligationIds` is undefined, all pending obligations are considered. If
 * `currency` is undefined, all currencies are considered.
 */
export type Selection = {
  readonly obligationIds: readonly ObligationId[] | undefined;
  readonly currency: string | undefined;
};

/**
 * SQL that raises the memory limit for sums. With PostgreSQL's default of 4 MB, summing 260,000 obligations uses the
 * disk and takes 180 ms instead of 130 ms.
 */
const RAISED_WORK_MEM = `set local work_mem = '64MB'`;

/**
 * Returns the pending obligations to consider for a run, summed in groups. These are the selected obligations, and all
 * pending clawbacks of the same collaborators in the same currencies.
 */
export async function findPending(
  { connection, organizationId }: Tenant<Connection>,
  selection: Selection,
): Promise<PendingObligations[]> {
  await connection.query(RAISED_WORK_MEM);
  const { rows } = await connection.query<PendingRow>(
    sumsOf(`
      select id, collaborator_id, currency, amount, conversion_id in (${conversionsGoingBack('$1')}) as goes_back
      from (${selected(selection)}) o`),
    selectionValues(organizationId, selection),
  );
  return rows.map(readPending);
}

/**
 * Returns the same groups as `findPending`, locked and checked under the locks. Sales are locked first, in the order of
 * their ids, because a refund marks its sale under that lock. Obligations are locked next. Obligations that another run
 * has included in the meantime are left out.
 */
export async function lockPending(
  { connection, organizationId }: Tenant<Connection>,
  selection: Selection,
): Promise<PendingObligations[]> {
  await connection.query(RAISED_WORK_MEM);
  const found = await connection.query<{ ids: ObligationId[] }>(
    `with found as materialized (
       select o.id, c.transaction_id
       from (${selected(selection)}) o
       join conversions c on c.organization_id = $1 and c.id = o.conversion_id
     ), locked as materialized (
       select id from transactions
       where organization_id = $1 and id = any (array(select distinct transaction_id from found))
       order by id for no key update
     )
     -- Select from locked, because an unused subquery would not lock its rows.
     select coalesce(json_agg(id), '[]') as ids, (select count(*) from locked) from found`,
    selectionValues(organizationId, selection),
  );
  // Read the groups in a separate statement, which sees the changes that were committed while the first statement
  // waited for the locks.
  const { rows } = await connection.query<PendingRow>(
    sumsOf(`
      select o.id, o.collaborator_id, o.currency, o.amount,
        t.status <> 'complete' or o.conversion_id in (${conversionsGoingBack('$1')}) as goes_back
      from obligations o
      join conversions c on c.organization_id = $1 and c.id = o.conversion_id
      join transactions t on t.organization_id = $1 and t.id = c.transaction_id
      where o.organization_id = $1 and o.id = any ($2::bigint[]) and o.status = 'pending'
      order by o.id for no key update of o`),
    [organizationId, found.rows[0]?.ids ?? []],
  );
  return rows.map(readPending);
}

/** Returns SQL that sums pending obligations in groups. The rules of a run treat all obligations of a group equally. */
function sumsOf(pending: string): string {
  return `
    select collaborator_id as "collaboratorId", currency, sum(amount)::text as amount, goes_back as "goesBack",
      array_to_json(array_agg(id)) as "obligationIds"
    from (${pending}) o
    group by collaborator_id, currency, amount < 0, goes_back`;
}

type PendingRow = Omit<PendingObligations, 'amount'> & { readonly amount: string };

function readPending({ amount, ...row }: PendingRow): PendingObligations {
  return { ...row, amount: BigInt(amount) };
}

function selected({ obligationIds }: Selection): string {
  return obligationIds === undefined ? PENDING : NAMED;
}

function selectionValues(organizationId: OrganizationId, { obligationIds, currency }: Selection): unknown[] {
  return [organizationId, currency ?? null, ...(obligationIds === undefined ? [] : [obligationIds])];
}

/**
 * SQL for all pending obligations. Uses the index `obligations_pending`, which contains only pending obligations. The
 * condition `id > 0` is explained in docs/decisions/0054.
 */
const PENDING = `
  select id, conversion_id, collaborator_id, currency, amount from obligations
  where organization_id = $1 and status = 'pending' and id > 0 and ($2::text is null or currency = $2)`;

/**
 * SQL for the given pending obligations, and for all pending clawbacks of the same collaborators and currencies. The
 * clawbacks are few, and are read through the index `obligations_owing`.
 */
const NAMED = `
  with named as materialized (
    select id, conversion_id, collaborator_id, currency, amount from obligations
    where organization_id = $1 and status = 'pending' and ($2::text is null or currency = $2) and id = any ($3::bigint[])
  )
  select id, conversion_id, collaborator_id, currency, amount from named
  union
  select o.id, o.conversion_id, o.collaborator_id, o.currency, o.amount
  from (select distinct collaborator_id, currency from named) n
  join obligations o on o.organization_id = $1 and o.collaborator_id = n.collaborator_id and o.currency = n.currency
    and o.status = 'pending' and o.amount < 0`;

/**
 * Writes runs with their payouts, assigns the obligations to the payouts, and deletes the payout requests of the paid
 * collaborators. Always uses four statements. Returns the ids of the runs.
 */
export async function saveRuns(
  { connection, organizationId }: Tenant<Connection>,
  runs: readonly PlannedRun[],
  { minimum, author }: { readonly minimum: Minor | null; readonly author: string },
): Promise<FulfillmentId[]> {
  const made = await connection.query<{ id: FulfillmentId; currency: string }>(
    `insert into fulfillments (organization_id, currency, minimum, author)
     select $1, r.currency, $3, $4 from unnest($2::text[]) with ordinality as r (currency, n) order by r.n
     returning id, currency`,
    [organizationId, runs.map(({ currency }) => currency), minimum, author],
  );
  const runOf = new Map(made.rows.map(({ id, currency }) => [currency, id]));
  const planned = runs.flatMap(({ currency, payouts }) => payouts.map((payout) => ({ ...payout, currency })));
  const paying = await connection.query<{ id: PayoutId; currency: string; collaboratorId: CollaboratorId }>(
    `insert into payouts (organization_id, fulfillment_id, collaborator_id, currency, amount)
     select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
     returning id, currency, collaborator_id as "collaboratorId"`,
    [
      organizationId,
      planned.map(({ currency }) => runOf.get(currency)),
      planned.map(({ collaboratorId }) => collaboratorId),
      planned.map(({ currency }) => currency),
      planned.map(({ amount }) => amount),
    ],
  );
  await deletePaidRequests({ connection, organizationId }, planned);
  const payoutOf = new Map(
    paying.rows.map(({ id, currency, collaboratorId }) => [`${currency} ${collaboratorId}`, id]),
  );
  const taken = planned.flatMap(({ obligationIds }) => obligationIds);
  const takers = planned.flatMap(({ currency, collaboratorId, obligationIds }) =>
    obligationIds.map(() => payoutOf.get(`${currency} ${collaboratorId}`)),
  );
  await connection.query(
    `update obligations o set status = 'fulfilled', payout_id = n.payout_id, updated_at = now()
     from unnest($2::bigint[], $3::bigint[]) as n (id, payout_id)
     where o.organization_id = $1 and o.id = n.id`,
    [organizationId, taken, takers],
  );
  return made.rows.map(({ id }) => id);
}

/**
 * Locks a run and returns its status, or undefined if the run doesn't exist. Until the transaction ends, no other
 * transaction can change the run or the status of its payouts.
 */
export async function lockRun(
  { connection, organizationId }: Tenant<Connection>,
  id: FulfillmentId,
): Promise<FulfillmentStatus | undefined> {
  const { rows } = await connection.query<{ status: FulfillmentStatus }>(
    'select status from fulfillments where organization_id = $1 and id = $2 for no key update',
    [organizationId, id],
  );
  return rows[0]?.status;
}

/** Locks the payouts of a locked run and returns them. From then on, no refund can flag them. */
export async function lockRunPayouts(
  { connection, organizationId }: Tenant<Connection>,
  id: FulfillmentId,
): Promise<RunPayout[]> {
  await connection.query(
    `select count(*) from (
       select from payouts where organization_id = $1 and fulfillment_id = $2 order by id for no key update
     ) locked`,
    [organizationId, id],
  );
  const { rows } = await connection.query<RunPayout>(
    `select p.id as "payoutId", p.status, p.review, p.id in (${WITH_WAITING_REFUND}) as "refundWaits",
       ${LACKS_TAX_DETAILS} as "lacksTaxDetails"
     from payouts p where p.organization_id = $1 and p.fulfillment_id = $2`,
    [organizationId, id],
  );
  return rows;
}

/** Returns the status of each payout of a run. The statuses can't change while the run is locked. */
export async function loadRunPayouts(
  { connection, organizationId }: Tenant<Connection>,
  id: FulfillmentId,
): Promise<Pick<RunPayout, 'payoutId' | 'status'>[]> {
  const { rows } = await connection.query<Pick<RunPayout, 'payoutId' | 'status'>>(
    'select id as "payoutId", status from payouts where organization_id = $1 and fulfillment_id = $2 order by id',
    [organizationId, id],
  );
  return rows;
}

export async function saveRunStatus(
  { connection, organizationId }: Tenant<Connection>,
  id: FulfillmentId,
  status: FulfillmentStatus,
): Promise<void> {
  await connection.query(
    'update fulfillments set status = $3, updated_at = now() where organization_id = $1 and id = $2',
    [organizationId, id, status],
  );
}
