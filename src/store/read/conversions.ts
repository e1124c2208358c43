import type { ConversionStatus, ConversionType } from '#domain/conversion.ts';
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
  readonly type: ConversionType;
  readonly status: ConversionStatus;
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly collaboratorId: CollaboratorId;
  /** Null for a credit by hand. */
  readonly engagementId: EngagementId | null;
  /** The row's; the door shows its public number. */
  readonly opportunityId: OpportunityId;
  readonly transactionId: TransactionId;
  readonly obligationId: ObligationId | null;
  readonly awarded: Minor;
  readonly amount: Minor;
  readonly currency: string;
  readonly reason?: string;
  readonly author?: string;
  readonly note?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Omit<ConversionResource, 'awarded' | 'amount' | Optional> & {
  readonly awarded: number;
  readonly amount: number;
} & { readonly [Name in Optional]: string | null };
type Optional = 'reason' | 'author' | 'note';

export const conversions: Relation<Row, ConversionResource> = {
  query: `
    select organization_id, id, type, status, program_id as "programId", program_version as "programVersion",
      collaborator_id as "collaboratorId", engagement_id as "engagementId", opportunity_id as "opportunityId",
      transaction_id as "transactionId",
      (select o.id from obligations o
       where o.organization_id = c.organization_id and o.conversion_id = c.id and o.amount >= 0) as "obligationId",
      awarded, amount, currency, reason, author, note, created_at as "createdAt", updated_at as "updatedAt"
    from conversions c`,
  key: 'id',
  sorts: { id: 'bigint', amount: 'bigint', createdAt: 'timestamptz', updatedAt: 'timestamptz' },
  earliest: { time: 'createdAt', before: 'updatedAt' },
  read: ({ reason, author, note, ...row }) => ({
    ...row,
    awarded: BigInt(row.awarded) as Minor,
    amount: BigInt(row.amount) as Minor,
    ...(reason === null ? {} : { reason }),
    ...(author === null ? {} : { author }),
    ...(note === null ? {} : { note }),
  }),
};
