import type { ConversionStatus, ConversionType } from '#attribution/domain/conversion.ts';
import { conversionWords } from '#payouts/wording/conversion-words.ts';
import type { ConversionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { PayoutStatus } from '#payouts/domain/payout.ts';
import { REVIEW } from '#attribution/store/read/conversions.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type PortalConversion = {
  readonly id: ConversionId;
  readonly type: ConversionType;
  readonly programName: string;
  readonly status: ConversionStatus;
  readonly amount: Minor;
  readonly currency: string;
  /** Whether the conversion is in a paid payout. */
  readonly paid: boolean;
  /** The status and its reason, as text. */
  readonly words: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Pick<PortalConversion, 'id' | 'type' | 'programName' | 'status' | 'currency' | 'createdAt' | 'updatedAt'> & {
  readonly awarded: number;
  readonly amount: number;
  readonly reason: string | null;
  readonly byHand: boolean;
  readonly isCorrected: boolean;
  readonly isHeld: boolean;
  readonly approveAt: Date | null;
  /** The columns are read as JSON, so `paidAt` is text. */
  readonly payout: { readonly status: PayoutStatus; readonly paidAt: string | null } | null;
  readonly review: 'open' | 'kept' | null;
  readonly takenBack: number;
  readonly timeZone: string;
};

/** The SQL condition for the newest obligation `o` of the conversion `c`. Clawbacks, which are negative, don't count. */
const CURRENT_OBLIGATION = `
      o.organization_id = c.organization_id and o.conversion_id = c.id and o.amount >= 0 order by o.id desc limit 1`;

const QUERY = `
    select c.organization_id, c.collaborator_id as "collaboratorId", c.id, c.type, v.name as "programName", c.status,
      c.awarded, c.amount, c.currency, c.reason, c.rejected_by is not null as "byHand",
      (select t.corrections > 0 from transactions t where t.organization_id = c.organization_id and t.id = c.transaction_id)
        as "isCorrected", ${REVIEW} = 'held' as "isHeld", c.approve_at as "approveAt",
      (select json_build_object('status', p.status, 'paidAt', p.paid_at)
       from obligations o join payouts p on p.organization_id = o.organization_id and p.id = o.payout_id
       where ${CURRENT_OBLIGATION}) as payout,
      (select case when bool_or(f.resolution is null) then 'open' when bool_or(f.resolution = 'keep') then 'kept' end
       from payout_flags f
       where f.organization_id = c.organization_id and f.conversion_id = c.id) as review,
      (select coalesce(sum(o.amount), 0)::bigint from obligations o
       where o.organization_id = c.organization_id and o.conversion_id = c.id and o.amount < 0
         and o.status <> 'rejected') as "takenBack",
      (select o.time_zone from organizations o where o.id = c.organization_id) as "timeZone",
      c.created_at as "createdAt", c.updated_at as "updatedAt"
    from conversions c
    join program_versions v
      on v.organization_id = c.organization_id and v.program_id = c.program_id and v.version = c.program_version`;

/** Returns SQL for the conversions that a payout pays. The obligations of a payout have an index, so few rows are read. */
const ofPayout = (id: number): string => `
    select ${id}::bigint as "payoutId", p.* from (${QUERY}
      where exists (
        select from obligations o
        where o.payout_id = ${id} and o.organization_id = c.organization_id and o.conversion_id = c.id
      ) and (select o.payout_id from obligations o where ${CURRENT_OBLIGATION}) = ${id}
    ) p`;

/**
 * The conversions of a collaborator as the collaborator can see them, without data about visitors, orders, or other
 * collaborators.
 */
export const portalConversions: Relation<Row, PortalConversion> = {
  query: QUERY,
  narrowed: ({ payoutId }) => (payoutId === undefined ? undefined : ofPayout(Number(payoutId))),
  key: 'id',
  sorts: { id: 'bigint' },
  read: (row) => {
    const { id, type, programName, status, currency, createdAt, updatedAt } = row;
    const [awarded, worth] = [BigInt(row.awarded) as Minor, BigInt(row.amount) as Minor];
    const payout = row.payout && {
      status: row.payout.status,
      paidAt: row.payout.paidAt === null ? null : new Date(row.payout.paidAt),
    };
    const takenBack = BigInt(row.takenBack) as Minor;
    const words = conversionWords({ ...row, awarded, amount: worth, takenBack, payout }, row.timeZone);
    // A rejected conversion shows the awarded amount, even if partial refunds had reduced it.
    const amount = status === 'rejected' ? awarded : worth;
    const paid = status === 'approved' && payout?.status === 'paid';
    return { id, type, programName, status, amount, currency, paid, words, createdAt, updatedAt };
  },
};
