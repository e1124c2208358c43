export const TRANSACTION_STATUSES = ['complete', 'refunded', 'cancelled'] as const;

export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
