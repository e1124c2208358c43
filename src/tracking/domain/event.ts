export const EVENT_TYPES = [
  'SiteVisited',
  'CouponApplied',
  'CustomTriggered',
  'SaleTriggered',
  'LeadTriggered',
  'RenewalTriggered',
  'RefundTriggered',
  'RefundReversed',
  'SaleCorrected',
  'CreditGranted',
] as const;
/**
 * The states of an event's job. The event itself never changes. The job is done, pending, or dead-lettered with an
 * error (`parked`).
 */
export const EVENT_STATES = ['done', 'pending', 'parked'] as const;

export type EventType = (typeof EVENT_TYPES)[number];
export type EventState = (typeof EVENT_STATES)[number];
