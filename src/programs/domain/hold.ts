import type { FraudReview } from '#collaborators/domain/collaborator.ts';
import type { UserId } from '#core/ids.ts';
import { type Instant, MICROSECONDS_PER_SECOND } from '#core/instant.ts';

/** The fraud signals that cause a fraud review, in the order in which they are listed. */
export const HOLD_REASONS = [
  'visits-from-address',
  'visits-of-collaborator',
  'own-coupon',
  'quick-sale',
  'watched-collaborator',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The state of a fraud review: not needed, waiting for a person, or resolved. A refund can also resolve it. */
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
};

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
  /** For a renewal, the reasons for the fraud review of its sale. Empty for other kinds. */
  readonly ofSale: readonly HoldReason[];
};

/**
 * The fraud signals if no fraud signals are looked up: for a program without fraud settings, and for a manual credit.
 */
export const NO_FRAUD_SIGNALS: FraudSignals = {
  nthFromAddress: 0,
  nthOfCollaborator: 0,
  hasVisit: false,
  hasCoupon: false,
  userIds: [],
  ofSale: [],
};

/** The fields of a sale, lead or renewal on which the reasons for its fraud review depend. */
type HeldSale = {
  readonly kind: 'sale' | 'lead' | 'renewal';
  readonly visitorUserId: UserId | null;
  readonly soldAt: Instant;
};

/**
 * Returns the reasons for a fraud review of a claim's awards, or an empty list if no review is needed. A renewal is
 * reviewed for the reasons of its sale, and if the buyer used their own coupon. The coupon is checked again, because
 * the buyer may have been identified since the sale, and self-referral is not checked again. The merchant's choice for
 * the collaborator is always evaluated as of the event.
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
  if (collaborator.fraudReview === 'never') return [];
  const reasons = new Set<HoldReason>(fraudSignals.ofSale);
  reasons.delete('watched-collaborator');
  if (collaborator.fraudReview === 'always') reasons.add('watched-collaborator');
  const { holds } = program;
  if (holds !== null && sale.kind !== 'renewal') {
    if (isBeyond(fraudSignals.nthFromAddress, holds.visitsFromAddress)) reasons.add('visits-from-address');
    if (isBeyond(fraudSignals.nthOfCollaborator, holds.visitsOfCollaborator)) reasons.add('visits-of-collaborator');
    if (fraudSignals.hasVisit && isSooner(firstAt, sale.soldAt, holds.secondsToSale)) reasons.add('quick-sale');
  }
  if (holds?.ownCoupon === true && fraudSignals.hasCoupon && isOwner(fraudSignals, sale.visitorUserId))
    reasons.add('own-coupon');
  return HOLD_REASONS.filter((reason) => reasons.has(reason));
}

/** Returns the combined fraud signals of two claims of a collaborator on the same visitor. */
export function joinFraudSignals(one: FraudSignals, other: FraudSignals): FraudSignals {
  return {
    nthFromAddress: Math.max(one.nthFromAddress, other.nthFromAddress),
    nthOfCollaborator: Math.max(one.nthOfCollaborator, other.nthOfCollaborator),
    hasVisit: one.hasVisit || other.hasVisit,
    hasCoupon: one.hasCoupon || other.hasCoupon,
    userIds: [...new Set([...one.userIds, ...other.userIds])],
    ofSale: HOLD_REASONS.filter((reason) => one.ofSale.includes(reason) || other.ofSale.includes(reason)),
  };
}

/**
 * Returns whether reported visits must be counted by address and by collaborator, because the fraud settings of a
 * program limit their number.
 */
export function countedVisits(programs: readonly { readonly holds: Holds | null }[]): {
  readonly fromAddress: boolean;
  readonly ofCollaborator: boolean;
} {
  return {
    fromAddress: programs.some(({ holds }) => holds?.visitsFromAddress != null),
    ofCollaborator: programs.some(({ holds }) => holds?.visitsOfCollaborator != null),
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
