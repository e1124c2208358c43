import type { FraudReview } from '#collaborators/domain/collaborator.ts';
import type { UserId } from '#core/ids.ts';
import { type FraudListEntry, includesHost } from './fraud-list.ts';
import { type Instant, MICROSECONDS_PER_SECOND } from '#core/instant.ts';

/** The fraud signals that cause a fraud review, in the order in which they are listed. */
export const HOLD_REASONS = [
  'visits-from-address',
  'visits-of-collaborator',
  'own-coupon',
  'quick-sale',
  'ad-referrer',
  'buyer-details',
  'deny-list',
  'watched-collaborator',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The states of a fraud review: not needed, waiting for a person, or resolved. A refund can also resolve a review. */
export const HOLD_REVIEWS = ['none', 'held', 'resolved'] as const;
export type HoldReview = (typeof HOLD_REVIEWS)[number];

/**
 * The fraud settings of a program. Null and false mean off. A program whose settings are all off has no fraud settings.
 */
export type Holds = {
  /**
   * The maximum number of visits of one collaborator from one address in a clock hour. More visits are a fraud signal.
   */
  readonly visitsFromAddress: number | null;
  /** The maximum number of visits of one collaborator in a clock hour. More visits are a fraud signal. */
  readonly visitsOfCollaborator: number | null;
  readonly ownCoupon: boolean;
  /**
   * The time after the first touch within which a sale or lead is a fraud signal, in seconds. Applies only if one of
   * the touches is a visit.
   */
  readonly secondsToSale: number | null;
  /** Patterns of hosts. A visit from one of these hosts is a fraud signal. Empty if off. */
  readonly adReferrers: readonly string[];
  /** The details that are a fraud signal if the buyer shares them with the collaborator. Empty if off. */
  readonly buyerDetails: readonly BuyerDetail[];
  /**
   * The limits `minConversionRate`, `maxConversionRate` and `maxRefundRate` are for the results of a collaborator, in
   * percent. A collaborator beyond a limit is shown to the merchant. These limits send no conversion to review, because
   * results change after a decision.
   */
  readonly minConversionRate: number | null;
  readonly maxConversionRate: number | null;
  readonly maxRefundRate: number | null;
};

/** Returns whether fraud settings can send a conversion to review. Limits for results only flag a collaborator. */
export function canHoldConversions(holds: Holds): boolean {
  const { visitsFromAddress, visitsOfCollaborator, ownCoupon, secondsToSale, adReferrers, buyerDetails } = holds;
  const limits = [visitsFromAddress, visitsOfCollaborator, secondsToSale];
  return ownCoupon || limits.some((limit) => limit !== null) || adReferrers.length + buyerDetails.length > 0;
}

/** The details of a buyer that are compared with the details of collaborators. */
export const BUYER_DETAILS = ['email', 'name', 'card', 'address'] as const;
export type BuyerDetail = (typeof BUYER_DETAILS)[number];

/** An entry of the deny list, as a decision records it. */
export type DenyListEntry = Pick<FraudListEntry, 'kind' | 'value'>;

/** The maximum number of referring hosts that a decision records for a candidate. */
export const MAX_REFERRERS = 10;
/** The maximum number of entries of the deny list that a decision records for a candidate. */
export const MAX_DENY_LIST_ENTRIES = 10;

/** The fraud signals of a collaborator and a visitor up to an event. Later events don't change them. */
export type FraudSignals = {
  /**
   * The highest position of a visit within its hour, among the collaborator's visits from the same address. 0 if visits
   * were not counted by address.
   */
  readonly nthFromAddress: number;
  /**
   * The highest position of a visit within its hour, among all of the collaborator's visits. 0 if visits were not
   * counted.
   */
  readonly nthOfCollaborator: number;
  /** Whether one of the touches is a visit. Without a visit, the buyer may only have entered a coupon at checkout. */
  readonly hasVisit: boolean;
  readonly hasCoupon: boolean;
  /** All current and former user ids of the collaborator. */
  readonly userIds: readonly UserId[];
  /**
   * The first hosts, sorted and up to `MAX_REFERRERS`, of the collaborator's visits that the program treats as
   * advertising.
   */
  readonly referrers: readonly string[];
  /** The details that the buyer and the collaborator share. */
  readonly buyerDetails: readonly BuyerDetail[];
  /**
   * The entries of the deny list that include the buyer or a visit of the collaborator, up to `MAX_DENY_LIST_ENTRIES`
   * for each claim.
   */
  readonly deniedBy: readonly DenyListEntry[];
  /** For a renewal, the reasons for the fraud review of its sale. Empty for other kinds. */
  readonly ofSale: readonly HoldReason[];
};

/**
 * Empty fraud signals, for claims whose fraud signals are not looked up. Examples are manual credits, and programs
 * without fraud settings if the organization has no deny list.
 */
export const NO_FRAUD_SIGNALS: FraudSignals = {
  nthFromAddress: 0,
  nthOfCollaborator: 0,
  hasVisit: false,
  hasCoupon: false,
  userIds: [],
  referrers: [],
  buyerDetails: [],
  deniedBy: [],
  ofSale: [],
};

/** The fields of a sale, lead or renewal on which the reasons for its fraud review depend. */
type HeldSale = {
  readonly kind: 'sale' | 'lead' | 'renewal';
  readonly visitorUserId: UserId | null;
  readonly soldAt: Instant;
};

/**
 * Returns the reasons for a fraud review of a claim's awards, or an empty list if no review is needed. A renewal can
 * have these reasons:
 *
 * - The reasons for the fraud review of its sale, except `watched-collaborator`.
 * - An entry of the deny list.
 * - A coupon that the buyer owns. The coupon is checked again, because the buyer may have been identified after the
 *   sale, and renewals are not checked for self-referral again.
 * - The collaborator's setting `fraudReview`, as of the renewal's event.
 *
 * With the setting `never`, only an entry of the deny list is a reason.
 */
export function holdReasons(
  sale: HeldSale,
  {
    program,
    collaborator,
    fraudSignals,
    firstAt,
  }: {
    readonly program: { readonly holds: Holds | null };
    readonly collaborator: { readonly fraudReview?: FraudReview | undefined };
    readonly fraudSignals: FraudSignals;
    readonly firstAt: Instant;
  },
): HoldReason[] {
  const reasons = new Set<HoldReason>(fraudSignals.ofSale);
  reasons.delete('watched-collaborator');
  if (fraudSignals.deniedBy.length > 0) reasons.add('deny-list');
  if (collaborator.fraudReview === 'never') return reasons.has('deny-list') ? ['deny-list'] : [];
  if (collaborator.fraudReview === 'always') reasons.add('watched-collaborator');
  const { holds } = program;
  if (holds !== null && sale.kind !== 'renewal') {
    if (isBeyond(fraudSignals.nthFromAddress, holds.visitsFromAddress)) reasons.add('visits-from-address');
    if (isBeyond(fraudSignals.nthOfCollaborator, holds.visitsOfCollaborator)) reasons.add('visits-of-collaborator');
    if (fraudSignals.hasVisit && isSooner(firstAt, sale.soldAt, holds.secondsToSale)) reasons.add('quick-sale');
    if (adReferrersOf(fraudSignals, holds).length > 0) reasons.add('ad-referrer');
    if (sharedDetailsOf(fraudSignals, holds).length > 0) reasons.add('buyer-details');
  }
  if (holds?.ownCoupon === true && fraudSignals.hasCoupon && isOwner(fraudSignals, sale.visitorUserId))
    reasons.add('own-coupon');
  return HOLD_REASONS.filter((reason) => reasons.has(reason));
}

/** Returns the hosts of the visits that the program treats as advertising. */
export function adReferrersOf({ referrers }: FraudSignals, { adReferrers }: Holds): string[] {
  const patterns = new Set(adReferrers);
  return referrers.filter((host) => includesHost(patterns, host));
}

/** Returns the details that the buyer and the collaborator share, if the program compares them. */
export function sharedDetailsOf({ buyerDetails }: FraudSignals, holds: Holds): BuyerDetail[] {
  return BUYER_DETAILS.filter((detail) => buyerDetails.includes(detail) && holds.buyerDetails.includes(detail));
}

/** Returns the combined fraud signals of two claims of a collaborator on the same visitor. */
export function joinFraudSignals(one: FraudSignals, other: FraudSignals): FraudSignals {
  return {
    nthFromAddress: Math.max(one.nthFromAddress, other.nthFromAddress),
    nthOfCollaborator: Math.max(one.nthOfCollaborator, other.nthOfCollaborator),
    hasVisit: one.hasVisit || other.hasVisit,
    hasCoupon: one.hasCoupon || other.hasCoupon,
    userIds: [...new Set([...one.userIds, ...other.userIds])],
    referrers: [...new Set([...one.referrers, ...other.referrers])].sort(),
    buyerDetails: BUYER_DETAILS.filter((each) => one.buyerDetails.includes(each) || other.buyerDetails.includes(each)),
    deniedBy: joinEntries(one.deniedBy, other.deniedBy),
    ofSale: HOLD_REASONS.filter((reason) => one.ofSale.includes(reason) || other.ofSale.includes(reason)),
  };
}

function joinEntries(one: readonly DenyListEntry[], other: readonly DenyListEntry[]): DenyListEntry[] {
  const entries = new Map([...one, ...other].map((entry) => [`${entry.kind} ${entry.value}`, entry]));
  return [...entries.keys()].sort().map((key) => entries.get(key) as DenyListEntry);
}

/**
 * Returns the checks of visits that the fraud settings of programs require:
 *
 * - whether to count visits by address
 * - whether to count visits by collaborator
 * - the patterns of the referrers to record
 */
export function checksOfVisits(programs: readonly { readonly holds: Holds | null }[]): {
  readonly fromAddress: boolean;
  readonly ofCollaborator: boolean;
  readonly adReferrers: ReadonlySet<string>;
} {
  return {
    fromAddress: programs.some(({ holds }) => holds?.visitsFromAddress != null),
    ofCollaborator: programs.some(({ holds }) => holds?.visitsOfCollaborator != null),
    adReferrers: new Set(programs.flatMap(({ holds }) => holds?.adReferrers ?? [])),
  };
}

function isBeyond(nth: number, limit: number | null): boolean {
  return limit !== null && nth > limit;
}

function isSooner(firstAt: Instant, soldAt: Instant, seconds: number | null): boolean {
  return seconds !== null && soldAt - firstAt < seconds * MICROSECONDS_PER_SECOND;
}

function isOwner({ userIds }: FraudSignals, visitorUserId: UserId | null): boolean {
  return visitorUserId !== null && userIds.includes(visitorUserId);
}
