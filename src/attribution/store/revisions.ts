import { payableUnit } from '#core/currency.ts';
import type {
  CollaboratorId,
  ConversionId,
  EventId,
  FlagId,
  ObligationId,
  PayoutId,
  ProgramId,
  TransactionId,
} from '#core/ids.ts';
import type { ConversionType } from '../domain/conversion.ts';
import type { Minor } from '#core/money.ts';
import type { Share } from '#sales/domain/worth.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ObligationStatus, Owed, OwedChange, StandingFlag } from '#ledger/domain/obligation.ts';
import type { PastRejection, Revision } from '../domain/revision.ts';
import { flagPayouts, withdrawFlags } from './payout-flags.ts';

/** A conversion of a locked transaction. */
export type EarnedShare = Omit<Share, 'corrected'> & {
  readonly type: ConversionType;
  readonly collaboratorId: CollaboratorId;
  readonly conversionId: ConversionId;
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly amount: Minor;
  readonly eventId: EventId | null;
  /** The event that rejected the conversion, or null if it is not rejected. */
  readonly rejectedBy: EventId | null;
  readonly rejectedByPersonAt: EventId | null;
};

/** The changes of the amounts owed for one conversion. */
export type Settled = {
  readonly conversionId: ConversionId;
  readonly transactionId: TransactionId;
  readonly changes: readonly OwedChange[];
};

/** Loads the conversions of locked transactions, and locks them in the order of their ids. */
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
      select id as "conversionId", type, transaction_id as "transactionId", program_id as "programId",
        collaborator_id as "collaboratorId",
        program_version as "programVersion", awarded, amount, by_quantity as "byQuantity", currency,
        in_payable_units as "inPayableUnits", event_id as "eventId",
        rejected_event_id as "rejectedBy", rejected_by_seq as "rejectedByPersonAt"
      from conversions
      where organization_id = $1 and transaction_id = any ($2::bigint[])
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
 * Loads the amounts owed for conversions, which must be locked together with their transactions. Obligations are locked
 * in the order of their ids. Flags and clawbacks change only under the lock of the transaction, so they can't change in
 * the meantime.
 */
export async function loadOwed(
  { connection, organizationId }: Tenant<Connection>,
  conversionIds: readonly ConversionId[],
): Promise<Map<ConversionId, Owed>> {
  const { rows } = await connection.query<{
    id: ObligationId;
    conversion_id: ConversionId;
    amount: number;
    status: ObligationStatus;
    payout_id: PayoutId | null;
    flags: readonly { readonly id: FlagId; readonly amount: number; readonly isOpen: boolean }[] | null;
    taken_back: number;
  }>({
    name: 'load-owed',
    text: `
      select o.id, o.conversion_id, o.amount, o.status, o.payout_id, f.flags,
        -- Only payout reviews claw money back, so the sum is read only if a review did so.
        case when f.clawed_back then coalesce((
          select sum(n.amount) from obligations n
          where n.organization_id = $1 and n.conversion_id = o.conversion_id and n.amount < 0 and n.status <> 'rejected'
        ), 0) else 0 end::bigint as taken_back
      from obligations o
      left join lateral (
        select json_agg(json_build_object('id', f.id, 'amount', f.amount - f.withdrawn, 'isOpen', f.resolution is null)
            order by f.id)
            filter (where f.obligation_id = o.id and coalesce(f.resolution, 'keep') = 'keep')
            as flags,
          bool_or(f.resolution = 'claw-back') as clawed_back
        from payout_flags f where f.organization_id = $1 and f.conversion_id = o.conversion_id
      ) f on true
      where o.organization_id = $1 and o.conversion_id = any ($2::bigint[]) and o.amount >= 0
      order by o.id for no key update of o`,
    values: [organizationId, conversionIds],
  });
  return new Map(
    [...Map.groupBy(rows, (row) => row.conversion_id)].map(([conversionId, ofOne]) => [
      conversionId,
      {
        obligations: ofOne.map(({ id, amount, status, payout_id: payoutId }) => ({
          obligationId: id,
          amount: BigInt(amount) as Minor,
          status,
          payoutId,
        })),
        takenBack: BigInt(ofOne[0]?.taken_back ?? 0) as Minor,
        flags: ofOne.flatMap(({ id: obligationId, payout_id: payoutId, flags }) =>
          payoutId === null
            ? []
            : (flags ?? []).map(({ id, amount, isOpen }): StandingFlag => ({
                flagId: id,
                obligationId,
                payoutId,
                amount: BigInt(amount) as Minor,
                isOpen,
              })),
        ),
      },
    ]),
  );
}

/**
 * Returns the current worth of each given conversion. The transactions of the conversions must be locked. A rejected
 * conversion is worth 0.
 */
export async function loadWorths(
  { connection, organizationId }: Tenant<Connection>,
  conversionIds: readonly ConversionId[],
): Promise<{ conversionId: ConversionId; transactionId: TransactionId; worth: Minor }[]> {
  const { rows } = await connection.query<{ conversionId: ConversionId; transactionId: TransactionId; worth: number }>(
    `select id as "conversionId", transaction_id as "transactionId",
       case when status = 'rejected' then 0 else amount end as worth
     from conversions where organization_id = $1 and id = any ($2::bigint[]) order by id`,
    [organizationId, conversionIds],
  );
  return rows.map(({ worth, ...row }) => ({ ...row, worth: BigInt(worth) as Minor }));
}

/** The change of a conversion after refunds, reversals and corrections. */
export type RevisedConversion = {
  readonly conversionId: ConversionId;
  readonly change: NonNullable<Revision['conversion']>;
};

/**
 * Writes the changed amounts, statuses and rejections of conversions. A rejection refers to the refund or correction
 * that caused it.
 */
export async function saveRevisedConversions(
  { connection, organizationId }: Tenant<Connection>,
  revised: readonly RevisedConversion[],
): Promise<void> {
  if (revised.length === 0) return;
  await connection.query({
    name: 'save-revised-conversions',
    text: `
      update conversions c
      set amount = coalesce(r.amount, c.amount), updated_at = now(),
        status = case r.kind when 'rejected' then 'rejected' when 'restored' then c.status_before else c.status end,
        status_before = case when r.kind = 'rejected' then coalesce(c.status_before, c.status) end,
        reason = case r.kind when 'rejected' then r.reason when 'moved' then c.reason end,
        rejected_seq = case when r.rejected_by is not null then nextval('event_ids') end,
        rejected_event_id = r.rejected_by
      from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
        as r (id, kind, amount, rejected_by, reason)
      where c.organization_id = $1 and c.id = any ($2::bigint[]) and c.id = r.id`,
    values: [
      organizationId,
      revised.map(({ conversionId }) => conversionId),
      revised.map(({ change }) => change.kind),
      revised.map(({ change }) => ('amount' in change ? change.amount : null)),
      revised.map(({ change }) => ('by' in change ? change.by : null)),
      revised.map(({ change }) => ('reason' in change ? change.reason : null)),
    ],
  });
}

/**
 * Writes past rejections of conversions. Must run before `saveRevisedConversions`, which overwrites the current
 * rejections that this function reads.
 */
export async function savePastRejections(
  { connection, organizationId }: Tenant<Connection>,
  past: readonly (PastRejection & { readonly conversionId: ConversionId })[],
): Promise<void> {
  if (past.length === 0) return;
  await connection.query(
    `insert into reversed_rejections
       (organization_id, conversion_id, rejected_event_id, rejected_seq, restored_event_id, restored_seq)
     select $1, c.id, p.rejected_by,
       case when c.rejected_event_id = p.rejected_by then c.rejected_seq else nextval('event_ids') end, p.restored_by,
       nextval('event_ids')
     from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as p (id, rejected_by, restored_by)
     join conversions c on c.organization_id = $1 and c.id = p.id
     on conflict do nothing`,
    [
      organizationId,
      past.map(({ conversionId }) => conversionId),
      past.map(({ by }) => by),
      past.map(({ restoredBy }) => restoredBy),
    ],
  );
}

/** Writes changes of the owed amounts: obligations, and flags of payouts. */
export async function saveSettled(tenant: Tenant<Connection>, settled: readonly Settled[]): Promise<void> {
  const changes = settled.flatMap(({ changes: each, ...of }) => each.map((change) => ({ ...of, ...change })));
  await shrinkObligations(
    tenant,
    changes.flatMap((change) => (change.kind === 'reduced' || change.kind === 'rejected' ? [change] : [])),
  );
  await withdrawFlags(
    tenant,
    changes.filter((change) => change.kind === 'withdrawn'),
  );
  await flagPayouts(
    tenant,
    changes.filter((change) => change.kind === 'flagged'),
  );
  await addObligations(
    tenant,
    changes.filter((change) => change.kind === 'raised'),
  );
}

async function shrinkObligations(
  { connection, organizationId }: Tenant<Connection>,
  changes: readonly Extract<OwedChange, { kind: 'reduced' | 'rejected' }>[],
): Promise<void> {
  if (changes.length === 0) return;
  await connection.query({
    name: 'shrink-obligations',
    text: `
      update obligations o
      set amount = s.amount, status = case when s.rejected then 'rejected' else o.status end, updated_at = now()
      from unnest($2::bigint[], $3::bigint[], $4::boolean[]) as s (id, amount, rejected)
      where o.organization_id = $1 and o.id = any ($2::bigint[]) and o.id = s.id and o.status in ('draft', 'pending')`,
    values: [
      organizationId,
      changes.map(({ obligationId }) => obligationId),
      changes.map(({ amount }) => amount),
      changes.map(({ kind }) => kind === 'rejected'),
    ],
  });
}

/** Adds obligations for amounts that are owed again. They are payable if the conversion is approved. */
async function addObligations(
  { connection, organizationId }: Tenant<Connection>,
  raised: readonly { readonly conversionId: ConversionId; readonly amount: Minor }[],
): Promise<void> {
  if (raised.length === 0) return;
  await connection.query(
    `insert into obligations
       (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
     select $1, c.id, c.collaborator_id, n.amount, c.currency,
       case c.status when 'approved' then 'pending' else 'draft' end, now(), now()
     from unnest($2::bigint[], $3::bigint[]) as n (conversion_id, amount)
     join conversions c on c.organization_id = $1 and c.id = n.conversion_id
     order by c.id`,
    [organizationId, raised.map(({ conversionId }) => conversionId), raised.map(({ amount }) => amount)],
  );
}
