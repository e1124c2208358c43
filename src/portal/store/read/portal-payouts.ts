import type { Minor } from '#core/money.ts';
import type { PayoutResource } from '#payouts/store/read/payouts.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type PortalPayout = Pick<
  PayoutResource,
  'id' | 'amount' | 'currency' | 'status' | 'paidAt' | 'failure' | 'createdAt'
> & { readonly isUnderReview: boolean };

type Row = Omit<PortalPayout, 'amount'> & { readonly amount: number; readonly collaboratorId: number };

/**
 * Payouts as the paid collaborator can see them. A payout shows that it is under review, but not the reviewer or the
 * note.
 */
export const portalPayouts: Relation<Row, PortalPayout> = {
  query: `
    select organization_id, collaborator_id as "collaboratorId", id, amount, currency, status,
      review = 'flagged' as "isUnderReview", paid_at as "paidAt", failure, created_at as "createdAt"
    from payouts`,
  key: 'id',
  sorts: { id: 'bigint' },
  read: ({ collaboratorId: _, amount, ...row }) => ({ ...row, amount: BigInt(amount) as Minor }),
};
