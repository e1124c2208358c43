import type { UserId } from './ids.ts';
import type { Instant } from './instant.ts';

/** What a program may have a person look at before it is paid, in the order in which it is told. */
export const HOLD_REASONS = ['visits-from-address', 'visits-of-collaborator', 'own-coupon', 'quick-sale'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** Where the review of a conversion stands: nobody need look, somebody has to, somebody has (or a refund came first). */
export const HOLD_REVIEWS = ['none', 'held', 'resolved'] as const;
export type HoldReview = (typeof HOLD_REVIEWS)[number];

/** What a program holds for a review; null, and false, is off. Without any of it a program has none. */
export type Holds = {
  /** Visits of one collaborator from one address within an hour by the clock; more are a flood. */
  readonly visitsFromAddress: number | null;
  /** Visits of one collaborator within an hour by the clock; more are a flood. */
  readonly visitsOfCollaborator: number | null;
  readonly ownCoupon: boolean;
  /** A sale so soon after the first touch, if a visit was among the touches. */
  readonly secondsToSale: number | null;
};

/** What is on record of a collaborator and a visitor up to an event. Nothing of it changes afterwards. */
export type Signs = {
  /** Which one of its hour a visit was at most: from its address, and of all. 0 where visits were not counted. */
  readonly nthFromAddress: number;
  readonly nthOfCollaborator: number;
  /** A visit is among the touches: who comes by a coupon alone has just entered it at the till. */
  readonly hasVisit: boolean;
  readonly hasCoupon: boolean;
  /** Every user number that the collaborator has had. */
  readonly userIds: readonly UserId[];
  /** Of a renewal: why its sale is on hold. */
  readonly ofSale: readonly HoldReason[];
};

/** Of whom nothing is asked: the program holds nothing back, or a person credits. */
export const NO_SIGNS: Signs = {
  nthFromAddress: 0,
  nthOfCollaborator: 0,
  hasVisit: false,
  hasCoupon: false,
  userIds: [],
  ofSale: [],
};

/** The event that is decided, as far as a hold looks at it. */
type HeldSale = {
  readonly kind: 'sale' | 'lead' | 'renewal';
  readonly visitorUserId: UserId | null;
  readonly soldAt: Instant;
};

/**
 * Why a person is to look at what a claim earns; none: nobody need. A renewal is held as its sale is, and for a coupon of
 * its owner’s: who the buyer is may be known by now, and self-referral is not asked again.
 */
export function holdReasons(
  sale: HeldSale,
  {
    program,
    signs,
    firstAt,
  }: { readonly program: { readonly holds: Holds | null }; readonly signs: Signs; readonly firstAt: Instant },
): HoldReason[] {
  const reasons = new Set<HoldReason>(signs.ofSale);
  const { holds } = program;
  if (holds !== null && sale.kind !== 'renewal') {
    if (isBeyond(signs.nthFromAddress, holds.visitsFromAddress)) reasons.add('visits-from-address');
    if (isBeyond(signs.nthOfCollaborator, holds.visitsOfCollaborator)) reasons.add('visits-of-collaborator');
    if (signs.hasVisit && isSooner(firstAt, sale.soldAt, holds.secondsToSale)) reasons.add('quick-sale');
  }
  if (holds?.ownCoupon === true && signs.hasCoupon && isOwner(signs, sale.visitorUserId)) reasons.add('own-coupon');
  return HOLD_REASONS.filter((reason) => reasons.has(reason));
}

/** Two claims of one collaborator on one visitor, taken together. */
export function joinSigns(one: Signs, other: Signs): Signs {
  return {
    nthFromAddress: Math.max(one.nthFromAddress, other.nthFromAddress),
    nthOfCollaborator: Math.max(one.nthOfCollaborator, other.nthOfCollaborator),
    hasVisit: one.hasVisit || other.hasVisit,
    hasCoupon: one.hasCoupon || other.hasCoupon,
    userIds: [...new Set([...one.userIds, ...other.userIds])],
    ofSale: HOLD_REASONS.filter((reason) => one.ofSale.includes(reason) || other.ofSale.includes(reason)),
  };
}

/** Whether visits have to be counted while they are reported, since a program may ask for the number. */
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

const MICROSECONDS_PER_SECOND = 1_000_000;

function isSooner(firstAt: Instant, soldAt: Instant, seconds: number | null): boolean {
  return seconds !== null && soldAt - firstAt < seconds * MICROSECONDS_PER_SECOND;
}

function isOwner({ userIds }: Signs, visitorUserId: UserId | null): boolean {
  return visitorUserId !== null && userIds.includes(visitorUserId);
}
