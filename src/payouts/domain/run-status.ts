export const FULFILLMENT_STATUSES = ['pending', 'processing', 'complete', 'failed'] as const;

export type FulfillmentStatus = (typeof FULFILLMENT_STATUSES)[number];
