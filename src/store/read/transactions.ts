import type { TransactionStatus } from '#domain/conversion.ts';
import type { PayableKind } from '#domain/program.ts';
import type { OpportunityId, TransactionId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { Line } from '#domain/reward.ts';
import type { Relation } from './relation.ts';

type Of<Amount> = {
  readonly id: TransactionId;
  readonly type: PayableKind;
  /** The row's; the door shows its public number. */
  readonly opportunityId: OpportunityId;
  readonly source: string;
  readonly externalId: string;
  readonly total: Amount;
  readonly refundedAmount: Amount;
  readonly currency: string;
  readonly status: TransactionStatus;
  readonly lines: readonly (Omit<Line, 'amount'> & { readonly amount: Amount })[];
  readonly occurredAt: Date;
  readonly createdAt: Date;
  readonly refundedAt: Date | null;
};

export type TransactionResource = Of<Minor> & {
  /** Of a renewal: the sale, and which of its renewals it is. */
  readonly renewsTransactionId?: TransactionId;
  readonly renewalNumber?: number;
};

type Row = Of<number> & { readonly renewsTransactionId: TransactionId | null; readonly renewalNumber: number | null };

// The lines of the rows that are shown only, by the key of transaction_lines. A sale is stored when it is reported.
const QUERY = `
    select organization_id, id, type, renews as "renewsTransactionId", renewal_number as "renewalNumber",
      opportunity_id as "opportunityId", source, external_id as "externalId", total,
      refunded_amount as "refundedAmount", currency, status,
      coalesce((
        select json_agg(json_build_object('externalId', l.external_id, 'name', l.name, 'type', l.type,
          'quantity', l.quantity, 'amount', l.amount) order by l.position)
        from transaction_lines l where l.organization_id = t.organization_id and l.transaction_id = t.id
      ), '[]') as lines,
      occurred_at as "occurredAt", occurred_at as "createdAt", refunded_at as "refundedAt"
    from transactions t`;

export const transactions: Relation<Row, TransactionResource> = {
  query: QUERY,
  // What is refunded has the time of it, and an index of these; nothing is cancelled as yet.
  narrowed: ({ status }) => (status === 'refunded' ? `${QUERY} where refunded_at is not null` : undefined),
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz', occurredAt: 'timestamptz', total: 'bigint' },
  unordered: ['total'],
  read: ({ renewsTransactionId, renewalNumber, ...row }) => ({
    ...row,
    ...(renewsTransactionId === null ? {} : { renewsTransactionId }),
    ...(renewalNumber === null ? {} : { renewalNumber }),
    total: BigInt(row.total) as Minor,
    refundedAmount: BigInt(row.refundedAmount) as Minor,
    lines: row.lines.map((line) => ({ ...line, amount: BigInt(line.amount) as Minor })),
  }),
};
