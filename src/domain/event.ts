/** What can be reported. */
export const EVENT_TYPES = [
  'SiteVisited',
  'CouponApplied',
  'CustomTriggered',
  'SaleTriggered',
  'LeadTriggered',
  'RenewalTriggered',
  'RefundTriggered',
  'CreditGranted',
] as const;
/** An event itself never changes: its state is whether a job for it waits, or is parked with an error. */
export const EVENT_STATES = ['done', 'pending', 'parked'] as const;

export type EventType = (typeof EVENT_TYPES)[number];
export type EventState = (typeof EVENT_STATES)[number];
