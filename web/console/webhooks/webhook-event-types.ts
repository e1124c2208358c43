import type { Webhook } from '@whence/sdk';

/** An event type that a webhook can subscribe to, or `*` for all events. */
export type WebhookEventType = Webhook['events'][number];

const NAMES: Readonly<Record<Exclude<WebhookEventType, '*'>, true>> = {
  'opportunity.created': true,
  'opportunity.merged': true,
  'engagement.created': true,
  'transaction.created': true,
  'transaction.refunded': true,
  'transaction.restored': true,
  'transaction.corrected': true,
  'conversion.created': true,
  'conversion.approved': true,
  'conversion.rejected': true,
  'obligation.created': true,
  'obligation.pending': true,
  'obligation.fulfilled': true,
  'obligation.rejected': true,
  'fulfillment.created': true,
  'fulfillment.updated': true,
  'payout.created': true,
  'payout.paid': true,
  'payout.void': true,
  'payout.flagged': true,
  'payout.resolved': true,
  'collaborator.created': true,
  'collaborator.updated': true,
  'program.created': true,
  'program.updated': true,
  'webhook.paused': true,
  // Event types of other implementations, for receivers that were written for those implementations.
  'sale.created': true,
  'refund.created': true,
  'lead.created': true,
  'renewal.created': true,
  'coupon.applied': true,
  'engagement.awarded': true,
  'engagement.completed': true,
  'conversion.renewed': true,
  'transaction.completed': true,
  'opportunity.invalidated': true,
  'collaborator.registered': true,
  'obligation.completed': true,
};

/** All event types under their API names. This file doesn't compile if the API has a type that is missing here. */
export const webhookEventTypes = Object.keys(NAMES).map((value) => ({
  value: value as WebhookEventType,
  label: value,
}));
