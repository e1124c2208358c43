import type { LosingReason } from './attribution.ts';
import type { ConversionStatus, ConversionType } from './conversion.ts';
import {
  type BuyerDetail,
  type DenyListEntry,
  type HoldReason,
  type HoldReview,
  MAX_DENY_LIST_ENTRIES,
  MAX_REFERRERS,
} from '#programs/domain/hold.ts';
import type { CollaboratorId, ConversionId, EngagementId, EventId, ProgramId, TransactionId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { PayableKind, ProgramVersion } from '#programs/domain/program.ts';
import type { RefundKind } from '#sales/domain/refund.ts';
import type { UnengagedReason } from '#tracking/domain/visit.ts';

/** The reasons to drop a candidate before attribution, in the order in which the rules are checked. */
export type DropReason =
  | 'program-inactive'
  | 'event-not-paid'
  | 'collaborator-inactive'
  | 'not-enrolled'
  | 'self-referral'
  | 'already-credited'
  | 'window-expired'
  | 'renewal-limit'
  | 'currency-mismatch'
  | 'nothing-counted'
  | 'below-minimum';

/** The reasons why a whole sale, lead or renewal earned no awards. */
export type SaleReason = 'no-engagement' | 'opportunity-invalid' | 'opportunity-removed' | 'no-original-conversion';

export type CandidateReason =
  DropReason | 'lost-in-group' | LosingReason | 'share-is-zero' | 'cap-reached' | UnengagedReason;

/**
 * The result for a candidate. A collaborator with touches but no engagement (`self-referral`, …) has only an outcome
 * and a reason. A winner has a reason only if the cap per period reduced its share (`cap-reached`).
 */
export type ExplainedCandidate = {
  readonly collaboratorId: CollaboratorId;
  readonly outcome: 'won' | 'lost';
  readonly reason?: CandidateReason;
  readonly programId?: ProgramId;
  readonly programVersion?: number;
  readonly engagementId?: EngagementId;
  readonly score?: number;
  readonly firstAt?: Instant;
  /** The report of the candidate's first touch. It orders candidates whose first touches have the same time. */
  readonly firstVisitId?: EventId;
  readonly lastAt?: Instant;
  /** The sum of the lines that count in the candidate's program. */
  readonly base?: Minor;
  /** The number of pieces on the counted lines, without discounts. */
  readonly quantity?: number;
  /**
   * The candidate's weight in the split. 0 if the attribution model excludes the candidate. Absent if the candidate was
   * dropped before the split.
   */
  readonly weight?: number;
  /**
   * The currency of the candidate's amounts, if it differs from the currency of the explanation. Leads are paid in the
   * program's currency.
   */
  readonly currency?: string;
  /**
   * The origin of the applied reward: a tier, the collaborator's custom rate, or the age of the renewal. Absent for the
   * program's reward.
   */
  readonly terms?: 'tier' | 'own' | 'renewal';
  /** The age in months from which the renewal's reward applies. Absent unless `terms` is `renewal`. */
  readonly afterMonths?: number;
  /** The threshold of the reached tier: a sum in hundredths of the program's currency, or a number of conversions. */
  readonly tierFrom?: bigint;
  /** The sum and number of awards that counted for the tiers before this decision. */
  readonly earnedForTier?: { readonly sum: Minor; readonly count: number };
  /** The sum that counted for the cap per period before this decision. */
  readonly earnedForCap?: Minor;
  /**
   * The program's reward, rounded once, before the cap per order. Present only if the cap per order reduced the reward.
   */
  readonly uncapped?: Minor;
  /** The program's total reward after the cap per order: the sum of all shares and cuts. */
  readonly reward?: Minor;
  /** The amount by which the cap per period reduced the candidate's share. Always above zero. */
  readonly cut?: Minor;
  readonly share?: Minor;
  /** The reasons for the fraud review of a winner. Absent without a fraud review. */
  readonly hold?: ExplainedHold;
};

/**
 * The reasons for a fraud review, and the values that were measured for them:
 * - If visits were counted, `nthFromAddress` and `nthOfCollaborator` are the highest positions of a visit within its
 *   hour: among the visits from one address, and among all visits of the collaborator.
 * - For `quick-sale`, `secondsToSale` is the time from the first touch to the sale, in whole seconds.
 * - For `ad-referrer`, `referrers` are the first `MAX_REFERRERS` referring hosts.
 * - For `buyer-details`, `buyerDetails` are the details that the buyer and the collaborator share.
 * - For `deny-list`, `deniedBy` are the first `MAX_DENY_LIST_ENTRIES` matching entries.
 */
export type ExplainedHold = {
  readonly reasons: readonly HoldReason[];
  readonly nthFromAddress?: number;
  readonly nthOfCollaborator?: number;
  readonly secondsToSale?: number;
  readonly referrers?: readonly string[];
  readonly buyerDetails?: readonly BuyerDetail[];
  readonly deniedBy?: readonly DenyListEntry[];
};

/**
 * Returns the facts with at most `MAX_REFERRERS` referring hosts and `MAX_DENY_LIST_ENTRIES` entries. Decisions of
 * earlier versions recorded all of them, which can be thousands.
 */
export function limitHold(hold: ExplainedHold): ExplainedHold {
  const { referrers, deniedBy } = hold;
  return {
    ...hold,
    ...(referrers !== undefined && { referrers: referrers.slice(0, MAX_REFERRERS) }),
    ...(deniedBy !== undefined && { deniedBy: deniedBy.slice(0, MAX_DENY_LIST_ENTRIES) }),
  };
}

/** A candidate that was weighted in the split, so that its amounts and numbers are always present. */
export type WeighedCandidate = ExplainedCandidate & {
  readonly base: Minor;
  readonly quantity: number;
  readonly weight: number;
  readonly reward: Minor;
  readonly share: Minor;
};

/** The explanation of one decision on a sale, a lead or a renewal. */
export type Explanation = {
  readonly transactionId: TransactionId;
  readonly kind: PayableKind;
  readonly transaction: ExplainedTransaction;
  readonly decidedAt: Instant;
  /** The sum of products and discounts. 0 for a lead. */
  readonly base: Minor;
  /** The currency of the transaction. A lead has `XXX` (none), and its candidates have their programs' currencies. */
  readonly currency: string;
  readonly reason: SaleReason | null;
  readonly candidates: readonly ExplainedCandidate[];
  /** The number of candidates beyond `MAX_LISTED_CANDIDATES`. */
  readonly omitted: number;
};

/** The properties that identify a transaction for a merchant. */
export type ExplainedTransaction = {
  readonly source: string;
  readonly externalId: string;
  readonly occurredAt: Instant;
  /** The total before corrections. */
  readonly total: Minor;
  /** The renewed sale and the number of this renewal. Null unless the transaction is a renewal. */
  readonly renewal: { readonly of: TransactionId; readonly number: number } | null;
};

/**
 * An award with its current value. `reason` is set for a rejected conversion. `author` is set for a manual credit,
 * which can also have a `note`. `explained` is the calculation of a manual credit, unless the caller gave the amount.
 */
export type ExplainedConversion = {
  readonly id: ConversionId;
  readonly type: ConversionType;
  readonly collaboratorId: CollaboratorId;
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly awarded: Minor;
  readonly amount: Minor;
  readonly currency: string;
  readonly status: ConversionStatus;
  /** The state of the fraud review. Absent if the conversion needs none. */
  readonly review?: Exclude<HoldReview, 'none'>;
  readonly awardedAt: Instant;
  readonly reason?: string;
  readonly author?: string;
  readonly note?: string;
  readonly explained?: ExplainedCandidate;
};

/**
 * A refund. `amount` is the refunded amount. For a full refund, it is the remaining amount. For a refund of items, it
 * is the sum of amount × quantity of the returned items.
 */
export type ExplainedRefund = {
  readonly at: Instant;
  readonly kind: RefundKind;
  readonly amount: Minor;
  readonly refundId?: string;
  /** The time of the refund's reversal, if it was reversed. */
  readonly reversedAt?: Instant;
};

/**
 * Returns the refunds of a transaction, in the same order. A refund of an amount gets the kind `full` if nothing of the
 * total was left after it. Refunds that were reversed later don't count toward the following refunds.
 */
export function markFullRefunds(refunds: readonly ExplainedRefund[], total: Minor): ExplainedRefund[] {
  let before = 0n;
  return refunds.map((refund) => {
    const { kind, amount, reversedAt } = refund;
    const isRest = kind === 'amount' && amount > 0n && before + amount >= total;
    if (reversedAt === undefined) before += amount;
    return isRest ? { ...refund, kind: 'full' } : refund;
  });
}

/** A correction of the transaction, with the corrected total. */
export type ExplainedCorrection = { readonly at: Instant; readonly correctionId: string; readonly total: Minor };

/**
 * The data shown with a decision: names, and later changes. The lists of conversions and refunds are truncated like the
 * list of candidates.
 */
export type Circumstances = {
  /** The program versions that candidates and conversions refer to. */
  readonly programs: readonly ProgramVersion[];
  readonly collaborators: ReadonlyMap<CollaboratorId, string>;
  readonly conversions: readonly ExplainedConversion[];
  readonly omittedConversions: number;
  readonly refunds: readonly ExplainedRefund[];
  readonly omittedRefunds: number;
  /** All corrections of the transaction, in the order of their reports. */
  readonly corrections: readonly ExplainedCorrection[];
  /** Whether the explanation is for an example. An example is not recorded, so its text has no ids and no dates. */
  readonly isImagined?: true;
};

export const MAX_LISTED_CANDIDATES = 200;
export const MAX_LISTED_CONVERSIONS = 200;
export const MAX_LISTED_REFUNDS = 200;
