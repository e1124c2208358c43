import type { ConversionStatus } from '#domain/conversion.ts';
import type {
  CollaboratorId,
  ConversionId,
  EngagementId,
  ObligationId,
  OpportunityId,
  ProgramId,
  TransactionId,
} from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { Relation } from './page.ts';

export type ConversionResource = {
  readonly id: ConversionId;
  readonly type: 'sale';
  readonly status: ConversionStatus;
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly collaboratorId: CollaboratorId;
  readonly engagementId: EngagementId;
  /** The row's; the door shows its public number. */
  readonly opportunityId: OpportunityId;
  readonly transactionId: TransactionId;
  readonly obligationId: ObligationId | null;
  readonly amount: Minor;
  readonly currency: string;
  readonly reason?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Omit<ConversionResource, 'amount' | 'reason'> & { readonly amount: number; readonly reason: string | null };

export const conversions: Relation<Row, ConversionResource> = {
  query: `
    select organization_id, id, type, status, program_id as "programId", program_version as "programVersion",
      collaborator_id as "collaboratorId", engagement_id as "engagementId", opportunity_id as "opportunityId",
      transaction_id as "transactionId",
      (select o.id from obligations o
       where o.organization_id = c.organization_id and o.conversion_id = c.id and o.amount >= 0) as "obligationId",
      amount, currency, reason, created_at as "createdAt", updated_at as "updatedAt"
    from conversions c`,
  key: 'id',
  sorts: { id: 'bigint', amount: 'bigint', createdAt: 'timestamptz', updatedAt: 'timestamptz' },
  read: ({ reason, ...row }) => ({
    ...row,
    amount: BigInt(row.amount) as Minor,
    ...(reason === null ? {} : { reason }),
  }),
};
