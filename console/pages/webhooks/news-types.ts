import type { Webhook } from '@whence/sdk';

/** What a webhook may hear of. */
export type NewsType = Webhook['events'][number];

const NAMES: Readonly<Record<Exclude<NewsType, '*'>, true>> = {
  'opportunity.created': true,
  'opportunity.merged': true,
  'engagement.created': true,
  'transaction.created': true,
  'transaction.refunded': true,
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
  'payout.flagged': true,
  'payout.resolved': true,
  'collaborator.created': true,
  'collaborator.updated': true,
  'program.created': true,
  'program.updated': true,
  'webhook.paused': true,
};

/** Each kind, as the API names it: one that is new in the API does not compile until it stands here. */
export const newsTypes = Object.keys(NAMES).map((value) => ({ value: value as NewsType, label: value }));
