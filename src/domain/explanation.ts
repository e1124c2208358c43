import type { LosingReason } from './attribution.ts';
import type { ConversionStatus, ConversionType } from './conversion.ts';
import type { HoldReason, HoldReview } from './hold.ts';
import type { CollaboratorId, ConversionId, EngagementId, ProgramId, TransactionId } from './ids.ts';
import type { Instant } from './instant.ts';
import type { Minor } from './money.ts';
import type { PayableKind, ProgramVersion } from './program.ts';
import type { RefundKind } from './refund.ts';
import type { UnengagedReason } from './visit.ts';

/** Why a candidate was dropped before attribution, in the order in which the rules are looked at. */
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

/** Why a sale, lead or renewal as a whole earned nobody anything. */
export type SaleReason = 'no-engagement' | 'opportunity-invalid' | 'opportunity-removed' | 'no-original-conversion';

export type CandidateReason =
  DropReason | 'lost-in-group' | LosingReason | 'share-is-zero' | 'cap-reached' | UnengagedReason;

/**
 * What became of one candidate. One that never engaged (`self-referral`, …) has a collaborator and a reason only. One
 * that won has a reason where a cap has cut what it got (`cap-reached`).
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
  readonly lastAt?: Instant;
  /** Sum of the lines that count in this program, and the pieces of those that are no discount. */
  readonly base?: Minor;
  readonly quantity?: number;
  /** Its part in the split; 0 for one that the attribution model leaves out. */
  readonly weight?: number;
  /** Of its amounts, where it is not the explanation's: a lead pays in the program's. */
  readonly currency?: string;
  /** Whose reward applied, where it was not the program's: that of a tier, or the collaborator's own. */
  readonly terms?: 'tier' | 'own';
  /** The step of the tiers that was reached: a sum in the smallest unit, or a number of conversions. */
  readonly tierFrom?: bigint;
  /** What counted for the tiers before this decision. */
  readonly earnedForTier?: { readonly sum: Minor; readonly count: number };
  /** What counted for the cap per period before this decision. */
  readonly earnedForCap?: Minor;
  /** The program's reward, rounded once, before the cap per order; only where that cap cut it. */
  readonly uncapped?: Minor;
  /** What the program pays in all, after the cap per order: the sum of all shares and cuts. */
  readonly reward?: Minor;
  /** What the cap per period took off this share; above zero. */
  readonly cut?: Minor;
  /** What is left for this candidate. */
  readonly share?: Minor;
  /** Of one that won: why a person looks at it before it is paid. */
  readonly hold?: ExplainedHold;
};

/** Why something is held, and which visits of their hour those were that counted, where they are counted. */
export type ExplainedHold = {
  readonly reasons: readonly HoldReason[];
  readonly nthFromAddress?: number;
  readonly nthOfCollaborator?: number;
};

/** One that attribution gave a part: from there on it has numbers. */
export type WeighedCandidate = ExplainedCandidate & {
  readonly base: Minor;
  readonly quantity: number;
  readonly weight: number;
  readonly reward: Minor;
  readonly share: Minor;
};

/** One decision: of a sale, a lead or a renewal. */
export type Explanation = {
  readonly transactionId: TransactionId;
  readonly kind: PayableKind;
  readonly transaction: ExplainedTransaction;
  readonly decidedAt: Instant;
  /** Products and discounts. A lead has none, and `XXX`, no currency: its candidates have their programs'. */
  readonly base: Minor;
  readonly currency: string;
  readonly reason: SaleReason | null;
  readonly candidates: readonly ExplainedCandidate[];
  /** Candidates beyond MAX_LISTED_CANDIDATES. */
  readonly omitted: number;
};

/** What a merchant knows the transaction by. */
export type ExplainedTransaction = {
  readonly source: string;
  readonly externalId: string;
  readonly occurredAt: Instant;
  readonly total: Minor;
  /** Of a renewal: which one it is of which sale. */
  readonly renewal: { readonly of: TransactionId; readonly number: number } | null;
};

/**
 * What was awarded, with what it is worth now. `reason` is of a rejection; `author`, `note` and `explained` (how the award
 * was worked out, where its amount was not named) are of a manual credit.
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
  /** Absent: nobody need look at it. */
  readonly review?: Exclude<HoldReview, 'none'>;
  readonly awardedAt: Instant;
  readonly reason?: string;
  readonly author?: string;
  readonly note?: string;
  readonly explained?: ExplainedCandidate;
};

/** `amount` is what was given back: of a full refund what was left, of items their amount × quantity. */
export type ExplainedRefund = {
  readonly at: Instant;
  readonly kind: RefundKind;
  readonly amount: Minor;
  readonly refundId?: string;
};

/** What is told with a decision: the names in it, and what has become of it since. Lists are cut as that of candidates. */
export type Circumstances = {
  /** The versions that candidates and conversions name. */
  readonly programs: readonly ProgramVersion[];
  readonly collaborators: ReadonlyMap<CollaboratorId, string>;
  readonly conversions: readonly ExplainedConversion[];
  readonly omittedConversions: number;
  readonly refunds: readonly ExplainedRefund[];
  readonly omittedRefunds: number;
  /** It is an example, and nothing of it is on record: it has no numbers and no dates to be told. */
  readonly isImagined?: true;
};

export const MAX_LISTED_CANDIDATES = 200;
export const MAX_LISTED_CONVERSIONS = 200;
export const MAX_LISTED_REFUNDS = 200;

/** One sentence for each reason code, as the docs list them. */
export const REASON_SENTENCES: Readonly<Record<CandidateReason | SaleReason, string>> = {
  'program-inactive': 'the program was not active',
  'event-not-paid': 'the program does not pay for this kind of event',
  'collaborator-inactive': 'the collaborator was not active',
  'not-enrolled': 'the collaborator was not enrolled in the program',
  'self-referral': 'the collaborator is the buyer',
  'already-credited': 'an earlier sale of this visitor was credited, and the program credits a visitor once',
  'window-expired': 'the last touch was longer ago than the program’s window',
  'renewal-limit': 'the program pays renewals of a sale no longer, or no more of them',
  'currency-mismatch': 'an amount of the program (reward, cap, minimum or tier) is in another currency than the sale',
  'nothing-counted': 'the lines that count add up to nothing',
  'below-minimum': 'the total is below the program’s minimum',
  'lost-in-group': 'of its group only one program pays, and that is another',
  'lost-to-newer': 'a newer touch gets the credit',
  'lost-to-older': 'an older touch gets the credit',
  'lost-to-higher': 'a higher score gets the credit',
  'share-is-zero': 'the share rounds to nothing',
  'cap-reached': 'the program’s cap per collaborator and period was reached',
  'no-program': 'no active program listened to the touch',
  'no-engagement': 'no touch of a collaborator led to it',
  'opportunity-invalid': 'the opportunity is invalid',
  'opportunity-removed': 'the opportunity is older than what is kept',
  'no-original-conversion':
    'the sale that it renews has no conversion, only such as a person had rejected, or was refunded in full before',
};

/** The same of a touch that made no engagement, in explanations and in the console’s journeys: there is no program to speak of. */
export const UNENGAGED_SENTENCES: Readonly<Record<UnengagedReason, string>> = {
  'self-referral': 'the visitor is the collaborator',
  'no-program': REASON_SENTENCES['no-program'],
  'not-enrolled': 'the collaborator took part in no program that listened to the touch',
};

/** The same for what is held. */
export const HOLD_SENTENCES: Readonly<Record<HoldReason, string>> = {
  'visits-from-address': 'one address came by this collaborator more often within an hour than the program lets pass',
  'visits-of-collaborator': 'more visits came by this collaborator within an hour than the program lets pass',
  'own-coupon': 'a coupon of the collaborator was used, and the buyer’s user number is, or was, the collaborator’s own',
  'quick-sale': 'it came sooner after the first touch than the program lets pass',
};
