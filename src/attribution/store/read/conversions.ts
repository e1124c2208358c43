import type { ConversionStatus, ConversionType } from '../../domain/conversion.ts';
import { type ExplainedHold, limitHold } from '../../domain/explanation.ts';
import { type SignalFacts, signalFacts } from '../../domain/signal.ts';
import { HOLD_REVIEWS, type HoldReason, type HoldReview, type Holds } from '#programs/domain/hold.ts';
import type {
  CollaboratorId,
  ConversionId,
  EngagementId,
  ObligationId,
  OpportunityId,
  PayoutId,
  ProgramId,
  TransactionId,
} from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Filters, Relation } from '#platform/postgres/lists/relation.ts';

export type ConversionResource = {
  readonly id: ConversionId;
  readonly type: ConversionType;
  readonly status: ConversionStatus;
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly collaboratorId: CollaboratorId;
  /**
   * The credited engagement. Null for a manual credit, and for a renewal of a sale that was credited to the
   * collaborator only manually.
   */
  readonly engagementId: EngagementId | null;
  /**
   * The internal id of the opportunity, which the HTTP layer replaces with the public number. Null for an order without
   * an opportunity.
   */
  readonly opportunityId: OpportunityId | null;
  readonly transactionId: TransactionId;
  readonly obligationId: ObligationId | null;
  /** The newest payout that pays the conversion. Clawbacks don't count. */
  readonly payoutId: PayoutId | null;
  readonly paidAt: Date | null;
  readonly awarded: Minor;
  readonly amount: Minor;
  readonly currency: string;
  readonly review: HoldReview;
  /** The reasons for a fraud review at the time of the decision. Absent if no review was needed. */
  readonly holdReasons?: readonly HoldReason[];
  /** The fraud signals in `holdReasons`, each with the values that the decision measured. */
  readonly signals?: readonly SignalFacts[];
  readonly reason?: string;
  readonly author?: string;
  readonly note?: string;
  /**
   * The time of the automatic approval. Set while the conversion is pending and not in fraud review, if its program
   * approves after some days.
   */
  readonly approvesAt?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Omit<ConversionResource, Computed | Optional> & {
  readonly holdReasons: readonly HoldReason[] | null;
  readonly hold: ExplainedHold | null;
  readonly holds: Holds | null;
  readonly awarded: number;
  readonly amount: number;
  readonly rejectedAmount: number;
  readonly approvesAt: Date | null;
  /** The columns are read as JSON, so `paidAt` is text. */
  readonly payout: { readonly id: PayoutId; readonly paidAt: string | null } | null;
} & { readonly [Name in Optional]: string | null };
type Computed = 'awarded' | 'amount' | 'approvesAt' | 'holdReasons' | 'signals' | 'payoutId' | 'paidAt';
type Optional = 'reason' | 'author' | 'note';

/** The SQL condition for a conversion `c` that waits for its fraud review. */
export const WAITING_REVIEW = `c.hold_reasons is not null and c.released_seq is null and c.status = 'pending'`;
const RESOLVED = `c.hold_reasons is not null and (c.released_seq is not null or c.status <> 'pending')`;

/** SQL for the `HoldReview` of the conversion `c`. */
export const REVIEW = `case when ${WAITING_REVIEW} then 'held' when ${RESOLVED} then 'resolved' else 'none' end`;

/**
 * SQL that selects the measured values behind the fraud signals of the conversion `c`. They are stored in the
 * explanation of its transaction. Null if the explanation doesn't list the conversion.
 */
const HOLD = `(
        select jsonb_path_query_first(x.candidates,
          '$[*] ? (@.outcome == "won" && @.programId == $program && @.collaboratorId == $collaborator).hold',
          jsonb_build_object('program', c.program_id, 'collaborator', c.collaborator_id))
        from explanations x where x.organization_id = c.organization_id and x.transaction_id = c.transaction_id
      )`;

/** SQL for the fraud settings of the program version that decided the conversion `c`. */
const SETTINGS = `(
        select p.holds from program_versions p
        where p.organization_id = c.organization_id and p.program_id = c.program_id and p.version = c.program_version
      )`;

const columns = (opportunity: string): string => `
    select c.organization_id, c.id, c.type, c.status, c.program_id as "programId", c.program_version as "programVersion",
      c.collaborator_id as "collaboratorId", c.engagement_id as "engagementId", ${opportunity} as "opportunityId",
      c.transaction_id as "transactionId",
      (select o.id from obligations o
       where o.organization_id = c.organization_id and o.conversion_id = c.id and o.amount >= 0
       order by o.status = 'rejected', o.id desc limit 1) as "obligationId",
      (select json_build_object('id', p.id, 'paidAt', p.paid_at)
       from obligations o join payouts p on p.organization_id = o.organization_id and p.id = o.payout_id
       where o.organization_id = c.organization_id and o.conversion_id = c.id and o.amount >= 0
       order by o.id desc limit 1) as payout,
      c.awarded, c.amount, case when c.status = 'rejected' then c.amount else 0 end as "rejectedAmount", c.currency,
      ${REVIEW} as review, c.hold_reasons as "holdReasons",
      case when c.hold_reasons is not null then ${HOLD} end as hold,
      case when c.hold_reasons is not null then ${SETTINGS} end as holds, c.reason, c.author, c.note,
      case c.status when 'pending' then c.approve_at end as "approvesAt", c.created_at as "createdAt",
      c.updated_at as "updatedAt"`;

/** SQL conditions by review state. Conversions in review are found through the index `conversions_pending`. */
const REVIEWED: Readonly<Record<HoldReview, string>> = {
  held: WAITING_REVIEW,
  resolved: RESOLVED,
  none: 'c.hold_reasons is null',
};

/**
 * SQL that finds conversions through their transactions, which are indexed by opportunity. A conversion always has the
 * same opportunity as its transaction.
 */
const OF_OPPORTUNITIES = `
  ${columns('t.opportunity_id')}
  from transactions t join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id`;

const ALL = `${columns('c.opportunity_id')} from conversions c`;

export const conversions = {
  query: ALL,
  narrowed: ({ opportunityId, review }: Filters) => {
    const query = opportunityId === undefined ? ALL : OF_OPPORTUNITIES;
    if (typeof review !== 'string') return query;
    // A condition on the column `review` would be slow: the planner can't estimate how many rows match a case expression.
    const states = HOLD_REVIEWS.filter((state) => review.split(',').includes(state));
    return `${query} where (${states.map((state) => REVIEWED[state]).join(' or ')})`;
  },
  narrowsBy: 'review',
  key: 'id',
  sums: ['amount', 'rejectedAmount'],
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: ({
    holdReasons,
    hold,
    holds,
    reason,
    author,
    note,
    approvesAt,
    payout,
    rejectedAmount: _,
    ...row
  }: Row): ConversionResource => ({
    ...row,
    payoutId: payout?.id ?? null,
    paidAt: payout === null || payout.paidAt === null ? null : new Date(payout.paidAt),
    awarded: BigInt(row.awarded) as Minor,
    amount: BigInt(row.amount) as Minor,
    ...(holdReasons === null
      ? {}
      : { holdReasons, signals: signalFacts(holdReasons, hold === null ? null : limitHold(hold), holds) }),
    ...(reason === null ? {} : { reason }),
    ...(author === null ? {} : { author }),
    ...(note === null ? {} : { note }),
    ...(approvesAt === null ? {} : { approvesAt }),
  }),
} as const satisfies Relation<Row, ConversionResource>;
