import type { EventType } from '#domain/event.ts';
import type { OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { PayableKind } from '#domain/program.ts';
import type { Line } from '#domain/reward.ts';
import { type Binding, BOUND, bindingValues } from './bindings.ts';
import type { Connection, Queryable } from './database.ts';
import { AT_ONCE } from './jobs.ts';

export type SaleRow = Binding & {
  readonly reportedOpportunityId: OpportunityId;
  readonly total: Minor;
  readonly currency: string;
  readonly contentHash: Buffer;
  readonly lines: readonly Line[];
};

/** `number` counts the renewals of one sale, in the order of their events. */
export type RenewalRow = SaleRow & { readonly renews: TransactionId; readonly number: number };

export type WrittenSale = { readonly opportunityId: OpportunityId; readonly isNew: boolean };

/**
 * Writes sales with their lines, their SaleTriggered events and the jobs that will decide them, in one statement; leads
 * and renewals likewise, all of one kind.
 * Answers by the index of the row; one that is missing in the answer names an opportunity that was never given out, or
 * that was merged at this very moment. `isNew` is false where the binding was there before.
 *
 * The rows must be of different bindings: `on conflict do nothing` would call every copy in a batch new. They go in by
 * the order of their bindings, so that two batches with the same ones don't wait for each other in a circle. Each
 * opportunity is locked before the sale's event id is drawn, as for visits. Everything is reached by primary key through
 * arrays (`= any`), so no plan depends on statistics.
 */
export async function writeSales(
  connection: Queryable,
  organizationId: OrganizationId,
  kind: Exclude<PayableKind, 'renewal'>,
  sales: readonly SaleRow[],
): Promise<Map<number, WrittenSale>> {
  return write(connection, organizationId, kind, sales, []);
}

/** As `writeSales`. The rows of the sales that they renew must be locked, since the numbers are drawn under that lock. */
export async function writeRenewals(
  connection: Connection,
  organizationId: OrganizationId,
  renewals: readonly RenewalRow[],
): Promise<Map<number, WrittenSale>> {
  return write(connection, organizationId, 'renewal', renewals, renewals);
}

const EVENT_TYPES: Readonly<Record<PayableKind, EventType>> = {
  sale: 'SaleTriggered',
  lead: 'LeadTriggered',
  renewal: 'RenewalTriggered',
};

/** Of sales and leads `renewals` is empty: unnest fills up with nulls, so they carry nothing for it. */
async function write(
  connection: Queryable,
  organizationId: OrganizationId,
  kind: PayableKind,
  sales: readonly SaleRow[],
  renewals: readonly RenewalRow[],
): Promise<Map<number, WrittenSale>> {
  const lines = sales.flatMap((sale, n) => sale.lines.map((line, index) => ({ n, position: index + 1, line })));
  const reported = sales.map((sale) => sale.reportedOpportunityId);
  const { rows } = await connection.query<{ n: number; opportunity_id: OpportunityId; is_new: boolean }>({
    name: 'write-sales',
    text: WRITE_SALES,
    values: [
      organizationId,
      sales.map((_, n) => n),
      sales.map((sale) => sale.source),
      sales.map((sale) => sale.externalId),
      reported,
      sales.map((sale) => sale.total),
      sales.map((sale) => sale.currency),
      sales.map((sale) => sale.contentHash),
      [...new Set(reported)],
      lines.map(({ n }) => n),
      lines.map(({ position }) => position),
      lines.map(({ line }) => line.externalId),
      lines.map(({ line }) => line.name),
      lines.map(({ line }) => line.type),
      lines.map(({ line }) => line.quantity),
      lines.map(({ line }) => line.amount),
      kind,
      EVENT_TYPES[kind],
      renewals.map(({ renews }) => renews),
      renewals.map(({ number }) => number),
    ],
  });
  return new Map(rows.map((row) => [row.n, { opportunityId: row.opportunity_id, isNew: row.is_new }]));
}

const WRITE_SALES = `
with presented as materialized (
  select o.id as presented, case when o.merged_into is null then o.id else survivor_of($1, o.id) end as id
  from opportunities o where o.organization_id = $1 and o.id = any ($9::bigint[])
), held as materialized (
  select o.id, o.invalidated_at is null as active
  from opportunities o
  where o.organization_id = $1 and o.id = any (array(select id from presented)) and o.merged_into is null
  order by o.id
  for no key update of o
), placed as materialized (
  select r.*,
    coalesce(h.id, r.reported) as opportunity_id,
    case when h.id is null then 'removed' when h.active then 'active' else 'invalid' end as opportunity_state,
    nextval('transaction_ids') as id,
    nextval('event_ids') as event_id
  from unnest($2::int[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bytea[], $19::bigint[],
      $20::int[])
    as r (n, source, external_id, reported, total, currency, content_hash, renews, renewal_number)
  left join presented p on p.presented = r.reported
  left join held h on h.id = p.id
  -- A number that was given out and is not there any more was removed by retention.
  where h.id is not null or (p.id is null and r.reported <= pg_sequence_last_value('opportunity_ids'::regclass))
), sold as (
  insert into transactions
    (organization_id, id, source, external_id, event_id, opportunity_id, reported_opportunity_id, opportunity_state,
     total, currency, content_hash, occurred_at, type, renews, renewal_number)
  select $1, id, source, external_id, event_id, opportunity_id, reported, opportunity_state, total, currency,
    content_hash, now(), $17::text, renews, renewal_number
  from placed
  order by source collate "C", external_id collate "C"
  on conflict (organization_id, source, external_id) do nothing
  returning id
), fresh as materialized (
  select p.* from placed p join sold s on s.id = p.id
), lined as (
  insert into transaction_lines (organization_id, transaction_id, position, external_id, name, type, quantity, amount)
  select $1, f.id, l.position, l.external_id, l.name, l.type, l.quantity, l.amount
  from unnest($10::int[], $11::int[], $12::text[], $13::text[], $14::text[], $15::int[], $16::bigint[])
    as l (n, position, external_id, name, type, quantity, amount)
  join fresh f on f.n = l.n
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
  select $1, f.event_id, $18::text, f.source, f.reported, f.id, g.config_version, now()
  from fresh f join organizations g on g.id = $1
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type, run_at)
  select $1, event_id, id, $18::text, ${AT_ONCE} from fresh
)
select p.n, p.opportunity_id, f.id is not null as is_new
from placed p left join fresh f on f.id = p.id`;

export type StoredSale = {
  readonly type: PayableKind;
  readonly renews: TransactionId | null;
  readonly total: Minor;
  readonly currency: string;
  readonly contentHash: Buffer;
  readonly reportedOpportunityId: OpportunityId;
  /** Where its opportunity leads now. */
  readonly opportunityId: OpportunityId;
};

/** The sales that stand under these bindings, by the index of the binding. A statement after the one that wrote. */
export async function findSales(
  connection: Queryable,
  organizationId: OrganizationId,
  bindings: readonly Binding[],
): Promise<Map<number, StoredSale>> {
  const { rows } = await connection.query<{ n: number; total: number } & Omit<StoredSale, 'total'>>({
    name: 'find-sales',
    text: `
      select b.n, t.type, t.renews, t.total, t.currency, t.content_hash as "contentHash", t.reported_opportunity_id as "reportedOpportunityId",
        coalesce(survivor_of($1, t.opportunity_id), t.opportunity_id) as "opportunityId"
      from ${BOUND}`,
    values: bindingValues(organizationId, bindings),
  });
  return new Map(rows.map(({ n, total, ...sale }) => [n, { ...sale, total: BigInt(total) as Minor }]));
}

/**
 * Where each opportunity leads now: itself, the survivor of its merge, itself where it was removed; nothing for one that
 * was never given out.
 */
export async function findSurvivors(
  connection: Queryable,
  organizationId: OrganizationId,
  opportunityIds: readonly OpportunityId[],
): Promise<Map<OpportunityId, OpportunityId>> {
  const { rows } = await connection.query<{ id: OpportunityId; survivor: OpportunityId }>({
    name: 'find-survivors',
    text: `
      select r.id, coalesce(o.survivor, r.id) as survivor
      from unnest($2::bigint[]) as r (id)
      left join lateral (
        select case when o.merged_into is null then o.id else survivor_of($1, o.id) end as survivor
        from opportunities o where o.organization_id = $1 and o.id = r.id offset 0
      ) o on true
      where o.survivor is not null or r.id <= pg_sequence_last_value('opportunity_ids'::regclass)`,
    values: [organizationId, opportunityIds],
  });
  return new Map(rows.map(({ id, survivor }) => [id, survivor]));
}
