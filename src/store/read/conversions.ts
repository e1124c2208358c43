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
  /** While it is pending, and its program approves after some days. */
  readonly approvesAt?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Omit<ConversionResource, 'awarded' | 'amount' | 'approvesAt' | Optional> & {
  readonly awarded: number;
  readonly amount: number;
  readonly approvesAt: Date | null;
} & { readonly [Name in Optional]: string | null };
type Optional = 'reason' | 'author' | 'note';

const columns = (opportunity: string): string => `
    select c.organization_id, c.id, c.type, c.status, c.program_id as "programId", c.program_version as "programVersion",
      c.collaborator_id as "collaboratorId", c.engagement_id as "engagementId", ${opportunity} as "opportunityId",
      c.transaction_id as "transactionId",
      (select o.id from obligations o
       where o.organization_id = c.organization_id and o.conversion_id = c.id and o.amount >= 0) as "obligationId",
      c.awarded, c.amount, c.currency, c.reason, c.author, c.note,
      case c.status when 'pending' then c.approve_at end as "approvesAt", c.created_at as "createdAt",
      c.updated_at as "updatedAt"`;

/** A conversion is of the opportunity of its transaction, which has an index by it. */
const OF_OPPORTUNITIES = `
  ${columns('t.opportunity_id')}
  from transactions t join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id`;

export const conversions: Relation<Row, ConversionResource> = {
  query: `${columns('c.opportunity_id')} from conversions c`,
  narrowed: ({ opportunityId }) => (opportunityId === undefined ? undefined : OF_OPPORTUNITIES),
  key: 'id',
  sorts: { id: 'bigint', amount: 'bigint', createdAt: 'timestamptz', updatedAt: 'timestamptz' },
  unordered: ['amount'],
  earliest: { time: 'createdAt', before: 'updatedAt' },
  read: ({ reason, author, note, approvesAt, ...row }) => ({
    ...row,
    awarded: BigInt(row.awarded) as Minor,
    amount: BigInt(row.amount) as Minor,
    ...(reason === null ? {} : { reason }),
    ...(author === null ? {} : { author }),
    ...(note === null ? {} : { note }),
    ...(approvesAt === null ? {} : { approvesAt }),
  }),
};
