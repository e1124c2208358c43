import type { ConversionStatus } from '#domain/conversion.ts';
import type { ConversionId, FulfillmentId, ObligationId, OrganizationId, PayoutId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type {
  ClawBack,
  Flag,
  FlagResolution,
  ObligationChange,
  PaidObligation,
  PayoutStatus,
  Resolution,
  ReviewedPayout,
  ReviewState,
} from '#domain/payout.ts';
import type { Connection } from './database.ts';

/**
 * A payout with its obligations and flags, or undefined. Its run is locked, then the sales of all that it pays (so no
 * refund adds a flag meanwhile), the obligations and the payout.
 */
export async function lockReviewedPayout(
  connection: Connection,
  organizationId: OrganizationId,
  id: PayoutId,
): Promise<ReviewedPayout | undefined> {
  await connection.query(
    `select from fulfillments where organization_id = $1
       and id = (select fulfillment_id from payouts where organization_id = $1 and id = $2)
     for no key update`,
    [organizationId, id],
  );
  const obligations = await lockPaidObligations(connection, organizationId, [id]);
  const { rows } = await connection.query<{ status: PayoutStatus; review: ReviewState; amount: number }>(
    'select status, review, amount from payouts where organization_id = $1 and id = $2 for no key update',
    [organizationId, id],
  );
  const [found] = rows;
  if (found === undefined) return undefined;
  const flags = await loadFlags(connection, organizationId, id);
  return { ...found, amount: BigInt(found.amount) as Minor, obligations, flags };
}

/** The obligations in payouts of a run whose lock is held, locked after their sales. */
export async function lockPaidObligations(
  connection: Connection,
  organizationId: OrganizationId,
  payoutIds: readonly PayoutId[],
): Promise<PaidObligation[]> {
  await connection.query(
    // By arrays, since a plan that thinks of one obligation would join them all with all. [2,000 took a minute.]
    `with paid as materialized (
       select conversion_id from obligations where organization_id = $1 and payout_id = any ($2::bigint[])
     ), sold as materialized (
       select transaction_id from conversions
       where organization_id = $1 and id = any (array(select conversion_id from paid))
     )
     select count(*) from (
       select from transactions where organization_id = $1 and id = any (array(select transaction_id from sold))
       order by id for no key update
     ) held`,
    [organizationId, payoutIds],
  );
  const { rows } = await connection.query<{
    obligationId: ObligationId;
    conversionId: ConversionId;
    amount: number;
    status: ConversionStatus;
    worth: number;
  }>(
    `select o.id as "obligationId", o.conversion_id as "conversionId", o.amount, c.status, c.amount as worth
     from obligations o
     join conversions c on c.organization_id = $1 and c.id = o.conversion_id
     where o.organization_id = $1 and o.payout_id = any ($2::bigint[])
     order by o.id for no key update of o`,
    [organizationId, payoutIds],
  );
  return rows.map(({ amount, status, worth, ...row }) => ({
    ...row,
    amount: BigInt(amount) as Minor,
    conversion: { status, amount: BigInt(worth) as Minor },
  }));
}

async function loadFlags(connection: Connection, organizationId: OrganizationId, id: PayoutId): Promise<Flag[]> {
  const { rows } = await connection.query<Omit<Flag, 'amount'> & { readonly amount: number }>(
    `select obligation_id as "obligationId", conversion_id as "conversionId", amount, resolution
     from payout_flags where organization_id = $1 and payout_id = $2 order by id`,
    [organizationId, id],
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) as Minor }));
}

/** Moves obligations out of their payouts, or changes what they are worth in them. */
export async function saveObligationChanges(
  connection: Connection,
  organizationId: OrganizationId,
  changes: readonly ObligationChange[],
): Promise<void> {
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

/** Claw-backs of a paid payout: owed by whom it paid, in its currency. */
export async function saveClawBacks(
  connection: Connection,
  organizationId: OrganizationId,
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

/** Resolves the open flags of a payout, and the payout's review with them. */
export async function saveReview(
  connection: Connection,
  organizationId: OrganizationId,
  id: PayoutId,
  outcome: {
    readonly status: PayoutStatus;
    readonly amount: Minor;
    readonly resolution: Resolution;
    readonly note: string;
    readonly author: string;
  },
): Promise<void> {
  await connection.query(
    `update payout_flags set resolution = $3, note = $4, author = $5, resolved_at = now()
     where organization_id = $1 and payout_id = $2 and resolution is null`,
    [organizationId, id, outcome.resolution, outcome.note, outcome.author],
  );
  await connection.query(
    `update payouts set review = 'resolved', status = $3, amount = $4, updated_at = now()
     where organization_id = $1 and id = $2`,
    [organizationId, id, outcome.status, outcome.amount],
  );
}

/** Payouts of a failed run: void, and nothing to review any more. */
export async function saveVoid(
  connection: Connection,
  organizationId: OrganizationId,
  id: FulfillmentId,
): Promise<void> {
  await connection.query(
    `update payouts set status = 'void', amount = 0, updated_at = now(),
       review = case review when 'flagged' then 'resolved' else review end
     where organization_id = $1 and fulfillment_id = $2 and status <> 'void'`,
    [organizationId, id],
  );
}

/** What is undecided or kept of void payouts is neither: their obligations went back at what they are worth. */
export async function voidFlags(
  connection: Connection,
  organizationId: OrganizationId,
  payoutIds: readonly PayoutId[],
): Promise<void> {
  await connection.query(
    `update payout_flags set resolution = $3, resolved_at = coalesce(resolved_at, now())
     where organization_id = $1 and payout_id = any ($2::bigint[])
       and (resolution is null or resolution = 'keep')`,
    [organizationId, payoutIds, 'void' satisfies FlagResolution],
  );
}
