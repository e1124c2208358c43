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
};

// Lines are read only for the shown rows, with the primary key of `transaction_lines`. `reported_at` is null if the
// report had no `occurredAt`.
const COLUMNS = `
      t.organization_id, t.id, t.type, renews as "renewsTransactionId", renewal_number as "renewalNumber",
      opportunity_id as "opportunityId", source, t.external_id as "externalId", t.total,
      refunded_amount as "refundedAmount", currency, status,
      coalesce((
        select json_agg(json_build_object('externalId', l.external_id, 'name', l.name, 'type', l.type,
          'quantity', l.quantity, 'amount', l.amount, 'total', coalesce(l.total, l.amount * l.quantity)) order by l.position)
        from transaction_lines l where l.organization_id = t.organization_id and l.transaction_id = t.id
      ), '[]') as lines,
      occurred_at as "occurredAt", coalesce(reported_at, occurred_at) as "createdAt", refunded_at as "refundedAt"`;

const QUERY = `select ${COLUMNS} from transactions t`;

/**
 * Returns SQL for the transactions that match a filter by collaborator, by program or by both, each once. Conversions
 * of a collaborator are found with the index `conversions_newest`.
 */
function earnedQuery(filters: Filters): string {
  const chosen = EARNED_BY.filter(({ name }) => filters[name] !== undefined);
  const shown = chosen.map(({ name, column }) => `c.${column} as "${name}"`).join(', ');
  const columns = ['organization_id', 'transaction_id', ...chosen.map(({ column }) => column)].join(', ');
  return `select ${COLUMNS}, ${shown} from (select distinct ${columns} from conversions) c
    join transactions t on t.organization_id = c.organization_id and t.id = c.transaction_id`;
}

const EARNED_BY = [
  { name: 'collaboratorId', column: 'collaborator_id' },
  { name: 'programId', column: 'program_id' },
] as const;

export const transactions = {
  query: QUERY,
  // No transaction is ever canceled, so a filter by the status `cancelled` matches nothing. The condition avoids
  // reading all transactions.
  narrowed: (filters: Filters) => {
    const isEarned = EARNED_BY.some(({ name }) => filters[name] !== undefined);
    const query = isEarned ? earnedQuery(filters) : QUERY;
    return filters['status'] === 'cancelled' ? `${query} where false` : query;
  },
  searched: `position(:text in lower(r."externalId")) > 0`,
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
