import type { PayoutId } from './ids.ts';
import type { Minor } from './money.ts';

export const CONVERSION_TYPES = ['sale', 'lead', 'renewal', 'manual'] as const;
export const CONVERSION_STATUSES = ['pending', 'approved', 'rejected'] as const;
export const OBLIGATION_STATUSES = ['draft', 'pending', 'fulfilled', 'rejected'] as const;
export const TRANSACTION_STATUSES = ['complete', 'refunded', 'cancelled'] as const;
export const ENGAGEMENT_STATUSES = ['active', 'complete', 'invalid'] as const;
export const OPPORTUNITY_STATUSES = ['active', 'merged', 'invalid'] as const;
export const FLAG_REASONS = ['refunded', 'partly-refunded', 'rejected'] as const;

export type ConversionType = (typeof CONVERSION_TYPES)[number];
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number];
export type ObligationStatus = (typeof OBLIGATION_STATUSES)[number];
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
export type FlagReason = (typeof FLAG_REASONS)[number];

/** What an operator's word does to a conversion: it changes, it was so already, or the state graph forbids it. */
export type Review = 'changed' | 'unchanged' | 'forbidden';

/** A conversion's sale: its state, and whether a refund of it waits for the pipeline. */
export type ReviewedSale = { readonly status: TransactionStatus; readonly refundWaits: boolean };

/**
 * `pending → approved`. Money of a sale that was reversed can't be approved, whatever the pipeline has yet to do; nor is
 * it known how much to approve while a refund in part waits.
 */
export function approve(conversion: ConversionStatus, sale: ReviewedSale): Review {
  if (sale.status !== 'complete' || conversion === 'rejected') return 'forbidden';
  if (conversion === 'approved') return 'unchanged';
  return sale.refundWaits ? 'forbidden' : 'changed';
}

/**
 * A hold is let go: from then on the conversion goes the way of its program. What is held no more, or never was, stays as
 * it is. Where the sale was reversed nothing can come of it.
 */
export function release(conversion: ConversionStatus, isHeld: boolean, sale: ReviewedSale): Review {
  if (sale.status !== 'complete' || conversion === 'rejected') return 'forbidden';
  if (!isHeld) return 'unchanged';
  return sale.refundWaits ? 'forbidden' : 'changed';
}

/** `pending`, `approved → rejected`. */
export function reject(conversion: ConversionStatus): Review {
  return conversion === 'rejected' ? 'unchanged' : 'changed';
}

/**
 * What is owed for a conversion: its obligation, and what belongs to it. `takenBack` is the sum of the obligations that
 * took money back from paid payouts, 0 or less; `flagged` of the flags that wait for a review or were kept.
 */
export type Owed = {
  readonly amount: Minor;
  readonly status: ObligationStatus;
  readonly payoutId: PayoutId | null;
  readonly takenBack: Minor;
  readonly flagged: Minor;
};

/**
 * What becomes of an obligation: less is owed, nothing, or a person looks at the payout that it is in. The amount of one
 * that is rejected stays to be read.
 */
export type OwedChange =
  | { readonly kind: 'reduced' | 'rejected'; readonly amount: Minor }
  | { readonly kind: 'flagged'; readonly payoutId: PayoutId; readonly amount: Minor; readonly reason: FlagReason };

/**
 * What becomes of an obligation when its conversion is worth so much, 0 once it is rejected; null where nothing does.
 * Open money shrinks or goes. What is in a payout, paid or not, is not touched: the payout is flagged with what was owed
 * beyond the worth and is not flagged yet.
 */
export function settle(owed: Owed, worth: Minor, reason: FlagReason): OwedChange | null {
  if (owed.status === 'rejected') return null;
  const excess = (owed.amount + owed.takenBack - worth - owed.flagged) as Minor;
  if (owed.payoutId !== null) {
    return excess > 0n ? { kind: 'flagged', payoutId: owed.payoutId, amount: excess, reason } : null;
  }
  if (worth === 0n || excess >= owed.amount) return { kind: 'rejected', amount: owed.amount };
  return excess > 0n ? { kind: 'reduced', amount: (owed.amount - excess) as Minor } : null;
}
