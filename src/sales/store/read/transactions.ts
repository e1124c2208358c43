import type { PayableKind } from '#programs/domain/program.ts';
import type { CollaboratorId, OpportunityId, ProgramId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Filters, Relation } from '#platform/postgres/lists/relation.ts';
import type { TransactionStatus } from '../../domain/transaction.ts';

type Of<Amount> = {
  readonly id: TransactionId;
  readonly type: PayableKind;
  /**
   * The internal id of the opportunity, which the HTTP layer replaces with the public number. Null for an order without
   * an opportunity.
   */
  readonly opportunityId: OpportunityId | null;
  readonly source: string;
  readonly externalId: string;
  readonly total: Amount;
  readonly refundedAmount: Amount;
  readonly currency: string;
  readonly status: TransactionStatus;
  readonly lines: readonly (Omit<Line, 'amount' | 'total'> & { readonly amount: Amount; readonly total: Amount })[];
  readonly occurredAt: Date;
  readonly createdAt: Date;
  readonly refundedAt: Date | null;
};

export type TransactionResource = Of<Minor> & {
  /** The renewed sale. Set for renewals only. */
  readonly renewsTransactionId?: TransactionId;
  /** The position of the renewal among the renewals of its sale, starting at 1. Set for renewals only. */
  readonly renewalNumber?: number;
};

type Row = Of<number> & {
  readonly renewsTransactionId: TransactionId | null;
  readonly renewalNumber: number | null;
  /** The collaborator that the list is filtered by. Absent without this filter. */
  readonly collaboratorId?: CollaboratorId;
  /** The program that the list is filtered by. Absent without this filter. */
  readonly programId?: ProgramId;
  /** The compared code of the coupon that the list is filtered by. Absent without this filter. */
  readonly couponCode?: string;
};

// Lines are read only for the shown rows, with the primary key of `transaction_lines`. `reported_at` is null if the
// report had no `occurredAt`.
const COLUMNS = `
      t.id, t.type, renews as "renewsTransactionId", renewal_number as "renewalNumber",
      opportunity_id as "opportunityId", source, t.external_id as "externalId", t.total,
      refunded_amount as "refundedAmount", currency, status,
      coalesce((
        select json_agg(json_build_object('externalId', l.external_id, 'name', l.name, 'type', l.type,
          'quantity', l.quantity, 'amount', l.amount, 'total', coalesce(l.total, l.amount * l.quantity)) order by l.position)
        from transaction_lines l where l.organization_id = t.organization_id and l.transaction_id = t.id
      ), '[]') as lines,
      occurred_at as "occurredAt", coalesce(reported_at, occurred_at) as "createdAt", refunded_at as "refundedAt"`;

/** SQL for the coupons `a` with their sales `k`. The offset forces a lookup with the key of `sale_coupons`. */
const COUPONS = `aliases a
    cross join lateral (
      select k.transaction_id from sale_coupons k
      where k.organization_id = a.organization_id and k.alias_id = a.id and a.id > 0 offset 0
    ) k`;

/** SQL for the coupons with their sales `t`. The coupons are found with the index `aliases_codes`. */
const COUPON_SALES = `${COUPONS}
    cross join lateral (
      select * from transactions t where t.organization_id = a.organization_id and t.id = k.transaction_id offset 0
    ) t`;

/**
 * Returns SQL for the transactions that match a filter by coupon, collaborator or program, each once. Conversions of a
 * collaborator are found with the index `conversions_newest`. An order has at most one coupon with the same code.
 */
function filteredQuery(filters: Filters): string {
  const earned = EARNED_BY.filter(({ name }) => filters[name] !== undefined);
  const isCoupon = filters['couponCode'] !== undefined;
  const owner = `${isCoupon ? 'a' : 't'}.organization_id`;
  const shown = [
    owner,
    COLUMNS,
    ...earned.map(({ name, column }) => `c.${column} as "${name}"`),
    ...(isCoupon ? ['a.code_key as "couponCode"'] : []),
  ];
  const columns = ['organization_id', 'transaction_id', ...earned.map(({ column }) => column)].join(', ');
  const conversions = `join (select distinct ${columns} from conversions) c
    on c.organization_id = ${owner} and c.transaction_id = t.id`;
  return `select ${shown.join(', ')} from ${isCoupon ? COUPON_SALES : 'transactions t'} ${earned.length > 0 ? conversions : ''}`;
}

const EARNED_BY = [
  { name: 'collaboratorId', column: 'collaborator_id' },
  { name: 'programId', column: 'program_id' },
] as const;

export const transactions = {
  query: filteredQuery({}),
  // No transaction is ever canceled, so a filter by the status `cancelled` matches nothing. The condition avoids
  // reading all transactions.
  narrowed: (filters: Filters) => {
    const query = filteredQuery(filters);
    return filters['status'] === 'cancelled' ? `${query} where false` : query;
  },
  searched: `position(:text in lower(r."externalId")) > 0 or r.id in (
    select k.transaction_id from ${COUPONS} where a.organization_id = :organization and a.code_key = :text)`,
  key: 'id',
  sums: ['total', 'refundedAmount'],
  sorts: { id: 'bigint', occurredAt: 'timestamptz' },
  // The first slice is small, because an order can have 1,000 lines.
  firstSlice: 5,
  read: ({
    renewsTransactionId,
    renewalNumber,
    collaboratorId: _,
    programId: __,
    couponCode: ___,
    ...row
  }: Row): TransactionResource => ({
    ...row,
    ...(renewsTransactionId === null ? {} : { renewsTransactionId }),
    ...(renewalNumber === null ? {} : { renewalNumber }),
    total: BigInt(row.total) as Minor,
    refundedAmount: BigInt(row.refundedAmount) as Minor,
    lines: row.lines.map((line) => ({
      ...line,
      amount: BigInt(line.amount) as Minor,
      total: BigInt(line.total) as Minor,
    })),
  }),
} as const satisfies Relation<Row, TransactionResource>;
