import type { ConversionStatus, ReviewedSale } from '#domain/conversion.ts';
import type { ConversionId, OrganizationId, TransactionId } from '#domain/ids.ts';
import type { Connection } from './database.ts';
import { lockTransactions } from './sale-facts.ts';

export type ReviewedConversion = {
  readonly transactionId: TransactionId;
  readonly status: ConversionStatus;
  readonly isHeld: boolean;
  /** By its program, once nothing holds it. */
  readonly isApprovedAtOnce: boolean;
  readonly sale: ReviewedSale;
};

/**
 * Conversions with the state of their sales, both locked; one that is missing is not there. The transactions' locks come
 * first, as everywhere: a refund marks its transaction under it, so no approval slips in between [without it 1,616 of
 * 2,000 refunds that raced the pipeline left payable money]. The conversions' own locks would keep the books right beside
 * the pipeline, but approve what a refund was answered for already; and a rejection would miss what the review of a payout
 * takes out of it at that moment, since that locks no conversion (`test/scenarios/review-races.test.ts` has both).
 */
export async function lockConversions(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly ConversionId[],
): Promise<Map<ConversionId, ReviewedConversion>> {
  const { rows: sold } = await connection.query<{ transaction_id: TransactionId }>(
    'select distinct transaction_id from conversions where organization_id = $1 and id = any ($2::bigint[])',
    [organizationId, ids],
  );
  const transactionIds = sold.map((row) => row.transaction_id);
  await lockTransactions(connection, organizationId, transactionIds);
  const sales = await loadReviewedSales(connection, organizationId, transactionIds);
  const { rows } = await connection.query<{
    id: ConversionId;
    transaction_id: TransactionId;
    status: ConversionStatus;
    held: boolean;
    at_once: boolean;
  }>(
    `select id, transaction_id, status,
       hold_reasons is not null and released_tick is null and status = 'pending' as held,
       (select v.auto_approve from program_versions v
        where v.organization_id = $1 and v.program_id = c.program_id and v.version = c.program_version) as at_once
     from conversions c
     where organization_id = $1 and id = any ($2::bigint[])
     order by id for no key update`,
    [organizationId, ids],
  );
  return new Map(
    rows.flatMap(({ id, transaction_id: transactionId, status, held: isHeld, at_once: isApprovedAtOnce }) => {
      const sale = sales.get(transactionId);
      return sale === undefined ? [] : [[id, { transactionId, status, isHeld, isApprovedAtOnce, sale }] as const];
    }),
  );
}

/** The refunds that wait are found through their events, which have an index by transaction; jobs have none. */
async function loadReviewedSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, ReviewedSale>> {
  const { rows } = await connection.query<ReviewedSale & { readonly id: TransactionId }>(
    `select t.id, t.status, exists (
       select from events e
       join jobs j on j.organization_id = $1 and j.event_id = e.id
       where e.organization_id = $1 and e.transaction_id = t.id and e.type = 'RefundTriggered'
     ) as "refundWaits"
     from transactions t where t.organization_id = $1 and t.id = any ($2::bigint[])`,
    [organizationId, transactionIds],
  );
  return new Map(rows.map(({ id, ...sale }) => [id, sale]));
}

/** pending → approved, and what is owed for them draft → pending. */
export async function saveApprovals(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly ConversionId[],
): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(
    `with approved as (
       update conversions set status = 'approved', updated_at = now()
       where organization_id = $1 and id = any ($2::bigint[]) and status = 'pending'
       returning id
     )
     update obligations set status = 'pending', updated_at = now()
     where organization_id = $1 and conversion_id = any (array(select id from approved)) and amount >= 0
       and status = 'draft'`,
    [organizationId, ids],
  );
}

/**
 * Lets go what was held: it goes the way of its program, approved at once, after its days, or by a person. A trigger does
 * the same for what is approved while it is held.
 */
export async function saveReleases(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly ConversionId[],
): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(
    `with released as (
       update conversions c
       set released_tick = nextval('event_ids'), status = case when v.auto_approve then 'approved' else c.status end,
         approve_at = t.occurred_at + make_interval(hours => 24 * v.approve_after_days), updated_at = now()
       from program_versions v, transactions t
       where c.organization_id = $1 and c.id = any ($2::bigint[]) and c.status = 'pending'
         and c.hold_reasons is not null and c.released_tick is null
         and v.organization_id = $1 and v.program_id = c.program_id and v.version = c.program_version
         and t.organization_id = $1 and t.id = c.transaction_id
       returning c.id, c.status
     )
     update obligations set status = 'pending', updated_at = now()
     where organization_id = $1 and amount >= 0 and status = 'draft'
       and conversion_id = any (array(select id from released where status = 'approved'))`,
    [organizationId, ids],
  );
}

/** → rejected. What is owed for them is settled apart. */
export async function saveRejections(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly ConversionId[],
  { reason, author }: { readonly reason: string; readonly author: string },
): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(
    `update conversions
     set status = 'rejected', reason = $3, rejected_by = $4, rejected_tick = nextval('event_ids'), updated_at = now()
     where organization_id = $1 and id = any ($2::bigint[]) and status <> 'rejected'`,
    [organizationId, ids, reason, author],
  );
}
