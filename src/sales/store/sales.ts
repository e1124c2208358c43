import type { ComparedBuyer } from '../domain/buyer.ts';
import type { EventType } from '#tracking/domain/event.ts';
import type { AliasId, OpportunityId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { PayableKind } from '#programs/domain/program.ts';
import type { Line } from '#programs/domain/line.ts';
import { type Binding, BOUND, bindingValues } from '#tracking/store/bindings.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { reportMark } from '#programs/store/decision-order.ts';
import { AT_ONCE } from '#platform/worker/jobs.ts';

export type SaleRow = Binding & {
  /** The opportunity in `trackingId`. Null for an order without a referral. */
  readonly reportedOpportunityId: OpportunityId | null;
  /** The opportunity of the coupon or the user, for an order without a referral. */
  readonly suppliedOpportunityId?: OpportunityId;
  readonly total: Minor;
  readonly currency: string;
  readonly contentHash: Buffer;
  readonly lines: readonly Line[];
  /** The `occurredAt` of the report. Null means the time of the report. */
  readonly occurredAt?: Date | null;
  readonly buyer?: ComparedBuyer | null;
};

/** A renewal to write. `number` counts the renewals of its sale from 1, in the order of their events. */
export type RenewalRow = SaleRow & { readonly renews: TransactionId; readonly number: number };

export type WrittenSale = {
  readonly opportunityId: OpportunityId | null;
  /** The new transaction. Null if the binding already existed. */
  readonly id: TransactionId | null;
};

/**
 * Writes sales or leads with their lines, their events and the jobs that will decide them, in one statement. All rows
 * must have the same kind.
 *
 * Returns results by the index of the row. If the result of a row is missing, its opportunity never existed, or a
 * concurrent transaction has just merged or removed it.
 *
 * The rows must have different bindings, because `on conflict do nothing` would report every copy in a batch as new.
 * The rows are inserted in the order of their bindings, so that two batches with the same bindings can't deadlock. Each
 * opportunity is locked first. Then the statement takes the lock of `reportMark` and draws the event ids. All rows are
 * selected by primary key with arrays (`= any`), so no plan depends on statistics.
 */
export async function writeSales(
  tenant: Tenant,
  kind: Exclude<PayableKind, 'renewal'>,
  sales: readonly SaleRow[],
): Promise<Map<number, WrittenSale>> {
  return write(tenant, kind, sales, []);
}

/**
 * Writes renewals, as `writeSales` does. The rows of the renewed sales must be locked, because the renewal numbers are
 * drawn under that lock.
 */
export async function writeRenewals(
  tenant: Tenant<Connection>,
  renewals: readonly RenewalRow[],
): Promise<Map<number, WrittenSale>> {
  return write(tenant, 'renewal', renewals, renewals);
}

const EVENT_TYPES: Readonly<Record<PayableKind, EventType>> = {
  sale: 'SaleTriggered',
  lead: 'LeadTriggered',
  renewal: 'RenewalTriggered',
};

/**
 * Writes transactions of one kind. For sales and leads, `renewals` is empty, and `unnest` fills its columns with nulls.
 */
async function write(
  { connection, organizationId }: Tenant,
  kind: PayableKind,
  sales: readonly SaleRow[],
  renewals: readonly RenewalRow[],
): Promise<Map<number, WrittenSale>> {
  const lines = sales.flatMap((sale, n) => sale.lines.map((line, index) => ({ n, position: index + 1, line })));
  const reported = sales.map((sale) => sale.reportedOpportunityId);
  // Only orders without a referral can have a supplied opportunity. Without such orders, the list is empty.
  const isSupplied = sales.some((sale) => sale.suppliedOpportunityId !== undefined);
  const supplied = isSupplied ? sales.map((sale) => sale.suppliedOpportunityId ?? null) : [];
  const named = sales.some(({ occurredAt }) => occurredAt != null) ? sales.map(({ occurredAt }) => occurredAt) : [];
  const buyers = sales.flatMap(({ buyer }, n) => (buyer == null ? [] : [{ n, ...buyer }]));
  const { rows } = await connection.query<{
    n: number;
    opportunity_id: OpportunityId | null;
    id: TransactionId | null;
  }>({
    ...(buyers.length === 0 ? WRITE_SALES : WRITE_SALES_OF_BUYERS),
    values: [
      organizationId,
      sales.map((_, n) => n),
      sales.map((sale) => sale.source),
      sales.map((sale) => sale.externalId),
      reported,
      sales.map((sale) => sale.total),
      sales.map((sale) => sale.currency),
      sales.map((sale) => sale.contentHash),
      [...new Set([...reported, ...supplied])].filter((id) => id !== null),
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
      supplied,
      lines.map(({ line }) => (line.total === line.amount * BigInt(line.quantity) ? null : line.total)),
      named.map((moment) => moment?.toISOString() ?? null),
      ...(buyers.length === 0 ? [] : buyerValues(buyers)),
    ],
  });
  return new Map(rows.map((row) => [row.n, { opportunityId: row.opportunity_id, id: row.id }]));
}

/** Returns the parameters that only the statement for sales with buyers has. */
function buyerValues(buyers: readonly (ComparedBuyer & { readonly n: number })[]): unknown[] {
  return [
    buyers.map(({ n }) => n),
    buyers.map(({ email }) => email),
    buyers.map(({ untaggedEmail }) => untaggedEmail),
    buyers.map(({ emailDomain }) => emailDomain),
    buyers.map(({ name }) => name),
    buyers.map(({ cardFingerprint }) => cardFingerprint),
    buyers.map(({ addressHash }) => addressHash),
  ];
}

/** Returns the statement that writes sales. `comparing` is SQL for additional common table expressions about buyers. */
const writing = (comparing: string): string => `
with presented as materialized (
  select o.id as presented, case when o.merged_into is null then o.id else survivor_of($1, o.id) end as id
  from opportunities o where o.organization_id = $1 and o.id = any ($9::bigint[])
), locked as materialized (
  select o.id, o.invalidated_at is null as active
  from opportunities o
  where o.organization_id = $1 and o.id = any (array(select id from presented)) and o.merged_into is null
  order by o.id
  for no key update of o
), reporting as materialized ${reportMark('locked')}, placed as materialized (
  select r.*,
    coalesce(locked.id, r.reported, r.supplied) as opportunity_id,
    -- An order without an opportunity gets the state of an active opportunity, because it is not invalid.
    case when locked.active or r.reported is null and r.supplied is null then 'active' when locked.id is null then 'removed'
      else 'invalid' end as opportunity_state,
    nextval('transaction_ids') as id,
    nextval('event_ids') as event_id,
    -- Don't use the start time of the database transaction. The statement may have waited for a concurrent visit,
    -- which occurred before the sale.
    coalesce(r.named_at, clock_timestamp()) as occurred_at
  from unnest($2::int[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bytea[], $19::bigint[],
      $20::int[], $21::bigint[], $23::timestamptz[])
    as r (n, source, external_id, reported, total, currency, content_hash, renews, renewal_number, supplied, named_at)
  cross join reporting
  left join presented p on p.presented = coalesce(r.reported, r.supplied)
  left join locked on locked.id = p.id
  -- If an issued opportunity id has no opportunity, the opportunity was removed by retention or an erasure, or lost in
  -- a restore.
  where locked.id is not null or r.reported is null and r.supplied is null
    or (p.id is null and r.reported <= pg_sequence_last_value('opportunity_ids'::regclass))
), sold as (
  insert into transactions
    (organization_id, id, source, external_id, event_id, opportunity_id, reported_opportunity_id, opportunity_state,
     total, currency, content_hash, occurred_at, reported_at, type, renews, renewal_number)
  select $1, id, source, external_id, event_id, opportunity_id, reported, opportunity_state, total, currency,
    content_hash, occurred_at, case when named_at is not null then now() end, $17::text, renews, renewal_number
  from placed
  order by source collate "C", external_id collate "C"
  on conflict (organization_id, source, external_id) do nothing
  returning id
), fresh as materialized (
  select p.* from placed p join sold s on s.id = p.id
), lined as (
  insert into transaction_lines (organization_id, transaction_id, position, external_id, name, type, quantity, amount, total)
  select $1, f.id, l.position, l.external_id, l.name, l.type, l.quantity, l.amount, l.total
  from unnest($10::int[], $11::int[], $12::text[], $13::text[], $14::text[], $15::int[], $16::bigint[], $22::bigint[])
    as l (n, position, external_id, name, type, quantity, amount, total)
  join fresh f on f.n = l.n
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at, reported_at)
  select $1, f.event_id, $18::text, f.source, f.reported, f.id, g.config_version, f.occurred_at,
    case when f.named_at is not null then now() end
  from fresh f join organizations g on g.id = $1
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type, run_at)
  select $1, event_id, id, $18::text, ${AT_ONCE} from fresh
)${comparing}
select p.n, p.opportunity_id, f.id
from placed p left join fresh f on f.id = p.id`;

const WRITE_SALES = { name: 'write-sales', text: writing('') };

/**
 * The maximum number of collaborators that are recorded as matching one detail of a buyer. Many collaborators can have
 * the same name.
 */
const ALIKE = 20;

/** Returns SQL for the collaborators `c` who share a detail with the buyer `b`, according to `condition`. */
const alike = (detail: string, condition: string): string => `
  select b.id, c.id as collaborator_id, '${detail}' as detail
  from bought b
  cross join lateral (
    select c.id from collaborators c where c.organization_id = $1 and c.id > 0 and ${condition} limit ${ALIKE}
  ) c`;

/**
 * The statement for sales with buyers. It compares the buyers with the collaborators and the deny list, and stores the
 * results, but not the details of the buyers. If a buyer has a collaborator's email address, the buyer's card and
 * address belong to that collaborator. In this case, keyed hashes of the card and the address are stored, in the order
 * of the hashes, so that two batches can't deadlock. Buyers on the allow list are not compared with collaborators.
 */
const WRITE_SALES_OF_BUYERS = {
  name: 'write-sales-of-buyers',
  text: writing(`, bought as materialized (
  select f.id, b.email, b.untagged, b.name, b.card, b.address, l.list, l.entry_id
  from unnest($24::int[], $25::text[], $26::text[], $27::text[], $28::text[], $29::text[], $30::text[])
    as b (n, email, untagged, domain, name, card, address)
  join fresh f on f.n = b.n
  left join lateral (
    select e.list, e.id as entry_id from fraud_list_entries e
    where e.organization_id = $1 and e.kind = 'email-domain' and e.value = b.domain and e.deleted_at is null offset 0
  ) l on true
), marked as materialized (
  select b.id, m.kind, substr(sha256(g.opportunity_key || convert_to(m.kind || ' ' || m.value, 'UTF8')), 1, 16) as mark
  from bought b
  join organizations g on g.id = $1
  cross join lateral (values ('card', b.card), ('address', b.address)) m (kind, value)
  where m.value is not null and b.list is distinct from 'allow'
), matched as materialized (
  select * from (
    ${alike('email', 'c.email is not null and lower(c.email) in (b.email, b.untagged)')}
    union all ${alike('name', 'lower(c.name) = b.name')}
  ) details
  where id in (select id from bought where list is distinct from 'allow')
  union all
  select m.id, k.collaborator_id, m.kind
  from marked m
  cross join lateral (
    select k.collaborator_id from buyer_marks k where k.organization_id = $1 and k.mark = m.mark limit ${ALIKE}
  ) k
), learned as (
  insert into buyer_marks (organization_id, mark, collaborator_id)
  select distinct $1::bigint, m.mark, t.collaborator_id
  from matched t join marked m on m.id = t.id
  where t.detail = 'email'
  order by m.mark, t.collaborator_id
  on conflict do nothing
), compared as (
  insert into buyer_signals (organization_id, transaction_id, collaborator_id, details, denied_by)
  select $1, id, collaborator_id, array_agg(distinct detail), null from matched group by id, collaborator_id
  union all
  select $1, id, 0, '{}', entry_id from bought where list = 'deny'
)`),
};

export type SaleCoupon = { readonly transactionId: TransactionId; readonly aliasId: AliasId };

/** Writes the coupons of new sales. */
export async function writeSaleCoupons(
  { connection, organizationId }: Tenant<Connection>,
  coupons: readonly SaleCoupon[],
): Promise<void> {
  await connection.query({
    name: 'write-sale-coupons',
    text: `
      insert into sale_coupons (organization_id, alias_id, transaction_id)
      select $1, * from unnest($2::bigint[], $3::bigint[])
      -- An order can name a coupon by its code and by its external id.
      on conflict do nothing`,
    values: [organizationId, coupons.map(({ aliasId }) => aliasId), coupons.map(({ transactionId }) => transactionId)],
  });
}

export type StoredSale = {
  readonly type: PayableKind;
  readonly renews: TransactionId | null;
  /** The originally reported total, before any correction. */
  readonly total: Minor;
  readonly currency: string;
  readonly contentHash: Buffer;
  readonly reportedOpportunityId: OpportunityId | null;
  /**
   * The order's current opportunity, which is the survivor if the order's opportunity was merged. Null if the order has
   * no opportunity.
   */
  readonly opportunityId: OpportunityId | null;
};

/**
 * Returns the stored sales, leads and renewals with the given bindings, by the index of the binding. Unknown bindings
 * are missing from the result. Must run in a later statement than the writing statement.
 */
export async function findSales(
  { connection, organizationId }: Tenant,
  bindings: readonly Binding[],
): Promise<Map<number, StoredSale>> {
  const { rows } = await connection.query<{ n: number; total: number } & Omit<StoredSale, 'total'>>({
    name: 'find-sales',
    text: `
      select b.n, t.type, t.renews, coalesce(t.reported_total, t.total) as total, t.currency, t.content_hash as "contentHash", t.reported_opportunity_id as "reportedOpportunityId",
        coalesce(survivor_of($1, t.opportunity_id), t.opportunity_id) as "opportunityId"
      from ${BOUND}`,
    values: bindingValues(organizationId, bindings),
  });
  return new Map(rows.map(({ n, total, ...sale }) => [n, { ...sale, total: BigInt(total) as Minor }]));
}

/**
 * Returns the current opportunity of each id. It is the survivor if the opportunity was merged, and the id itself
 * otherwise, even if retention removed it. Ids that never existed are missing from the result.
 */
export async function findSurvivors(
  { connection, organizationId }: Tenant,
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
