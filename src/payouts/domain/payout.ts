import type { FulfillmentStatus } from './run-status.ts';
import type { ConversionId, ObligationId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';

export const PAYOUT_STATUSES = ['unpaid', 'paid', 'void'] as const;
export const REVIEW_STATES = ['none', 'flagged', 'resolved'] as const;
/** The resolutions that a reviewer can choose. */
export const RESOLUTIONS = ['keep', 'claw-back'] as const;
/**
 * The resolutions of a flag. `void` means that the payout became void. `withdrawn` means that a reversed refund or a
 * correction made the amount owed again. `void` and `withdrawn` need no decision by a person.
 */
export const FLAG_RESOLUTIONS = [...RESOLUTIONS, 'void', 'withdrawn'] as const;

/**
 * The maximum number of a payout's flags that are shown, with their notes. The newest are shown. A review resolves all
 * open flags at once, so the open flags are shown before the flags of earlier reviews.
 */
export const MAX_SHOWN_REASONS = 100;

export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
export type ReviewState = (typeof REVIEW_STATES)[number];
export type Resolution = (typeof RESOLUTIONS)[number];
export type FlagResolution = (typeof FLAG_RESOLUTIONS)[number];

/** The facts about a payout that decide whether it can be marked. */
export type MarkedPayout = {
  readonly status: PayoutStatus;
  readonly review: ReviewState;
  readonly runStatus: FulfillmentStatus;
  /**
   * Whether a refund or correction of one of the payout's sales was reported but is still being processed. The refund
   * or correction may flag the payout.
   */
  readonly refundWaits: boolean;
  /** Whether tax details are required, and the collaborator has none. */
  readonly lacksTaxDetails: boolean;
  /** Whether a review clawed money back after the payout was paid. A later run deducts the clawback. */
  readonly clawedBack: boolean;
  /** Whether the payout is void because its payment failed. */
  readonly hasFailed: boolean;
};

export type Mark = 'paid' | 'unpaid';

/** The effect of a mark: the payout changes, already has that status, or can't change for the given reason. */
export type MarkDecision =
  'changed' | 'unchanged' | 'under-review' | 'refund-waits' | 'no-tax-details' | 'void' | 'run-closed' | 'clawed-back';

/**
 * Decides whether a payout can be marked as paid or unpaid. The mark can change only while the run is pending or
 * processing. A void payout, and a paid payout with a clawback, keep their status. A payout can't be marked as paid in
 * these cases:
 *
 * - It is under review.
 * - A refund or correction that may flag it is being processed.
 * - Required tax details are missing.
 */
export function markPayout(payout: MarkedPayout, mark: Mark): MarkDecision {
  if (payout.status === mark) return 'unchanged';
  if (payout.status === 'void') return 'void';
  if (payout.runStatus === 'complete' || payout.runStatus === 'failed') return 'run-closed';
  // A payout that becomes unpaid could fail or shrink. Its clawback would then deduct the same amount a second time.
  if (mark === 'unpaid') return payout.clawedBack ? 'clawed-back' : 'changed';
  if (payout.review === 'flagged') return 'under-review';
  if (payout.refundWaits) return 'refund-waits';
  return payout.lacksTaxDetails ? 'no-tax-details' : 'changed';
}

export type FailDecision = Exclude<MarkDecision, 'under-review' | 'refund-waits' | 'no-tax-details'>;

/**
 * Decides whether the payment of a payout can be recorded as failed, which makes the payout void. The run must be open.
 * The payout must not be void for another reason, and must not be a paid payout with a clawback.
 */
export function failPayout(payout: MarkedPayout): FailDecision {
  if (payout.status === 'void') return payout.hasFailed ? 'unchanged' : 'void';
  if (payout.runStatus === 'complete' || payout.runStatus === 'failed') return 'run-closed';
  return payout.status === 'paid' && payout.clawedBack ? 'clawed-back' : 'changed';
}

/**
 * Returns whether an unpaid payout can be paid. A payout can't be paid in these cases:
 *
 * - It is under review.
 * - A refund or correction of its sales is still being processed.
 * - Required tax details are missing.
 */
export function canBePaid(payout: Pick<MarkedPayout, 'review' | 'refundWaits' | 'lacksTaxDetails'>): boolean {
  return !needsReview(payout) && !payout.lacksTaxDetails;
}

/** Returns whether a payout is under review, or may be flagged by a refund or correction that is being processed. */
export function needsReview({ review, refundWaits }: Pick<MarkedPayout, 'review' | 'refundWaits'>): boolean {
  return review === 'flagged' || refundWaits;
}

export type PayoutObligation = {
  readonly obligationId: ObligationId;
  readonly conversionId: ConversionId;
  /** The amount of the obligation. Negative for a clawback of an earlier payout. */
  readonly amount: Minor;
};

/**
 * A flag on a payout. A refund, correction or rejection of the conversion means that `amount` of the obligation is no
 * longer owed.
 */
export type Flag = {
  readonly obligationId: ObligationId;
  readonly conversionId: ConversionId;
  readonly amount: Minor;
};

/** The facts that decide whether a payout can be reviewed. */
export type ReviewFacts = {
  readonly status: PayoutStatus;
  readonly review: ReviewState;
  readonly amount: Minor;
  /** The number of all flags, including resolved flags. */
  readonly flagCount: number;
  /** The resolution of the newest flag. Null if it is open, or if the payout has no flags. */
  readonly lastResolution: FlagResolution | null;
};

export type ReviewedPayout = ReviewFacts & {
  readonly obligations: readonly PayoutObligation[];
  /** The open flags of the payout, oldest first. */
  readonly openFlags: readonly Flag[];
};

/**
 * The change to an obligation that is removed from a payout or reduced in it. A rejected obligation keeps its amount
 * for the record.
 */
export type ObligationChange = {
  readonly obligationId: ObligationId;
  readonly status: 'fulfilled' | 'pending' | 'rejected';
  readonly amount: Minor;
};

/**
 * Changes to obligations that are written in one statement. Each step causes ledger entries of its own, so the steps
 * are written in order.
 */
export type ObligationStep = readonly ObligationChange[];

/** A new obligation with a negative amount, which is pending immediately. */
export type ClawBack = { readonly conversionId: ConversionId; readonly amount: Minor };

export type Review =
  | ReviewWithoutEffect
  | {
      readonly kind: 'resolved';
      /**
       * The status of the payout. Void if an unpaid payout has an amount of 0 or less after a `claw-back`, otherwise
       * unchanged.
       */
      readonly status: PayoutStatus;
      readonly amount: Minor;
      readonly steps: readonly ObligationStep[];
      readonly clawBacks: readonly ClawBack[];
    };

export type ReviewWithoutEffect =
  /** The last review had the same resolution, and nothing has been flagged since. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not-flagged' }
  /** The payout has flags that the reviewer has not seen. */
  | { readonly kind: 'unseen' };

/**
 * Returns why a review of a payout has no effect, or undefined if it has one.
 *
 * `seen` is the number of flags that the reviewer has seen, if given. Flags are never removed, so an equal number means
 * that the reviewer has seen all of them.
 */
export function withoutEffect(
  { review, flagCount, lastResolution }: ReviewFacts,
  resolution: Resolution,
  seen?: number,
): ReviewWithoutEffect | undefined {
  if (review !== 'flagged') return lastResolution === resolution ? { kind: 'unchanged' } : { kind: 'not-flagged' };
  return seen === undefined || seen === flagCount ? undefined : { kind: 'unseen' };
}

/**
 * Decides the review of all open flags of a payout. `keep` pays the flagged amounts. `claw-back` removes them from an
 * unpaid payout. For a paid payout, it creates negative obligations, one for each conversion. `seen` is described at
 * `withoutEffect`.
 */
export function reviewPayout(payout: ReviewedPayout, resolution: Resolution, seen?: number): Review {
  const refused = withoutEffect(payout, resolution, seen);
  if (refused !== undefined) return refused;
  const { status, amount, openFlags } = payout;
  if (resolution === 'keep') return { kind: 'resolved', status, amount, steps: [], clawBacks: [] };
  if (status === 'paid') return { kind: 'resolved', status, amount, steps: [], clawBacks: clawBacksOf(openFlags) };
  return takeOut(payout);
}

function clawBacksOf(open: readonly Flag[]): ClawBack[] {
  return [...Map.groupBy(open, ({ conversionId }) => conversionId)].map(([conversionId, flags]) => ({
    conversionId,
    amount: -sum(flags) as Minor,
  }));
}

function takeOut({ obligations, openFlags }: ReviewedPayout): Review {
  const flagged = Map.groupBy(openFlags, ({ obligationId }) => obligationId);
  const shrunk = obligations.map((obligation) => {
    const removed = sum(flagged.get(obligation.obligationId) ?? []);
    return { ...obligation, left: (obligation.amount - removed) as Minor };
  });
  const left = sum(shrunk.map((each) => ({ amount: each.left })));
  const clawedBack = shrunk.filter((each) => each.left !== each.amount).map(shrink);
  if (left > 0n) {
    return { kind: 'resolved', status: 'unpaid', amount: left as Minor, steps: [clawedBack], clawBacks: [] };
  }
  const rest = shrunk.filter((each) => each.left !== 0n).map((each) => ({ ...each, amount: each.left }));
  const steps = [clawedBack, releaseObligations(rest)];
  return { kind: 'resolved', status: 'void', amount: 0n as Minor, steps, clawBacks: [] };
}

function shrink({ obligationId, amount, left }: PayoutObligation & { readonly left: Minor }): ObligationChange {
  return left === 0n
    ? { obligationId, status: 'rejected', amount }
    : { obligationId, status: 'fulfilled', amount: left };
}

/**
 * Releases the obligations of a void payout: they become pending with their whole amounts. `settleConversions` must
 * follow, because a part of an amount may no longer be owed, even if a reviewer had let the collaborator keep it. If a
 * refund is still being processed, no run includes the obligations before the refund is applied.
 */
export function releaseObligations(obligations: readonly PayoutObligation[]): ObligationStep {
  return obligations.map(({ obligationId, amount }) => ({ obligationId, status: 'pending', amount }));
}

function sum(of: readonly { readonly amount: Minor }[]): bigint {
  return of.reduce((total, { amount }) => total + amount, 0n);
}
