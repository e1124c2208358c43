import type { FulfillmentStatus } from '../../domain/run-status.ts';
import type { FulfillmentId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type FulfillmentResource = {
  readonly id: FulfillmentId;
  readonly currency: string;
  readonly status: FulfillmentStatus;
  readonly amount: Minor;
  /** The number of payouts, including void payouts. */
  readonly payouts: number;
  readonly minimum: Minor | null;
  readonly author: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Omit<FulfillmentResource, 'amount' | 'minimum'> & {
  readonly amount: number;
  readonly minimum: number | null;
};

export const fulfillments: Relation<Row, FulfillmentResource> = {
  // The payouts of a run are found with the unique key of payouts that starts with the organization and the run.
  query: `
    select f.organization_id, f.id, f.currency, f.status,
      (select coalesce(sum(p.amount), 0)::bigint from payouts p
       where p.organization_id = f.organization_id and p.fulfillment_id = f.id) as amount,
      (select count(*) from payouts p
       where p.organization_id = f.organization_id and p.fulfillment_id = f.id) as payouts,
      f.minimum, f.author, f.created_at as "createdAt", f.updated_at as "updatedAt"
    from fulfillments f`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: (row) => ({
    ...row,
    amount: BigInt(row.amount) as Minor,
    minimum: row.minimum === null ? null : (BigInt(row.minimum) as Minor),
  }),
};
