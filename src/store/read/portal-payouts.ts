import type { PayoutId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { PayoutStatus } from '#domain/payout.ts';
import type { Relation } from './relation.ts';

export type PortalPayout = {
  readonly id: PayoutId;
  readonly amount: Minor;
  readonly currency: string;
  readonly status: PayoutStatus;
  readonly isUnderReview: boolean;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
};

type Row = Omit<PortalPayout, 'amount'> & { readonly amount: number; readonly collaboratorId: number };

/** Payouts as those may see them whom they pay: that one is reviewed, not by whom and with which words. */
export const portalPayouts: Relation<Row, PortalPayout> = {
  query: `
    select organization_id, collaborator_id as "collaboratorId", id, amount, currency, status,
      review = 'flagged' as "isUnderReview", paid_at as "paidAt", created_at as "createdAt"
    from payouts`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: ({ collaboratorId: _, amount, ...row }) => ({ ...row, amount: BigInt(amount) as Minor }),
};
