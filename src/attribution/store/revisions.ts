import { payableUnit } from '#core/currency.ts';
import type { ConversionId, ObligationId, PayoutId, ProgramId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Share } from '#sales/domain/refund.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Owed, OwedChange } from '#ledger/domain/obligation.ts';
import type { Revision } from '../domain/revision.ts';

/** A conversion of a locked transaction that is not rejected. */
export type EarnedShare = Share & {
  readonly conversionId: ConversionId;
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly amount: Minor;
};

export type OwedFor = Owed & { readonly obligationId: ObligationId };

/** A change of the obligation for a conversion of this transaction. */
export type Settled = {
  readonly obligationId: ObligationId;
  readonly conversionId: ConversionId;
  readonly transactionId: TransactionId;
  readonly change: OwedChange;
};

/** Loads the conversions of locked transactions that are not rejected, and locks them in the order of their ids. */
export async function loadShares(
  { connection, organizationId }: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<EarnedShare[]> {
  const { rows } = await connection.query<
    Omit<EarnedShare, 'awarded' | 'amount' | 'unit'> & {
      readonly awarded: number;
      readonly amount: number;
      readonly currency: string;
      readonly inPayableUnits: boolean;
    }
  >({
    name: 'load-shares',
    text: `
      select id as "conversionId", transaction_id as "transactionId", program_id as "programId",
        program_version as "programVersion", awarded, amount, by_quantity as "byQuantity", currency,
        in_payable_units as "inPayableUnits"
      from conversions
      where organization_id = $1 and transaction_id = any ($2::bigint[]) and status <> 'rejected'
      order by id for no key update`,
    values: [organizationId, transactionIds],
  });
  return rows.map(({ awarded, amount, currency, inPayableUnits, ...row }) => ({
    ...row,
    awarded: BigInt(awarded) as Minor,
    amount: BigInt(amount) as Minor,
    unit: inPayableUnits ? payableUnit(currency) : 1n,
  }));
}

/**
 * Loads the amounts owed for conversions, whose transactions must be locked too. Each conversion has one obligation.
 * Locks the obligations in the order of their ids. Flags and clawbacks change only under the lock of the transaction,
 * so they can't change meanwhile.
 */
export async function loadOwed(
  { connection, organizationId }: Tenant<Connection>,
  conversionIds: readonly ConversionId[],
): Promise<Map<ConversionId, OwedFor>> {
  const { rows } = await connection.query<{
    id: ObligationId;
    conversion_id: ConversionId;
    amount: number;
    status: Owed['status'];
    payout_id: PayoutId | null;
    flagged: number;
    taken_back: number;
  }>({
    name: 'load-owed',
    text: `
      select o.id, o.conversion_id, o.amount, o.status, o.payout_id, coalesce(f.standing, 0)::bigint as flagged,
        -- Only a payout review creates clawbacks, so skip the search if there was no such review.
        case when f.clawed_back then coalesce((
          select sum(n.amount) from obligations n
          where n.organization_id = $1 and n.conversion_id = o.conversion_id and n.amount < 0 and n.status <> 'rejected'
        ), 0) else 0 end::bigint as taken_back
      from obligations o
      left join lateral (
        select sum(f.amount) filter (where f.resolution is null or f.resolution = 'keep') as standing,
          bool_or(f.resolution = 'claw-back') as clawed_back
        from payout_flags f where f.organization_id = $1 and f.conversion_id = o.conversion_id
      ) f on true
      where o.organization_id = $1 and o.conversion_id = any ($2::bigint[]) and o.amount >= 0
      order by o.id for no key update of o`,
    values: [organizationId, conversionIds],
  });
  return new Map(
    rows.map((row) => [
      row.conversion_id,
      {
        obligationId: row.id,
        amount: BigInt(row.amount) as Minor,
        status: row.status,
        payoutId: row.payout_id,
        takenBack: BigInt(row.taken_back) as Minor,
        flagged: BigInt(row.flagged) as Minor,
      },
    ]),
  );
}

export type RevisedConversion = {
  readonly conversionId: ConversionId;
  readonly change: NonNullable<Revision['conversion']>;
};

/** Writes the values of conversions after refunds. A rejection has the event of the refund that caused it. */
export async function saveRevisedConversions(
  { connection, organizationId }: Tenant<Connection>,
  revised: readonly RevisedConversion[],
): Promise<void> {
  if (revised.length === 0) return;
  await connection.query({
    name: 'save-revised-conversions',
    text: `
      update conversions c
      set amount = r.amount, updated_at = now(),
        status = case when r.rejected_by is null then c.status else 'rejected' end,
        reason = case when r.rejected_by is null then c.reason else 'refunded' end,
        rejected_seq = case when r.rejected_by is not null then nextval('event_ids') end,
        rejected_event_id = case when r.rejected_by is not null then (
          select e.id from events e
          where e.organization_id = $1 and e.transaction_id = c.transaction_id and e.type = 'RefundTriggered'
          order by e.id offset r.rejected_by limit 1
        ) end
      from unnest($2::bigint[], $3::bigint[], $4::int[]) as r (id, amount, rejected_by)
      where c.organization_id = $1 and c.id = any ($2::bigint[]) and c.id = r.id and c.status <> 'rejected'`,
    values: [
      organizationId,
      revised.map(({ conversionId }) => conversionId),
      revised.map(({ change }) => change.amount),
      revised.map(({ change }) => (change.kind === 'rejected' ? change.by : null)),
    ],
  });
}

/** Writes reduced and rejected obligations, and flags payouts that contain refunded or rejected amounts. */
export async function saveSettled(tenant: Tenant<Connection>, settled: readonly Settled[]): Promise<void> {
  await shrinkObligations(tenant, settled);
  await flagPayouts(tenant, settled);
}

async function shrinkObligations(
  { connection, organizationId }: Tenant<Connection>,
  settled: readonly Settled[],
): Promise<void> {
  const open = settled.flatMap(({ obligationId, change }) =>
    change.kind === 'flagged' ? [] : [{ obligationId, ...change }],
  );
  if (open.length === 0) return;
  await connection.query({
    name: 'shrink-obligations',
    text: `
      update obligations o
      set amount = s.amount, status = case when s.rejected then 'rejected' else o.status end, updated_at = now()
      from unnest($2::bigint[], $3::bigint[], $4::boolean[]) as s (id, amount, rejected)
      where o.organization_id = $1 and o.id = any ($2::bigint[]) and o.id = s.id and o.status in ('draft', 'pending')`,
    values: [
      organizationId,
      open.map(({ obligationId }) => obligationId),
      open.map(({ amount }) => amount),
      open.map(({ kind }) => kind === 'rejected'),
    ],
  });
}

async function flagPayouts(
  { connection, organizationId }: Tenant<Connection>,
  settled: readonly Settled[],
): Promise<void> {
  const flags = settled.flatMap(({ change, ...of }) => (change.kind === 'flagged' ? [{ ...of, ...change }] : []));
  if (flags.length === 0) return;
  const payoutIds = [...new Set(flags.map(({ payoutId }) => payoutId))];
  await connection.query(
    'select from payouts where organization_id = $1 and id = any ($2::bigint[]) order by id for no key update',
    [organizationId, payoutIds],
  );
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
