import type { TransactionStatus } from '#sales/domain/transaction.ts';

export const CONVERSION_TYPES = ['sale', 'lead', 'renewal', 'manual'] as const;
export const CONVERSION_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type ConversionType = (typeof CONVERSION_TYPES)[number];
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number];
/**
 * The effect of a review on a conversion: the review changes it, the conversion already has the requested state, or the
 * review is forbidden.
 */
export type Review = 'changed' | 'unchanged' | 'forbidden';

/** The sale of a conversion: its state, and whether a refund or a correction of it is still being processed. */
export type ReviewedSale = { readonly status: TransactionStatus; readonly refundWaits: boolean };

/**
 * Decides whether a conversion can be approved (`pending → approved`). A conversion of a refunded or canceled sale
 * can't be approved, even if the refund is still being processed. While a partial refund or a correction is being
 * processed, the amount is unknown, so a pending conversion can't be approved.
 */
export function approve(conversion: ConversionStatus, sale: ReviewedSale): Review {
  if (sale.status !== 'complete' || conversion === 'rejected') return 'forbidden';
  if (conversion === 'approved') return 'unchanged';
  return sale.refundWaits ? 'forbidden' : 'changed';
}

/**
 * Decides whether a conversion can be cleared from fraud review. Its program's approval rules then apply. Clearing is
 * forbidden if the conversion is rejected, or if its sale is refunded or canceled. Any other conversion that is not in
 * review stays unchanged. A conversion in review can't be cleared while a refund or a correction of its sale is being
 * processed.
 */
export function clear(conversion: ConversionStatus, isHeld: boolean, sale: ReviewedSale): Review {
  if (sale.status !== 'complete' || conversion === 'rejected') return 'forbidden';
  if (!isHeld) return 'unchanged';
  return sale.refundWaits ? 'forbidden' : 'changed';
}

/**
 * Decides whether a rejection changes a conversion (`pending → rejected`, `approved → rejected`). If a refund or a
 * correction has rejected the conversion, a person can still reject it. Its status stays the same, but a reversal or a
 * later correction no longer restores it.
 */
export function reject(conversion: ConversionStatus, isRejectedByRefund: boolean): Review {
  return conversion === 'rejected' && !isRejectedByRefund ? 'unchanged' : 'changed';
}
