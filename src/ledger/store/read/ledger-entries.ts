import type { LedgerEntry } from '../../domain/ledger.ts';
import type { ConversionId, TransactionId } from '#core/ids.ts';
import { formatMicroseconds, type Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type LedgerEntryResource = Omit<LedgerEntry, 'occurredAt'> & {
  readonly conversionId: ConversionId | null;
  readonly transactionId: TransactionId | null;
  /** The time to the microsecond, as it is hashed in the ledger chain. */
  readonly occurredAt: string;
};

type Row = Omit<LedgerEntryResource, 'amount' | 'occurredAt'> & {
  readonly amount: number;
  readonly microseconds: Instant;
};

export const ledgerEntries: Relation<Row, LedgerEntryResource> = {
  // Look up conversions and transactions only for the shown rows, with the primary keys of obligations and conversions.
  query: `
    select e.organization_id, e.id, e.kind, e.collaborator_id as "collaboratorId", e.currency, e.amount, e.debit, e.credit,
      e.obligation_id as "obligationId", e.payout_id as "payoutId",
      (select o.conversion_id from obligations o
       where o.organization_id = e.organization_id and o.id = e.obligation_id) as "conversionId",
      (select c.transaction_id from obligations o
       join conversions c on c.organization_id = o.organization_id and c.id = o.conversion_id
       where o.organization_id = e.organization_id and o.id = e.obligation_id) as "transactionId",
      e.occurred_at as "occurredAt", (extract(epoch from e.occurred_at) * 1000000)::bigint as microseconds
    from ledger_entries e`,
  key: 'id',
  sorts: { id: 'bigint', occurredAt: 'timestamptz' },
  read: ({ microseconds, ...row }) => ({
    ...row,
    amount: BigInt(row.amount) as Minor,
    occurredAt: formatMicroseconds(microseconds),
  }),
};
