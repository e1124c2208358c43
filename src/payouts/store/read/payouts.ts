import type { CollaboratorId, ConversionId, FulfillmentId, ObligationId, PayoutId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { PayeeMethod } from '#collaborators/domain/payout-details.ts';
import { type FlagResolution, MAX_SHOWN_REASONS, type PayoutStatus, type ReviewState } from '../../domain/payout.ts';
import { type Connection, type Database, openSnapshot } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import { mapSlices, readSlices } from '#platform/postgres/lists/slices.ts';
import type { FlagReason } from '#ledger/domain/obligation.ts';

export type PayoutResource = {
  readonly id: PayoutId;
  readonly fulfillmentId: FulfillmentId;
  readonly collaboratorId: CollaboratorId;
  readonly amount: Minor;
  readonly currency: string;
  readonly payoutMethod: PayeeMethod;
  readonly status: PayoutStatus;
  readonly review: {
    readonly state: ReviewState;
    /** The newest flags, up to MAX_SHOWN_REASONS, oldest first. */
    readonly reasons: readonly FlagResource[];
    /** The number of all flags, including resolved flags. */
    readonly reasonCount: number;
    readonly openCount: number;
    readonly openAmount: Minor;
  };
  readonly paidAt: Date | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type FlagResource = {
  readonly transactionId: TransactionId;
  readonly conversionId: ConversionId;
  readonly obligationId: ObligationId;
  readonly amount: Minor;
  readonly reason: FlagReason;
  readonly resolution?: FlagResolution;
  readonly note?: string;
  readonly author?: string;
  readonly createdAt: Date;
  readonly resolvedAt?: Date;
};

type Row = Omit<PayoutResource, 'amount' | 'review'> & {
  readonly amount: number;
  readonly review: ReviewState;
  readonly reasons: readonly FlagRow[] | null;
  readonly totals: { readonly reasonCount: number; readonly openCount: number; readonly openAmount: number };
};

/** A flag as read from JSON: amounts are numbers, times are text, and null fields are absent. */
type FlagRow = Omit<FlagResource, 'amount' | 'createdAt' | 'resolvedAt'> & {
  readonly amount: number;
  readonly createdAt: string;
  readonly resolvedAt?: string;
};

export const payouts: Relation<Row, PayoutResource> = {
  // Flags are found with the index `payout_flags_payout`. Very few payouts have flags, but one can have thousands.
  query: `
    select p.organization_id, p.id, p.fulfillment_id as "fulfillmentId", p.collaborator_id as "collaboratorId", p.amount,
      p.currency,
      coalesce((select d.method from payout_details d
        where d.organization_id = p.organization_id and d.collaborator_id = p.collaborator_id), 'none') as "payoutMethod",
      p.status, p.review,
      (select json_agg(json_strip_nulls(json_build_object(
         'transactionId', f.transaction_id, 'conversionId', f.conversion_id, 'obligationId', f.obligation_id,
         'amount', case f.resolution when 'withdrawn' then f.amount else f.amount - f.withdrawn end, 'reason', f.reason, 'resolution', f.resolution, 'note', f.note, 'author', f.author,
         'createdAt', f.created_at, 'resolvedAt', f.resolved_at)) order by f.id)
       from (
         select * from payout_flags f where f.organization_id = p.organization_id and f.payout_id = p.id
         order by f.id desc limit ${MAX_SHOWN_REASONS}
       ) f) as reasons,
      (select json_build_object('reasonCount', count(*), 'openCount', count(*) filter (where f.resolution is null),
         'openAmount', coalesce(sum(f.amount - f.withdrawn) filter (where f.resolution is null), 0))
       from payout_flags f where f.organization_id = p.organization_id and f.payout_id = p.id) as totals,
      p.paid_at as "paidAt", p.failure, p.created_at as "createdAt", p.updated_at as "updatedAt"
    from payouts p`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  firstSlice: 20,
  read: ({ review, reasons, totals: { openAmount, ...counts }, amount, ...row }) => ({
    ...row,
    amount: BigInt(amount) as Minor,
    review: {
      state: review,
      reasons: (reasons ?? []).map(flagOf),
      ...counts,
      openAmount: BigInt(openAmount) as Minor,
    },
  }),
};

function flagOf({ amount, createdAt, resolvedAt, ...flag }: FlagRow): FlagResource {
  return {
    ...flag,
    amount: BigInt(amount) as Minor,
    createdAt: new Date(createdAt),
    ...(resolvedAt === undefined ? {} : { resolvedAt: new Date(resolvedAt) }),
  };
}

export type ExportedPayout = Omit<PayoutResource, 'review' | 'payoutMethod' | 'failure' | 'createdAt' | 'updatedAt'> & {
  readonly review: ReviewState;
  readonly name: string;
  readonly email: string | null;
};

export type ExportFilters = {
  readonly fulfillmentId: number | undefined;
  readonly status: PayoutStatus | undefined;
  readonly currency: string | undefined;
};

export type OpenedPayouts =
  | {
      readonly kind: 'opened';
      /** The payouts in slices, sorted oldest first. */
      readonly payouts: AsyncGenerator<readonly ExportedPayout[]>;
      readonly close: () => Promise<void>;
    }
  | { readonly kind: 'too-many' };

/**
 * Opens an export of payouts with their payees. The caller must close it. Returns `too-many` if more than `limit`
 * payouts match.
 */
export async function openPayouts(
  { connection: database, organizationId }: Tenant<Database>,
  { fulfillmentId, status, currency }: ExportFilters,
  limit: number,
): Promise<OpenedPayouts> {
  const values = [organizationId, fulfillmentId ?? null, status ?? null, currency ?? null, limit];
  const { connection, close } = await openSnapshot(database);
  try {
    const { rowCount } = await connection.query(`select from payouts p where ${EXPORTED} offset $5 limit 1`, values);
    if (rowCount === 0) return { kind: 'opened', payouts: readExported(connection, values), close };
    await close();
    return { kind: 'too-many' };
  } catch (error) {
    await close();
    throw error;
  }
}

const EXPORTED = `p.organization_id = $1 and ($2::bigint is null or p.fulfillment_id = $2)
  and ($3::text is null or p.status = $3) and ($4::text is null or p.currency = $4)`;

type ExportedRow = Omit<ExportedPayout, 'amount'> & { readonly amount: number };

function readExported(connection: Connection, values: readonly unknown[]): AsyncGenerator<readonly ExportedPayout[]> {
  const slices = readSlices<ExportedRow>(
    connection,
    `select p.id, p.fulfillment_id as "fulfillmentId", p.collaborator_id as "collaboratorId", c.name, c.email, p.amount,
       p.currency, p.status, p.review, p.paid_at as "paidAt"
     from payouts p
     join collaborators c on c.organization_id = p.organization_id and c.id = p.collaborator_id
     where ${EXPORTED} order by p.id limit $5`,
    values,
  );
  return mapSlices(slices, (row) => ({ ...row, amount: BigInt(row.amount) as Minor }));
}
