import type { OrganizationId, TransactionId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { RefundedSale } from '#domain/refund.ts';
import type { NamedRefund, RefundableSale } from '#domain/refund-report.ts';
import { type Binding, BOUND, bindingValues } from './bindings.ts';
import type { Connection, Queryable } from './database.ts';
import { AT_ONCE } from './jobs.ts';
import { loadLines } from './sale-facts.ts';

/**
 * Marks the transactions of these bindings refunded, with their RefundTriggered events and jobs, in one statement.
 * Answers the indexes of the bindings that were found; one that was refunded before is found and left as it is. From
 * this commit on nothing makes their money payable.
 *
 * The rows are locked in the order of their ids first, then judged by what they hold under the lock, so that of many
 * refunds at once one makes the event.
 */
export async function writeRefunds(
  connection: Queryable,
  organizationId: OrganizationId,
  bindings: readonly Binding[],
): Promise<Set<number>> {
  const { rows } = await connection.query<{ n: number }>({
    name: 'write-refunds',
    text: WRITE_REFUNDS,
    values: bindingValues(organizationId, bindings),
  });
  return new Set(rows.map((row) => row.n));
}

const WRITE_REFUNDS = `
with found as materialized (
  select b.n, t.id from ${BOUND}
), held as materialized (
  select t.id from transactions t
  where t.organization_id = $1 and t.id = any (array(select id from found)) and t.status = 'complete'
  order by t.id
  for no key update of t
), marked as (
  update transactions t set status = 'refunded', refunded_at = now(), refunded_amount = total
  where t.organization_id = $1 and t.id = any (array(select id from held)) and t.status = 'complete'
  returning t.id, t.source, t.reported_opportunity_id
), numbered as materialized (
  select m.*, nextval('event_ids') as event_id from marked m
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
  select $1, m.event_id, 'RefundTriggered', m.source, m.reported_opportunity_id, m.id, g.config_version, now()
  from numbered m join organizations g on g.id = $1
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type, run_at)
  select $1, event_id, id, 'RefundTriggered', ${AT_ONCE} from numbered
)
select n from found`;

/**
 * Locks the transactions of these bindings in the order of their ids, and answers each binding's, by its index; one that
 * is missing was never reported.
 */
export async function lockBindings(
  connection: Connection,
  organizationId: OrganizationId,
  bindings: readonly Binding[],
): Promise<Map<number, TransactionId>> {
  const { rows } = await connection.query<{ n: number; id: TransactionId }>({
    name: 'lock-bindings',
    text: `
      with found as materialized (
        select b.n, t.id from ${BOUND}
      ), held as materialized (
        select t.id from transactions t
        where t.organization_id = $1 and t.id = any (array(select id from found))
        order by t.id
        for no key update of t
      )
      -- What is held is asked for, or it would not be locked.
      select n, id from found where id = any (array(select id from held))`,
    values: bindingValues(organizationId, bindings),
  });
  return new Map(rows.map((row) => [row.n, row.id]));
}

/** Transactions (locked) with all that a further refund is judged by. A statement after the one that locked. */
export function loadRefundableSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, RefundableSale>> {
  return loadSales(connection, organizationId, transactionIds, 'load-refundable-sales', LOAD_SALES);
}

/** Those of these transactions (locked) that were refunded, in part or in full. */
export function loadRefundedSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, RefundedSale>> {
  return loadSales(connection, organizationId, transactionIds, 'load-refunded-sales', LOAD_REFUNDED_SALES);
}

const LOAD_SALES = `
select t.id, t.total, t.status = 'refunded' as "isRefunded", coalesce((
    select json_agg(json_build_object('refundId', r.refund_id, 'kind', r.kind, 'amount', r.amount,
      'contentHash', encode(r.content_hash, 'hex'), 'pieces', coalesce((
        select json_agg(json_build_object('position', l.position, 'quantity', l.quantity) order by l.position)
        from refund_lines l where l.organization_id = $1 and l.event_id = r.event_id), '[]'::json))
      order by r.event_id)
    from refunds r where r.organization_id = $1 and r.transaction_id = t.id), '[]'::json) as refunds
from transactions t
where t.organization_id = $1 and t.id = any ($2::bigint[])`;

/** An array, since a plan made while there are few would read all refunds of the organization for `exists`. */
const LOAD_REFUNDED_SALES = `${LOAD_SALES} and (t.status = 'refunded' or t.id = any (array(
  select r.transaction_id from refunds r where r.organization_id = $1 and r.transaction_id = any ($2::bigint[]))))`;

type SaleRow = {
  readonly id: TransactionId;
  readonly total: number;
  readonly isRefunded: boolean;
  readonly refunds: readonly (Omit<NamedRefund, 'amount'> & { readonly amount: number })[];
};

async function loadSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
  name: string,
  text: string,
): Promise<Map<TransactionId, RefundableSale>> {
  const { rows } = await connection.query<SaleRow>({ name, text, values: [organizationId, transactionIds] });
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.id);
  const lines = await loadLines(connection, organizationId, ids);
  return new Map(
    rows.map(({ id, total, isRefunded, refunds }) => [
      id,
      {
        total: BigInt(total) as Minor,
        isRefunded,
        lines: lines.get(id) ?? [],
        refunds: refunds.map((refund) => ({ ...refund, amount: BigInt(refund.amount) as Minor })),
      },
    ]),
  );
}

/** A named refund of a transaction. */
export type RefundRow = NamedRefund & { readonly transactionId: TransactionId };

/** A transaction as refunds leave it. */
export type RefundedTransaction = {
  readonly transactionId: TransactionId;
  readonly refundedAmount: Minor;
  readonly isRefunded: boolean;
};

/**
 * Writes refunds that were named, in their order, with their RefundTriggered events and jobs, and what they leave of
 * their transactions (locked, not refunded in full).
 */
export async function saveNamedRefunds(
  connection: Connection,
  organizationId: OrganizationId,
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
    ],
  });
}

const SAVE_NAMED_REFUNDS = `
with told as materialized (
  select r.*, nextval('event_ids') as event_id
  from unnest($2::int[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::text[])
    as r (n, transaction_id, refund_id, kind, amount, content_hash)
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
  select $1, r.event_id, 'RefundTriggered', t.source, t.reported_opportunity_id, r.transaction_id, g.config_version, now()
  from told r
  join transactions t on t.organization_id = $1 and t.id = any ($11::bigint[]) and t.id = r.transaction_id
  join organizations g on g.id = $1
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type, run_at)
  select $1, event_id, transaction_id, 'RefundTriggered', ${AT_ONCE} from told
), kept as (
  insert into refunds (organization_id, event_id, transaction_id, refund_id, kind, amount, content_hash, occurred_at)
  select $1, event_id, transaction_id, refund_id, kind, amount, decode(content_hash, 'hex'), now() from told
), lined as (
  insert into refund_lines (organization_id, event_id, position, quantity)
  select $1, r.event_id, l.position, l.quantity
  from unnest($8::int[], $9::int[], $10::int[]) as l (n, position, quantity)
  join told r on r.n = l.n
)
update transactions t
set refunded_amount = s.refunded_amount, status = case when s.refunded then 'refunded' else t.status end,
  refunded_at = case when s.refunded then now() end
from unnest($11::bigint[], $12::bigint[], $13::boolean[]) as s (id, refunded_amount, refunded)
where t.organization_id = $1 and t.id = any ($11::bigint[]) and t.id = s.id`;
