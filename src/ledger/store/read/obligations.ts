import type { CollaboratorId, ConversionId, ObligationId, PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { ObligationStatus } from '../../domain/obligation.ts';

export type ObligationResource = {
  readonly id: ObligationId;
  readonly conversionId: ConversionId;
  readonly collaboratorId: CollaboratorId;
  readonly payoutId: PayoutId | null;
  readonly amount: Minor;
  readonly currency: string;
  readonly status: ObligationStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Omit<ObligationResource, 'amount'> & { readonly amount: number };

const QUERY = `
    select organization_id, id, conversion_id as "conversionId", collaborator_id as "collaboratorId",
      payout_id as "payoutId", amount, currency, status, created_at as "createdAt", updated_at as "updatedAt"
    from obligations`;

/**
 * SQL for the obligations of conversions. Obligations of 0 or more are read through the index `obligations_conversion`,
 * and clawbacks through the index `obligations_clawed_back`.
 */
const OF_CONVERSIONS = `
  ${QUERY} where amount >= 0
  union all
  ${QUERY} where amount < 0`;

export const obligations: Relation<Row, ObligationResource> = {
  query: QUERY,
  narrowed: ({ conversionId }) => (conversionId === undefined ? undefined : OF_CONVERSIONS),
  key: 'id',
  sorts: { id: 'bigint' },
  read: (row) => ({ ...row, amount: BigInt(row.amount) as Minor }),
};
