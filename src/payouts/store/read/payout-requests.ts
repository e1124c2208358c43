import { conversionsGoingBack } from '../payouts.ts';
import type { PayeeMethod } from '#collaborators/domain/payout-details.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type PayoutRequestResource = {
  readonly id: number;
  readonly collaboratorId: CollaboratorId;
  readonly currency: string;
  /**
   * The sum of the pending obligations that a run would count now, in hundredths. Clawbacks can make the sum negative.
   */
  readonly amount: Minor;
  readonly payoutMethod: PayeeMethod;
  readonly createdAt: Date;
};

type Row = Omit<PayoutRequestResource, 'amount'> & { readonly amount: number };

export const payoutRequests: Relation<Row, PayoutRequestResource> = {
  query: `
    select r.organization_id, r.id, r.collaborator_id as "collaboratorId", r.currency,
      (select coalesce(sum(o.amount), 0)::bigint from obligations o
       where o.organization_id = r.organization_id and o.collaborator_id = r.collaborator_id
         and o.currency = r.currency and o.status = 'pending' and o.id > 0
         and (o.amount < 0 or o.conversion_id not in (${conversionsGoingBack('r.organization_id')}))) as amount,
      coalesce((select d.method from payout_details d
        where d.organization_id = r.organization_id and d.collaborator_id = r.collaborator_id), 'none') as "payoutMethod",
      r.created_at as "createdAt"
    from payout_requests r`,
  key: 'id',
  sorts: { id: 'bigint' },
  read: (row) => ({ ...row, amount: BigInt(row.amount) as Minor }),
};
