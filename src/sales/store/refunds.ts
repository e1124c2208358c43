import type { OpportunityId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { RefundHistory } from '../domain/refund.ts';
import type { NamedRefund, RecordedRefund, RefundableSale } from '../domain/refund-report.ts';
import { CORRECTIONS, readCorrection, type StoredCorrection } from './corrections.ts';
import { type Binding, BOUND, bindingValues } from '#tracking/store/bindings.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { reportMark } from '#programs/store/decision-order.ts';
import { AT_ONCE } from '#platform/worker/jobs.ts';
import { loadLines } from './transactions.ts';

/**
 * Marks the transactions with the given bindings as refunded and writes their RefundTriggered events and jobs, in one
 * statement. Returns the opportunity of each known binding, by the index of the binding. The opportunity is null for an
 * order without an opportunity. A transaction that was already refunded is returned but not changed. After the commit,
 * no obligation for a refunded transaction can become payable.
 *
 * The rows are locked in the order of their ids, and are checked under the lock. So only one of several concurrent
 * refunds creates the event.
 */
export async function writeRefunds(
  { connection, organizationId }: Tenant,
  refunds: readonly FullRefund[],
): Promise<Map<number, OpportunityId | null>> {
  const named = refunds.some(({ occurredAt }) => occurredAt !== null) ? refunds : [];
  const { rows } = await connection.query<{ n: number; opportunityId: OpportunityId | null }>({
    name: 'write-refunds',
    text: WRITE_REFUNDS,
    values: [
      ...bindingValues(organizationId, refunds),
      named.map(({ occurredAt }) => occurredAt?.toISOString() ?? null),
    ],
  });
  return new Map(rows.map((row) => [row.n, row.opportunityId]));
}

/** A refund of the full remaining amount. A null `occurredAt` means the time of the report. */
export type FullRefund = Binding & { readonly occurredAt: Date | null };

/**
 * SQL for the id of the current opportunity of transaction `t`. If the opportunity was merged, that is its survivor. If
 * retention removed the opportunity, the id is the id that the transaction stores. The id is null if the transaction
 * has no opportunity.
 */
const CURRENT_OPPORTUNITY = `coalesce((
    select case when o.merged_into is null then o.id else survivor_of($1, o.id) end
    from opportunities o where o.organization_id = $1 and o.id = t.opportunity_id
  ), t.opportunity_id)`;

const WRITE_REFUNDS = `
with found as materialized (
  select b.n, t.id, ${CURRENT_OPPORTUNITY} as opportunity_id from ${BOUND}
), locked as materialized (
  select t.id, t.total - t.refunded_amount as refunded from transactions t
  where t.organization_id = $1 and t.id = any (array(select id from found)) and t.status = 'complete'
  order by t.id
  for no key update of t
), marked as (
  update transactions t set status = 'refunded', refunded_amount = total,
    refunded_at = coalesce((select ($5::timestamptz[])[f.n + 1] from found f where f.id = t.id order by f.n limit 1), now())
  where t.organization_id = $1 and t.id = any (array(select id from locked)) and t.status = 'complete'
  returning t.id, t.source, t.reported_opportunity_id, t.refunded_at
), reporting as materialized ${reportMark('locked')}, numbered as materialized (
  select m.*, l.refunded, nextval('event_ids') as event_id from marked m join locked l using (id) cross join reporting
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, refunded, occurred_at, reported_at)
  select $1, m.event_id, 'RefundTriggered', m.source, m.reported_opportunity_id, m.id, g.config_version, m.refunded, m.refunded_at,
    case when m.refunded_at <> now() then now() end
  from numbered m join organizations g on g.id = $1
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type, run_at)
  select $1, event_id, id, 'RefundTriggered', ${AT_ONCE} from numbered
)
select n, opportunity_id as "opportunityId" from found`;

/**
 * Locks the transactions with the given bindings in the order of the transaction ids. Returns the transaction of each
 * binding, by the index of the binding, with its current opportunity. Unknown bindings are missing from the result.
 */
export async function lockBindings(
  { connection, organizationId }: Tenant<Connection>,
  bindings: readonly Binding[],
): Promise<Map<number, BoundTransaction>> {
  const { rows } = await connection.query<{ n: number } & BoundTransaction>({
    name: 'lock-bindings',
    text: `
      with found as materialized (
        select b.n, t.id, ${CURRENT_OPPORTUNITY} as opportunity_id from ${BOUND}
      ), locked as materialized (
        select t.id from transactions t
        where t.organization_id = $1 and t.id = any (array(select id from found))
        order by t.id
        for no key update of t
      )
      -- Select from locked, because an unused subquery would not lock its rows.
      select n, id, opportunity_id as "opportunityId" from found where id = any (array(select id from locked))`,
    values: bindingValues(organizationId, bindings),
  });
  return new Map(rows.map(({ n, ...bound }) => [n, bound]));
}

export type BoundTransaction = { readonly id: TransactionId; readonly opportunityId: OpportunityId | null };

/**
 * Returns the given locked transactions with the data needed to judge a refund, a reversal or a correction. `countings`
 * is empty. Must run in a later statement than the locking statement.
 */
export function loadRefundableSales(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, RefundableSale>> {
  return loadSales(tenant, transactionIds, 'load-refundable-sales', LOAD_SALES);
}

/**
 * Returns the given locked transactions that were ever refunded or corrected, even if the refund was reversed later.
 */
export function loadRevisedSales(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, RefundHistory>> {
  return loadSales(tenant, transactionIds, 'load-revised-sales', LOAD_REVISED_SALES);
}

/**
 * SQL for transactions with their refunds and corrections. A refund without a refundId has no row in `refunds`, and
 * covers the full remaining amount. A refund that found nothing left to refund has no row in `events`.
 */
const LOAD_SALES = `
select t.id, t.total, t.currency, coalesce((
    select json_agg(json_build_object('eventId', e.id, 'refundId', r.refund_id, 'kind', coalesce(r.kind, 'full'),
      'amount', coalesce(r.amount, e.refunded), 'reversedBy', r.reversed_by,
      'contentHash', encode(r.content_hash, 'hex'), 'pieces', coalesce((
        select json_agg(json_build_object('position', l.position, 'quantity', l.quantity) order by l.position)
        from refund_lines l where l.organization_id = $1 and l.event_id = r.event_id), '[]'::json))
      order by e.id)
    from (
      select id, refunded from events
      where organization_id = $1 and transaction_id = t.id and type = 'RefundTriggered'
      union all
      select event_id, 0 from refunds where organization_id = $1 and transaction_id = t.id and without_event
    ) e left join refunds r on r.organization_id = $1 and r.event_id = e.id), '[]'::json) as refunds, ${CORRECTIONS}
from transactions t
where t.organization_id = $1 and t.id = any ($2::bigint[])`;

/**
 * SQL for the transactions that were refunded or corrected. It uses an array instead of `exists`, because a plan made
 * while there are few refunds would scan all refunds of the organization.
 */
const LOAD_REVISED_SALES = `${LOAD_SALES} and (t.status = 'refunded' or t.corrections > 0 or t.id = any (array(
  select r.transaction_id from refunds r where r.organization_id = $1 and r.transaction_id = any ($2::bigint[]))))`;

type SaleRow = {
  readonly id: TransactionId;
  readonly total: number;
  readonly currency: string;
  readonly refunds: readonly (Omit<RecordedRefund, 'amount'> & { readonly amount: number })[];
  readonly corrections: readonly StoredCorrection[] | null;
};

async function loadSales(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
  name: string,
  text: string,
): Promise<Map<TransactionId, RefundableSale>> {
  const { rows } = await tenant.connection.query<SaleRow>({
    name,
    text,
    values: [tenant.organizationId, transactionIds],
  });
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.id);
  const lines = await loadLines(tenant, ids);
  return new Map(
    rows.map(({ id, total, currency, refunds, corrections }) => [
      id,
      {
        total: BigInt(total) as Minor,
        currency,
        lines: lines.get(id) ?? [],
        refunds: refunds.map((refund) => ({ ...refund, amount: BigInt(refund.amount) as Minor })),
        corrections: (corrections ?? []).map(readCorrection),
        countings: [],
      },
    ]),
  );
}

/**
 * A named refund of a transaction. `refunded` is the change of the transaction's refunded amount. `foundNothing` means
 * that the transaction was already refunded in full.
 */
export type RefundRow = NamedRefund & {
  readonly transactionId: TransactionId;
  readonly refunded: Minor;
  readonly foundNothing: boolean;
  readonly occurredAt: Date | null;
};

/** The state of a transaction after its refunds. */
export type RefundedTransaction = {
  readonly transactionId: TransactionId;
  readonly refundedAmount: Minor;
  readonly isRefunded: boolean;
};

/**
 * Writes refunds with a refundId, in their order, with their RefundTriggered events and jobs. Also updates their
 * transactions, which must be locked. A refund that found nothing left to refund has no event and no job.
 */
export async function saveNamedRefunds(
  { connection, organizationId }: Tenant<Connection>,
  refunds: readonly RefundRow[],
  transactions: readonly RefundedTransaction[],
): Promise<void> {
  const pieces = refunds.flatMap((refund, n) => refund.pieces.map((each) => ({ n, ...each })));
  await connection.query({
    name: 'save-named-refunds',
    text: SAVE_NAMED_REFUNDS,
    values: [
      organizationId,
      refunds.map((_, n) => n),
      refunds.map(({ transactionId }) => transactionId),
      refunds.map(({ refundId }) => refundId),
      refunds.map(({ kind }) => kind),
      refunds.map(({ amount }) => amount),
      refunds.map(({ contentHash }) => contentHash),
      pieces.map(({ n }) => n),
      pieces.map(({ position }) => position),
      pieces.map(({ quantity }) => quantity),
      transactions.map(({ transactionId }) => transactionId),
      transactions.map(({ refundedAmount }) => refundedAmount),
      transactions.map(({ isRefunded }) => isRefunded),
      refunds.map(({ occurredAt }) => occurredAt?.toISOString() ?? null),
      refunds.map(({ refunded }) => refunded),
      refunds.map(({ foundNothing }) => foundNothing),
    ],
  });
}

const SAVE_NAMED_REFUNDS = `
with reporting as materialized ${reportMark()}, reported as materialized (
  select r.*, nextval('event_ids') as event_id
  from unnest($2::int[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::text[], $14::timestamptz[], $15::bigint[],
      $16::boolean[])
    as r (n, transaction_id, refund_id, kind, amount, content_hash, named_at, refunded, without_event)
  cross join reporting
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, refunded, occurred_at, reported_at)
  select $1, r.event_id, 'RefundTriggered', t.source, t.reported_opportunity_id, r.transaction_id, g.config_version, r.refunded,
    coalesce(r.named_at, now()), case when r.named_at is not null then now() end
  from reported r
  join transactions t on t.organization_id = $1 and t.id = any ($11::bigint[]) and t.id = r.transaction_id
  join organizations g on g.id = $1
  where not r.without_event
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type, run_at)
  select $1, event_id, transaction_id, 'RefundTriggered', ${AT_ONCE} from reported where not without_event
), kept as (
  insert into refunds
    (organization_id, event_id, transaction_id, refund_id, kind, amount, content_hash, without_event, occurred_at)
  select $1, event_id, transaction_id, refund_id, kind, amount, decode(content_hash, 'hex'), without_event,
    coalesce(named_at, now())
  from reported
), lined as (
  insert into refund_lines (organization_id, event_id, position, quantity)
  select $1, r.event_id, l.position, l.quantity
  from unnest($8::int[], $9::int[], $10::int[]) as l (n, position, quantity)
  join reported r on r.n = l.n
)
update transactions t
set refunded_amount = s.refunded_amount, status = case when s.refunded then 'refunded' else t.status end,
  -- If the batch has several refunds of a transaction, the last refund that refunded an amount completed it.
  refunded_at = case when t.status = 'refunded' then t.refunded_at when s.refunded then coalesce(
    (select named_at from reported where transaction_id = t.id order by refunded > 0 desc, n desc limit 1), now()) end
from unnest($11::bigint[], $12::bigint[], $13::boolean[]) as s (id, refunded_amount, refunded)
where t.organization_id = $1 and t.id = any ($11::bigint[]) and t.id = s.id`;

/** A reversal of a named refund. `refunded` is the change of the transaction's refunded amount, 0 or less. */
export type ReversalRow = {
  readonly transactionId: TransactionId;
  readonly refundId: string;
  readonly refunded: Minor;
  /** Whether the transaction was refunded in full before this reversal, and no longer is. */
  readonly endsFullRefund: boolean;
  readonly occurredAt: Date | null;
};

/**
 * Writes reversals of refunds, in their order, with their RefundReversed events and jobs. Also updates their
 * transactions, which must be locked.
 */
export async function saveReversals(
  { connection, organizationId }: Tenant<Connection>,
  reversals: readonly ReversalRow[],
  transactions: readonly RefundedTransaction[],
): Promise<void> {
  await connection.query({
    name: 'save-reversals',
    text: SAVE_REVERSALS,
    values: [
      organizationId,
      reversals.map(({ transactionId }) => transactionId),
      reversals.map(({ refundId }) => refundId),
      reversals.map(({ refunded }) => refunded),
      reversals.map(({ endsFullRefund }) => endsFullRefund),
      reversals.map(({ occurredAt }) => occurredAt?.toISOString() ?? null),
      transactions.map(({ transactionId }) => transactionId),
      transactions.map(({ refundedAmount }) => refundedAmount),
      transactions.map(({ isRefunded }) => isRefunded),
    ],
  });
}

const SAVE_REVERSALS = `
with reporting as materialized ${reportMark()}, reported as materialized (
  select r.*, nextval('event_ids') as event_id
  from unnest($2::bigint[], $3::text[], $4::bigint[], $5::boolean[], $6::timestamptz[])
    as r (transaction_id, refund_id, refunded, ends_full_refund, named_at)
  cross join reporting
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, refunded, occurred_at, reported_at)
  select $1, r.event_id, 'RefundReversed', t.source, t.reported_opportunity_id, r.transaction_id, g.config_version, r.refunded,
    coalesce(r.named_at, now()), case when r.named_at is not null then now() end
  from reported r
  join transactions t on t.organization_id = $1 and t.id = any ($7::bigint[]) and t.id = r.transaction_id
  join organizations g on g.id = $1
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type, run_at)
  select $1, event_id, transaction_id, 'RefundReversed', ${AT_ONCE} from reported
), marked as (
  update refunds f set reversed_by = r.event_id
  from reported r
  where f.organization_id = $1 and f.transaction_id = r.transaction_id and f.refund_id = r.refund_id
), ended as (
  -- The full refund was completed by the last refund that has an event.
  insert into reversed_full_refunds (organization_id, transaction_id, refunded_by, reversed_by)
  select $1, r.transaction_id, (
      select max(e.id) from events e
      where e.organization_id = $1 and e.transaction_id = r.transaction_id and e.type = 'RefundTriggered'
    ), r.event_id
  from reported r where r.ends_full_refund
)
update transactions t
set refunded_amount = s.refunded_amount, status = case when s.refunded or t.status <> 'refunded' then t.status else 'complete' end,
  refunded_at = case when s.refunded then t.refunded_at end
from unnest($7::bigint[], $8::bigint[], $9::boolean[]) as s (id, refunded_amount, refunded)
where t.organization_id = $1 and t.id = any ($7::bigint[]) and t.id = s.id`;
