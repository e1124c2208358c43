import type { ConversionId, FulfillmentId, ObligationId, PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type {
  ClawBack,
  Flag,
  FlagResolution,
  ObligationChange,
  PayoutObligation,
  PayoutStatus,
  Resolution,
  ReviewedPayout,
  ReviewFacts,
} from '../domain/payout.ts';
import { MAX_SHOWN_REASONS } from '../domain/payout.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { lockPayouts } from './payouts.ts';

/** Returns the facts that decide whether payouts can be reviewed. Locks nothing. Omits payouts that don't exist. */
export async function loadReviewFacts(
  { connection, organizationId }: Tenant,
  ids: readonly PayoutId[],
): Promise<Map<PayoutId, ReviewFacts>> {
  const { rows } = await connection.query<
    Omit<ReviewFacts, 'amount'> & { readonly id: PayoutId; readonly amount: number }
  >(
    `select p.id, p.status, p.review, p.amount,
       (select count(*)::int from payout_flags f
        where f.organization_id = $1 and f.payout_id = p.id) as "flagCount",
       (select f.resolution from payout_flags f
        where f.organization_id = $1 and f.payout_id = p.id order by f.id desc limit 1) as "lastResolution"
     from payouts p where p.organization_id = $1 and p.id = any ($2::bigint[])`,
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, amount, ...facts }) => [id, { ...facts, amount: BigInt(amount) as Minor }]));
}

/**
 * Locks payouts of locked runs and returns them with their obligations and open flags. The locks are taken in this
 * order, each sorted by id:
 * - the sales of the payouts' obligations, so that no refund adds a flag
 * - the obligations
 * - the payouts
 */
export async function lockReviewedPayouts(
  tenant: Tenant<Connection>,
  ids: readonly PayoutId[],
): Promise<Map<PayoutId, ReviewedPayout>> {
  if (ids.length === 0) return new Map();
  const obligations = Map.groupBy(await lockPayoutObligations(tenant, ids), ofPayout);
  await lockPayouts(tenant, ids);
  const facts = await loadReviewFacts(tenant, ids);
  const flags = Map.groupBy(await loadOpenFlags(tenant, ids), ofPayout);
  return new Map(
    [...facts].map(([id, payout]) => [
      id,
      { ...payout, obligations: obligations.get(id) ?? [], openFlags: flags.get(id) ?? [] },
    ]),
  );
}

type OfPayout = { readonly payoutId: PayoutId };

function ofPayout({ payoutId }: OfPayout): PayoutId {
  return payoutId;
}

/** Locks the obligations in payouts of locked runs, after locking their sales, and returns them. */
export async function lockPayoutObligations(
  { connection, organizationId }: Tenant<Connection>,
  payoutIds: readonly PayoutId[],
): Promise<(PayoutObligation & OfPayout)[]> {
  await connection.query(
    // Compare ids with arrays instead of joins. A plan that expects one obligation would join all rows with all others.
    // With 2,000 obligations, that took a minute.
    `with paid as materialized (
       select conversion_id from obligations where organization_id = $1 and payout_id = any ($2::bigint[])
     ), sold as materialized (
       select transaction_id from conversions
       where organization_id = $1 and id = any (array(select conversion_id from paid))
     )
     select count(*) from (
       select from transactions where organization_id = $1 and id = any (array(select transaction_id from sold))
       order by id for no key update
     ) locked`,
    [organizationId, payoutIds],
  );
  const { rows } = await connection.query<{
    payoutId: PayoutId;
    obligationId: ObligationId;
    conversionId: ConversionId;
    amount: number;
  }>(
    `select payout_id as "payoutId", id as "obligationId", conversion_id as "conversionId", amount
     from obligations
     where organization_id = $1 and payout_id = any ($2::bigint[])
     order by id for no key update`,
    [organizationId, payoutIds],
  );
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) as Minor }));
}

async function loadOpenFlags(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly PayoutId[],
): Promise<(Flag & OfPayout)[]> {
  const { rows } = await connection.query<Omit<Flag, 'amount'> & OfPayout & { readonly amount: number }>(
    `select payout_id as "payoutId", obligation_id as "obligationId", conversion_id as "conversionId",
       amount - withdrawn as amount
     from payout_flags
     where organization_id = $1 and payout_id = any ($2::bigint[]) and resolution is null order by id`,
    [organizationId, ids],
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) as Minor }));
}

/**
 * Changes the status and amount of obligations. Obligations whose new status is not `fulfilled` are removed from their
 * payouts.
 */
export async function saveObligationChanges(
  { connection, organizationId }: Tenant<Connection>,
  changes: readonly ObligationChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await connection.query(
    `update obligations o set status = n.status, amount = n.amount,
       payout_id = case when n.status = 'fulfilled' then o.payout_id end, updated_at = now()
     from unnest($2::bigint[], $3::text[], $4::bigint[]) as n (id, status, amount)
     where o.organization_id = $1 and o.id = n.id`,
    [
      organizationId,
      changes.map(({ obligationId }) => obligationId),
      changes.map(({ status }) => status),
      changes.map(({ amount }) => amount),
    ],
  );
}

/** Writes the clawbacks of paid payouts as negative obligations to the same collaborators, in the same currencies. */
export async function saveClawBacks(
  { connection, organizationId }: Tenant<Connection>,
  clawBacks: readonly ClawBack[],
): Promise<void> {
  await connection.query(
    `insert into obligations
       (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
     select $1, c.id, c.collaborator_id, n.amount, c.currency, 'pending', now(), now()
     from unnest($2::bigint[], $3::bigint[]) as n (conversion_id, amount)
     join conversions c on c.organization_id = $1 and c.id = n.conversion_id`,
    [organizationId, clawBacks.map(({ conversionId }) => conversionId), clawBacks.map(({ amount }) => amount)],
  );
}

export type ReviewedAs = { readonly id: PayoutId; readonly status: PayoutStatus; readonly amount: Minor };

/**
 * Resolves the open flags of payouts with one resolution, and marks their reviews as resolved. The note is written only
 * to the flags that are shown. Older flags are never shown again, because flags are never removed.
 */
export async function saveReviews(
  { connection, organizationId }: Tenant<Connection>,
  reviewed: readonly ReviewedAs[],
  { resolution, note, author }: { readonly resolution: Resolution; readonly note: string; readonly author: string },
): Promise<void> {
  const ids = reviewed.map(({ id }) => id);
  await connection.query(
    `update payout_flags f
     set resolution = $3, author = $5, resolved_at = now(), note = case when f.id >= s.first then $4 end
     from unnest($2::bigint[]) as p (id)
     cross join lateral (
       select min(n.id) as first from (
         select g.id from payout_flags g
         where g.organization_id = $1 and g.payout_id = p.id order by g.id desc limit $6
       ) n
     ) s
     where f.organization_id = $1 and f.payout_id = p.id and f.resolution is null`,
    [organizationId, ids, resolution, note, author, MAX_SHOWN_REASONS],
  );
  await connection.query(
    `update payouts p set review = 'resolved', status = n.status, amount = n.amount, updated_at = now()
     from unnest($2::bigint[], $3::text[], $4::bigint[]) as n (id, status, amount)
     where p.organization_id = $1 and p.id = n.id`,
    [organizationId, ids, reviewed.map(({ status }) => status), reviewed.map(({ amount }) => amount)],
  );
}

/** Makes the payouts of a failed run void, and closes their reviews. */
export async function saveVoid({ connection, organizationId }: Tenant<Connection>, id: FulfillmentId): Promise<void> {
  await connection.query(
    `update payouts set status = 'void', amount = 0, updated_at = now(),
       review = case review when 'flagged' then 'resolved' else review end
     where organization_id = $1 and fulfillment_id = $2 and status <> 'void'`,
    [organizationId, id],
  );
}

/**
 * Sets flags of void payouts to `void` if they are open or were resolved with `keep`, because the obligations of the
 * payouts were released. Returns the conversions of these flags. The obligations of these conversions may now exceed
 * the amounts that are owed.
 */
export async function voidFlags(
  { connection, organizationId }: Tenant<Connection>,
  payoutIds: readonly PayoutId[],
): Promise<ConversionId[]> {
  const { rows } = await connection.query<{ id: ConversionId }>(
    `update payout_flags set resolution = $3, resolved_at = coalesce(resolved_at, now())
     where organization_id = $1 and payout_id = any ($2::bigint[])
       and (resolution is null or resolution = 'keep')
     returning conversion_id as id`,
    [organizationId, payoutIds, 'void' satisfies FlagResolution],
  );
  return [...new Set(rows.map(({ id }) => id))];
}
