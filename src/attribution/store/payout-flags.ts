import type { ConversionId, PayoutId, TransactionId } from '#core/ids.ts';
import type { OwedChange } from '#ledger/domain/obligation.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

type NewFlag = Extract<OwedChange, { kind: 'flagged' }> & {
  readonly conversionId: ConversionId;
  readonly transactionId: TransactionId;
};

/** Flags payouts that contain amounts that are no longer owed. A flagged payout can't be paid until it is reviewed. */
export async function flagPayouts(tenant: Tenant<Connection>, flags: readonly NewFlag[]): Promise<void> {
  const { connection, organizationId } = tenant;
  if (flags.length === 0) return;
  const payoutIds = await lockPayouts(tenant, flags);
  await connection.query({
    name: 'flag-payouts',
    text: `
      with flagged as (
        insert into payout_flags
          (organization_id, payout_id, obligation_id, conversion_id, transaction_id, amount, reason)
        select $1, payout_id, obligation_id, conversion_id, transaction_id, amount, reason
        from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
          as f (payout_id, obligation_id, conversion_id, transaction_id, amount, reason)
      )
      update payouts set review = 'flagged', updated_at = now()
      where organization_id = $1 and id = any ($2::bigint[])`,
    values: [
      organizationId,
      payoutIds,
      flags.map(({ payoutId }) => payoutId),
      flags.map(({ obligationId }) => obligationId),
      flags.map(({ conversionId }) => conversionId),
      flags.map(({ transactionId }) => transactionId),
      flags.map(({ amount }) => amount),
      flags.map(({ reason }) => reason),
    ],
  });
}

/**
 * If flagged amounts are owed again, deducts them from their flags. Resolves flags without a remaining amount, and the
 * reviews of payouts without open flags.
 */
export async function withdrawFlags(
  tenant: Tenant<Connection>,
  withdrawn: readonly Extract<OwedChange, { kind: 'withdrawn' }>[],
): Promise<void> {
  const { connection, organizationId } = tenant;
  if (withdrawn.length === 0) return;
  const payoutIds = await lockPayouts(tenant, withdrawn);
  await connection.query(
    `update payout_flags f
     set withdrawn = f.withdrawn + w.amount,
       resolution = case when f.withdrawn + w.amount = f.amount then 'withdrawn' else f.resolution end,
       resolved_at = case when f.withdrawn + w.amount = f.amount then coalesce(f.resolved_at, now()) else f.resolved_at end
     from unnest($2::bigint[], $3::bigint[]) as w (id, amount)
     where f.organization_id = $1 and f.id = any ($2::bigint[]) and f.id = w.id`,
    [organizationId, withdrawn.map(({ flagId }) => flagId), withdrawn.map(({ amount }) => amount)],
  );
  await connection.query(
    `update payouts p
     set updated_at = now(), review = case when exists (
       select from payout_flags f where f.organization_id = $1 and f.payout_id = p.id and f.resolution is null
     ) then 'flagged' else 'resolved' end
     where p.organization_id = $1 and p.id = any ($2::bigint[])`,
    [organizationId, payoutIds],
  );
}

async function lockPayouts(
  { connection, organizationId }: Tenant<Connection>,
  of: readonly { readonly payoutId: PayoutId }[],
): Promise<PayoutId[]> {
  const payoutIds = [...new Set(of.map(({ payoutId }) => payoutId))];
  await connection.query(
    'select from payouts where organization_id = $1 and id = any ($2::bigint[]) order by id for no key update',
    [organizationId, payoutIds],
  );
  return payoutIds;
}
