import type { EventId, OpportunityId, Seq, TransactionId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { Sale } from '../domain/facts.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * A sale, lead or renewal as it was reported, before corrections. `seq` is the position of its decision in the decision
 * sequence.
 */
export type ReportedSale = Omit<Sale, 'lines'> & {
  readonly transactionId: TransactionId;
  readonly eventId: EventId;
  readonly opportunityId: OpportunityId | null;
  readonly seq: Seq;
  /**
   * Whether the decision uses the facts at its event. False for decisions of releases that used only the decision
   * sequence.
   */
  readonly isAsOfEvent: boolean;
  /** Whether the sale's lines were corrected. The total is always the total before corrections. */
  readonly isCorrected: boolean;
  /** Whether refunds or corrections of the sale have been reported. */
  readonly isRevised: boolean;
  /** Whether the organization has, or had, an entry on its deny list. */
  readonly mayBeDenied: boolean;
  /** The event of the first full refund, even if it was reversed, or null. */
  readonly refundedBy: EventId | null;
};

/** Returns the renewed sale of each renewal among the given transactions. */
export async function findRenewedSales(
  { connection, organizationId }: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, TransactionId>> {
  const { rows } = await connection.query<{ id: TransactionId; renews: TransactionId }>(
    `select id, renews from transactions
     where organization_id = $1 and id = any ($2::bigint[]) and renews is not null`,
    [organizationId, transactionIds],
  );
  return new Map(rows.map((row) => [row.id, row.renews]));
}

const REPORTED = `
  t.id as "transactionId", t.type as kind, t.event_id as "eventId", t.opportunity_id as "opportunityId",
  t.opportunity_state as "opportunityState", t.currency,
  coalesce(t.reported_total, t.total) as total, t.corrections > 0 as "isCorrected",
  (extract(epoch from t.occurred_at) * 1000000)::bigint as "soldAt",
  t.status = 'refunded' or t.refunded_amount > 0 or t.corrections > 0 or t.id = any (array(
    select r.transaction_id from refunds r where r.organization_id = $1 and r.transaction_id = any ($2::bigint[])
  )) as "isRevised",
  case when t.id = any (array(
    select f.transaction_id from reversed_full_refunds f
    where f.organization_id = $1 and f.transaction_id = any ($2::bigint[])
  )) then (
    select min(f.refunded_by) from reversed_full_refunds f where f.organization_id = $1 and f.transaction_id = t.id
  ) when t.status = 'refunded' then (
    select max(r.id) from events r
    where r.organization_id = $1 and r.transaction_id = t.id and r.type = 'RefundTriggered'
  ) end as "refundedBy",
  exists (select from fraud_list_entries where organization_id = $1 and list = 'deny') as "mayBeDenied",
  t.renewal_number as "renewalNumber",
  (
    select (extract(epoch from s.occurred_at) * 1000000)::bigint from transactions s
    where s.organization_id = $1 and s.id = t.renews
  ) as "originallySoldAt",
  (
    select o.user_id from opportunities o
    where o.organization_id = $1 and o.id = t.opportunity_id and o.user_since < t.event_id
  ) as "visitorUserId"`;

/**
 * Loads the undecided transactions among the locked `transactionIds`, in the order of their events. Assigns each
 * decision its position in the decision sequence.
 */
export async function loadUndecidedSales(
  { connection, organizationId }: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<ReportedSale[]> {
  const { rows } = await connection.query<ReportedRow>({
    name: 'load-undecided-sales',
    text: `
      select s.*, nextval('event_ids') as seq, true as "isAsOfEvent", true as "inPayableUnits"
      from (
        select ${REPORTED}
        from transactions t
        where t.organization_id = $1 and t.id = any ($2::bigint[])
          and (select x.event_id from explanations x where x.organization_id = $1 and x.transaction_id = t.id) is null
        order by t.event_id
        offset 0 -- the sequence numbers are drawn in this order
      ) s`,
    values: [organizationId, transactionIds],
  });
  return rows.map(readReported).sort((a, b) => a.seq - b.seq);
}

/** Loads decided sales, sorted by the positions of their decisions in the decision sequence. */
export async function loadDecidedSales(
  { connection, organizationId }: Tenant,
  transactionIds: readonly TransactionId[],
): Promise<ReportedSale[]> {
  const { rows } = await connection.query<ReportedRow>(
    `select ${REPORTED}, x.decided_seq as seq, x.as_of_event as "isAsOfEvent",
       x.in_payable_units as "inPayableUnits"
     from transactions t
     join explanations x on x.organization_id = t.organization_id and x.transaction_id = t.id
     where t.organization_id = $1 and t.id = any ($2::bigint[])`,
    [organizationId, transactionIds],
  );
  return rows.map(readReported).sort((a, b) => a.seq - b.seq);
}

type ReportedRow = Omit<ReportedSale, 'total' | 'renewal'> & {
  readonly total: number;
  readonly renewalNumber: number | null;
  readonly originallySoldAt: Instant | null;
};

function readReported({ total, renewalNumber, originallySoldAt, ...row }: ReportedRow): ReportedSale {
  const isRenewal = renewalNumber !== null && originallySoldAt !== null;
  return {
    ...row,
    total: BigInt(total) as Minor,
    renewal: isRenewal ? { number: renewalNumber, originallySoldAt } : null,
  };
}
