import type { ConversionStatus, ReviewedSale } from '../domain/conversion.ts';
import type { ConversionId, TransactionId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { lockTransactions } from '#sales/store/transactions.ts';

export type ReviewedConversion = {
  readonly transactionId: TransactionId;
  readonly status: ConversionStatus;
  readonly isRejectedByRefund: boolean;
  readonly isHeld: boolean;
  /** Whether the conversion's program approves it as soon as it is cleared from fraud review. */
  readonly isApprovedAtOnce: boolean;
  readonly sale: ReviewedSale;
};

/**
 * Locks conversions and their transactions, and returns the conversions with the state of their sales. Conversions that
 * don't exist are missing from the result.
 *
 * The transactions are locked first, as in all other code. A refund updates its transaction under the same lock, so an
 * approval never runs in the middle of a refund. Without the lock, 1,616 of 2,000 refunds that ran concurrently with
 * the pipeline left payable money.
 *
 * Locks on the conversions alone would protect the conversions from the pipeline, but wouldn't prevent approvals after
 * a refund has returned 200. A rejection would also miss clawbacks of a concurrent payout review, which locks no
 * conversion. `test/scenarios/races/review-races.test.ts` tests both cases.
 */
export async function lockConversions(
  tenant: Tenant<Connection>,
  ids: readonly ConversionId[],
): Promise<Map<ConversionId, ReviewedConversion>> {
  const { connection, organizationId } = tenant;
  const { rows: sold } = await connection.query<{ transaction_id: TransactionId }>(
    'select distinct transaction_id from conversions where organization_id = $1 and id = any ($2::bigint[])',
    [organizationId, ids],
  );
  const transactionIds = sold.map((row) => row.transaction_id);
  await lockTransactions(tenant, transactionIds);
  const sales = await loadReviewedSales(tenant, transactionIds);
  const { rows } = await connection.query<{
    id: ConversionId;
    transaction_id: TransactionId;
    status: ConversionStatus;
    by_refund: boolean;
    held: boolean;
    at_once: boolean;
  }>(
    `select id, transaction_id, status, status_before is not null as by_refund,
       hold_reasons is not null and released_seq is null and status = 'pending' as held,
       (select v.auto_approve from program_versions v
        where v.organization_id = $1 and v.program_id = c.program_id and v.version = c.program_version) as at_once
     from conversions c
     where organization_id = $1 and id = any ($2::bigint[])
     order by id for no key update`,
    [organizationId, ids],
  );
  return new Map(
    rows.flatMap(({ id, transaction_id: transactionId, status, ...row }) => {
      const sale = sales.get(transactionId);
      if (sale === undefined) return [];
      const { by_refund: isRejectedByRefund, held: isHeld, at_once: isApprovedAtOnce } = row;
      return [[id, { transactionId, status, isRejectedByRefund, isHeld, isApprovedAtOnce, sale }] as const];
    }),
  );
}

/**
 * Loads the state of sales. Unprocessed refunds and corrections are found through their events, because events are
 * indexed by transaction, and jobs are not.
 */
async function loadReviewedSales(
  { connection, organizationId }: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, ReviewedSale>> {
  const { rows } = await connection.query<ReviewedSale & { readonly id: TransactionId }>(
    `select t.id, t.status, exists (
       select from events e
       join jobs j on j.organization_id = $1 and j.event_id = e.id
       where e.organization_id = $1 and e.transaction_id = t.id and e.type in ('RefundTriggered', 'SaleCorrected')
     ) as "refundWaits"
     from transactions t where t.organization_id = $1 and t.id = any ($2::bigint[])`,
    [organizationId, transactionIds],
  );
  return new Map(rows.map(({ id, ...sale }) => [id, sale]));
}

/** Approves pending conversions, and changes their draft obligations to pending. */
export async function saveApprovals(
  { connection, organizationId }: Tenant<Connection>,
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
 * Clears conversions from fraud review. The rules of their programs then apply: approval immediately, after some days,
 * or by a person. A database trigger clears a conversion that is approved while in review.
 */
export async function saveClearances(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly ConversionId[],
): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(
    `with cleared as (
       update conversions c
       set released_seq = nextval('event_ids'), status = case when v.auto_approve then 'approved' else c.status end,
         approve_at = t.occurred_at + make_interval(hours => 24 * v.approve_after_days), updated_at = now()
       from program_versions v, transactions t
       where c.organization_id = $1 and c.id = any ($2::bigint[]) and c.status = 'pending'
         and c.hold_reasons is not null and c.released_seq is null
         and v.organization_id = $1 and v.program_id = c.program_id and v.version = c.program_version
         and t.organization_id = $1 and t.id = c.transaction_id
       returning c.id, c.status
     )
     update obligations set status = 'pending', updated_at = now()
     where organization_id = $1 and amount >= 0 and status = 'draft'
       and conversion_id = any (array(select id from cleared where status = 'approved'))`,
    [organizationId, ids],
  );
}

/**
 * Rejects conversions. Their obligations must be settled separately. If a refund or a correction had already rejected a
 * conversion, the conversion counts as rejected from that refund or correction on. If a reversal or a correction is
 * pending, its job computes the start of the rejection again. Until then, the earlier start applies, so that sales
 * decided before that job don't count the award.
 */
export async function saveRejections(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly ConversionId[],
  { reason, author }: { readonly reason: string; readonly author: string },
): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(
    `update conversions c
     set status = 'rejected', status_before = null, reason = $3, rejected_by = $4, rejected_by_seq = r.seq,
       rejected_seq = case when r.is_first then r.seq else c.rejected_seq end,
       rejected_event_id = case when r.is_first then r.seq else c.rejected_event_id end, updated_at = now()
     from (
       select c.id, nextval('event_ids') as seq, c.status_before is null as is_first
       from conversions c where c.organization_id = $1 and c.id = any ($2::bigint[])
     ) r
     where c.organization_id = $1 and c.id = any ($2::bigint[]) and c.id = r.id and c.rejected_by is null`,
    [organizationId, ids, reason, author],
  );
}
