import type { CollaboratorId, PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { OwnFormat } from '../domain/payment-file.ts';
import type { ResultPayout } from '../domain/payment-results.ts';
import type { Mark } from '../domain/payout.ts';
import { LACKS_TAX_DETAILS } from './tax-rule.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * SQL for the payouts with a reported refund or correction that is still being processed. $1 is the organization. The
 * query starts from the few pending refunds and corrections, and finds obligations with the index
 * `obligations_conversion`.
 */
export const WITH_WAITING_REFUND = `
  select o.payout_id
  from jobs j
  join conversions c on c.organization_id = $1 and c.transaction_id = j.transaction_id
  join obligations o on o.organization_id = $1 and o.conversion_id = c.id and o.amount >= 0
  where j.organization_id = $1 and j.type in ('RefundTriggered', 'SaleCorrected') and o.payout_id is not null`;

/**
 * Returns SQL for the conversions whose sale has a refund or correction that is still being processed. The parameter
 * `organization` is SQL for the organization. These conversions include the conversions of every incomplete sale with
 * pending obligations. A refund marks its sale and adds its job in one transaction, and the job is deleted only when no
 * obligation is pending. So a preview need not check every sale. A run locks its sales and checks them.
 *
 * The SQL is a subquery instead of an anti-join. The few rows become a hashed set, whose lookups cost the same in every
 * plan.
 */
export function conversionsGoingBack(organization: string): string {
  return `
    select c.id from jobs j
    join conversions c on c.organization_id = ${organization} and c.transaction_id = j.transaction_id
    where j.organization_id = ${organization} and j.type in ('RefundTriggered', 'SaleCorrected')`;
}

/**
 * Locks payouts, in the order of their ids, after their runs. Returns the facts that decide whether they can be marked.
 * Payouts that don't exist are missing from the result. Concurrent marks share the lock on a run. Calls that complete
 * or fail the run, or review its payouts, wait for that lock.
 */
export async function lockMarkedPayouts(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly PayoutId[],
): Promise<Map<PayoutId, ResultPayout>> {
  await connection.query(
    `select count(*) from (
       select from fulfillments where organization_id = $1 and id in (
         select fulfillment_id from payouts where organization_id = $1 and id = any ($2::bigint[]))
       order by id for share
     ) locked`,
    [organizationId, ids],
  );
  await lockPayouts({ connection, organizationId }, ids);
  return loadMarkedPayouts({ connection, organizationId }, ids);
}

/** Locks payouts, sorted by id. */
export async function lockPayouts(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly PayoutId[],
): Promise<void> {
  await connection.query(
    `select count(*) from (
       select from payouts where organization_id = $1 and id = any ($2::bigint[]) order by id for no key update
     ) locked`,
    [organizationId, ids],
  );
}

/** Returns the facts about payouts that decide whether they can be marked. Locks nothing. */
export async function loadMarkedPayouts(
  { connection, organizationId }: Tenant,
  ids: readonly PayoutId[],
): Promise<Map<PayoutId, ResultPayout>> {
  // Clawbacks of conversions are found with the index `obligations_clawed_back`.
  const { rows } = await connection.query<
    Omit<ResultPayout, 'amount'> & { readonly payoutId: PayoutId; readonly amount: number }
  >(
    `select p.id as "payoutId", p.status, p.review, p.amount, p.currency, f.status as "runStatus",
       p.id in (${WITH_WAITING_REFUND}) as "refundWaits", ${LACKS_TAX_DETAILS} as "lacksTaxDetails",
       exists (
         select from payout_flags g
         join obligations o on o.organization_id = $1 and o.collaborator_id = p.collaborator_id
           and o.conversion_id = g.conversion_id and o.amount < 0 and o.status <> 'rejected'
         where g.organization_id = $1 and g.payout_id = p.id and g.resolution = 'claw-back'
       ) as "clawedBack", p.failure is not null as "hasFailed"
     from payouts p
     join fulfillments f on f.organization_id = $1 and f.id = p.fulfillment_id
     where p.organization_id = $1 and p.id = any ($2::bigint[])`,
    [organizationId, ids],
  );
  return new Map(
    rows.map(({ payoutId, amount, ...payout }) => [payoutId, { ...payout, amount: BigInt(amount) as Minor }]),
  );
}

/**
 * Locks the runs of payouts, so that no other call can mark, review, complete or fail these runs or their payouts. The
 * caller can then lock sales and obligations.
 */
export async function lockRunsOf(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly PayoutId[],
): Promise<void> {
  await connection.query(
    `select count(*) from (
       select from fulfillments where organization_id = $1 and id in (
         select fulfillment_id from payouts where organization_id = $1 and id = any ($2::bigint[]))
       order by id for no key update
     ) locked`,
    [organizationId, ids],
  );
}

/**
 * Makes payouts void because their payments failed, and closes their reviews. The caller must release the obligations
 * of these payouts.
 */
export async function saveFailures(
  { connection, organizationId }: Tenant<Connection>,
  failures: ReadonlyMap<PayoutId, string>,
): Promise<void> {
  await connection.query(
    `update payouts p set status = 'void', amount = 0, failure = n.failure, updated_at = now(),
       review = case p.review when 'flagged' then 'resolved' else p.review end
     from unnest($2::bigint[], $3::text[]) as n (id, failure)
     where p.organization_id = $1 and p.id = n.id`,
    [organizationId, [...failures.keys()], [...failures.values()]],
  );
}

/** Marks locked payouts as paid or unpaid. */
export async function saveMarks(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly PayoutId[],
  mark: Mark,
): Promise<void> {
  await connection.query(
    `update payouts set status = $3, paid_at = case when $3 = 'paid' then now() end, updated_at = now()
     where organization_id = $1 and id = any ($2::bigint[])`,
    [organizationId, ids, mark],
  );
}

/**
 * Returns whether a collaborator has a draft or pending obligation, or an unpaid payout. Uses an index of obligations
 * by collaborator.
 */
export async function isOwed(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
): Promise<boolean> {
  const { rows } = await connection.query<{ owed: boolean }>(
    `select exists (
       select from obligations
       where organization_id = $1 and collaborator_id = $2 and id > 0 and status in ('draft', 'pending')
     ) or exists (
       select from payouts where organization_id = $1 and collaborator_id = $2 and status = 'unpaid'
     ) as owed`,
    [organizationId, collaboratorId],
  );
  return (rows[0] as { owed: boolean }).owed;
}

/**
 * Records the format in which payouts were downloaded. A payout that was downloaded before keeps its format. The caller
 * must have locked the run.
 */
export async function saveDownload(
  { connection, organizationId }: Tenant<Connection>,
  format: OwnFormat,
  payoutIds: readonly PayoutId[],
): Promise<void> {
  await connection.query(
    `insert into payout_files (organization_id, payout_id, format)
     select $1, payout_id, $3 from unnest($2::bigint[]) payout_id
     on conflict (organization_id, payout_id) do nothing`,
    [organizationId, payoutIds, format],
  );
}
