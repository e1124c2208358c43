export const CONVERSION_STATUSES = ['pending', 'approved', 'rejected'] as const;
export const OBLIGATION_STATUSES = ['draft', 'pending', 'fulfilled', 'rejected'] as const;
export const TRANSACTION_STATUSES = ['complete', 'refunded', 'cancelled'] as const;
export const ENGAGEMENT_STATUSES = ['active', 'complete', 'invalid'] as const;
export const OPPORTUNITY_STATUSES = ['active', 'merged', 'invalid'] as const;

export type ConversionStatus = (typeof CONVERSION_STATUSES)[number];
export type ObligationStatus = (typeof OBLIGATION_STATUSES)[number];
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** What an operator's word does to a conversion: it changes, it was so already, or the state graph forbids it. */
export type Review = 'changed' | 'unchanged' | 'forbidden';

/** `pending → approved`. Money of a sale that was reversed can't be approved, whatever the pipeline has yet to do. */
export function approve(conversion: ConversionStatus, transaction: TransactionStatus): Review {
  if (transaction !== 'complete' || conversion === 'rejected') return 'forbidden';
  return conversion === 'approved' ? 'unchanged' : 'changed';
}

/** `pending`, `approved → rejected`. */
export function reject(conversion: ConversionStatus): Review {
  return conversion === 'rejected' ? 'unchanged' : 'changed';
}
