import type { ConversionStatus } from './conversion.ts';
import type { FulfillmentStatus } from './fulfillment.ts';
import type { ConversionId, ObligationId } from './ids.ts';
import type { Minor } from './money.ts';

export const PAYOUT_STATUSES = ['unpaid', 'paid', 'void'] as const;
export const REVIEW_STATES = ['none', 'flagged', 'resolved'] as const;
/** What a reviewer may say. */
export const RESOLUTIONS = ['keep', 'claw-back'] as const;
/** `void`: the payout became void, so there is nothing to decide any more. */
export const FLAG_RESOLUTIONS = [...RESOLUTIONS, 'void'] as const;

export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
export type ReviewState = (typeof REVIEW_STATES)[number];
export type Resolution = (typeof RESOLUTIONS)[number];
export type FlagResolution = (typeof FLAG_RESOLUTIONS)[number];

/** A payout with what a mark goes by. */
export type MarkedPayout = {
  readonly status: PayoutStatus;
  readonly review: ReviewState;
  readonly runStatus: FulfillmentStatus;
  /** A refund of what it pays was reported and is not worked in yet: it is about to be flagged. */
  readonly refundWaits: boolean;
  /** A review took money of it back after it was paid, by a claw-back that a later run nets. */
  readonly clawedBack: boolean;
};

export type Mark = 'paid' | 'unpaid';

/** What a mark does: the payout changes, was so already, or why it may not. */
export type Marking = 'changed' | 'unchanged' | 'under-review' | 'refund-waits' | 'void' | 'run-closed' | 'clawed-back';

/** `unpaid ⇄ paid`, while the run is pending or processing. Nothing is paid that is, or is about to be, under review. */
export function markPayout(payout: MarkedPayout, mark: Mark): Marking {
  if (payout.status === mark) return 'unchanged';
  if (payout.status === 'void') return 'void';
  if (payout.runStatus === 'complete' || payout.runStatus === 'failed') return 'run-closed';
  // Unpaid, it could be failed or shrink; what was taken back already would then be taken back twice.
  if (mark === 'unpaid') return payout.clawedBack ? 'clawed-back' : 'changed';
  if (payout.review === 'flagged') return 'under-review';
  return payout.refundWaits ? 'refund-waits' : 'changed';
}

/** Whether an unpaid payout may be paid: it is not under review, and no refund waits to put it there. */
export function mayBePaid(payout: Pick<MarkedPayout, 'review' | 'refundWaits'>): boolean {
  return payout.review !== 'flagged' && !payout.refundWaits;
}

/** An obligation in a payout, with what decides what it is worth now. */
export type PaidObligation = {
  readonly obligationId: ObligationId;
  readonly conversionId: ConversionId;
  /** Negative for a claw-back of an earlier payout. */
  readonly amount: Minor;
  readonly conversion: { readonly status: ConversionStatus; readonly amount: Minor };
};

/** Money in a payout that went back: so much of the obligation is not owed any more. */
export type Flag = {
  readonly obligationId: ObligationId;
  readonly conversionId: ConversionId;
  readonly amount: Minor;
  readonly resolution: FlagResolution | null;
};

export type ReviewedPayout = {
  readonly status: PayoutStatus;
  readonly review: ReviewState;
  readonly amount: Minor;
  readonly obligations: readonly PaidObligation[];
  /** Oldest first. */
  readonly flags: readonly Flag[];
};

/** How an obligation leaves a payout or shrinks in it. A rejected one keeps its amount, to be read. */
export type ObligationChange = {
  readonly obligationId: ObligationId;
  readonly status: 'fulfilled' | 'pending' | 'rejected';
  readonly amount: Minor;
};

/** A new obligation, pending at once; negative. */
export type ClawBack = { readonly conversionId: ConversionId; readonly amount: Minor };

export type Review =
  | {
      readonly kind: 'resolved';
      /** Void where what is left of it is 0 or less. */
      readonly status: PayoutStatus;
      readonly amount: Minor;
      readonly obligations: readonly ObligationChange[];
      readonly clawBacks: readonly ClawBack[];
    }
  /** The last review said the same, and nothing was flagged since. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not-flagged' }
  /** There are flags that the reviewer has not read. */
  | { readonly kind: 'unseen' };

/**
 * A reviewer's word on all open flags of a payout. `keep` pays it all the same. `claw-back` takes the flagged amounts
 * out of an unpaid payout, and makes negative obligations for a paid one, one for each conversion. `seen` is how many flags
 * the reviewer has read, if they say so: flags are only ever added, so as many are the same, and none is decided unseen.
 */
export function reviewPayout(payout: ReviewedPayout, resolution: Resolution, seen?: number): Review {
  if (payout.review !== 'flagged') {
    return payout.flags.at(-1)?.resolution === resolution ? { kind: 'unchanged' } : { kind: 'not-flagged' };
  }
  if (seen !== undefined && seen !== payout.flags.length) return { kind: 'unseen' };
  const { status, amount } = payout;
  if (resolution === 'keep') return { kind: 'resolved', status, amount, obligations: [], clawBacks: [] };
  const open = payout.flags.filter((flag) => flag.resolution === null);
  if (status === 'paid') return { kind: 'resolved', status, amount, obligations: [], clawBacks: clawBacksOf(open) };
  return takeOut(payout, open);
}

function clawBacksOf(open: readonly Flag[]): ClawBack[] {
  return [...Map.groupBy(open, ({ conversionId }) => conversionId)].map(([conversionId, flags]) => ({
    conversionId,
    amount: -sum(flags) as Minor,
  }));
}

function takeOut({ obligations }: ReviewedPayout, open: readonly Flag[]): Review {
  const flagged = Map.groupBy(open, ({ obligationId }) => obligationId);
  const shrunk = obligations.map((obligation) => {
    const left = (obligation.amount - sum(flagged.get(obligation.obligationId) ?? [])) as Minor;
    return { ...obligation, left };
  });
  const left = sum(shrunk.map((each) => ({ amount: each.left })));
  if (left <= 0n) {
    return { kind: 'resolved', status: 'void', amount: 0n as Minor, obligations: shrunk.map(release), clawBacks: [] };
  }
  const changed = shrunk.filter((each) => each.left !== each.amount);
  return { kind: 'resolved', status: 'unpaid', amount: left as Minor, obligations: changed.map(shrink), clawBacks: [] };
}

function shrink({ obligationId, amount, left }: PaidObligation & { readonly left: Minor }): ObligationChange {
  return left === 0n
    ? { obligationId, status: 'rejected', amount }
    : { obligationId, status: 'fulfilled', amount: left };
}

/**
 * What becomes of an obligation whose payout is void: a claw-back is pending again as it was, anything else at what its
 * conversion is worth now, also where a reviewer had kept more. A refund that waits finds it pending, as any other; no
 * run takes it before.
 */
export function release({ obligationId, amount, conversion }: PaidObligation): ObligationChange {
  if (amount < 0n) return { obligationId, status: 'pending', amount };
  return conversion.status === 'rejected'
    ? { obligationId, status: 'rejected', amount }
    : { obligationId, status: 'pending', amount: conversion.amount };
}

function sum(of: readonly { readonly amount: Minor }[]): bigint {
  return of.reduce((total, { amount }) => total + amount, 0n);
}
