// Made by `npm run sdk` from openapi.json. Don’t edit it.

import type {
  Opportunity,
  Engagement,
  Transaction,
  Conversion,
  Obligation,
  Fulfillment,
  Payout,
  Collaborator,
  Program,
  Webhook,
} from './schemas.ts';

/** What a webhook tells, by its type: the resource as the API shows it. */
export interface WebhookData {
  /** A referred visitor came for the first time. */
  'opportunity.created': Opportunity;
  /** Two opportunities turned out to be one visitor: this one leads to `mergedInto` from now on. */
  'opportunity.merged': Opportunity;
  /** A collaborator has a claim to credit with a visitor. */
  'engagement.created': Engagement;
  /** A sale, a lead or a renewal was reported. */
  'transaction.created': Transaction;
  /** It was refunded, in part (see `refundedAmount`) or in full: one message for each refund. */
  'transaction.refunded': Transaction;
  /** A collaborator earned something with a transaction. */
  'conversion.created': Conversion;
  /** It is approved, also where it was so from the start. */
  'conversion.approved': Conversion;
  /** It is rejected: by a person, or by a refund. */
  'conversion.rejected': Conversion;
  /** Money is owed, or with a negative amount clawed back. */
  'obligation.created': Obligation;
  /** It is payable: approved, or out of a payout again. */
  'obligation.pending': Obligation;
  /** It is in a payout. */
  'obligation.fulfilled': Obligation;
  /** It is not owed any more. */
  'obligation.rejected': Obligation;
  /** A payout run was made. */
  'fulfillment.created': Fulfillment;
  /** It is processing, complete or failed. */
  'fulfillment.updated': Fulfillment;
  /** A collaborator has a line in a run. */
  'payout.created': Payout;
  /** It was marked as paid. */
  'payout.paid': Payout;
  /** Money in it went back: a person has to look at it. One message for each time that a reason comes. */
  'payout.flagged': Payout;
  /** Its review is over. */
  'payout.resolved': Payout;
  /** Somebody can be referred to. */
  'collaborator.created': Collaborator;
  /** Anything of them has changed: a field, the status (also to `deleted`), an alias. */
  'collaborator.updated': Collaborator;
  /** A program was made. */
  'program.created': Program;
  /** It has a new version, also as deleted. */
  'program.updated': Program;
  /** Another webhook is paused: it failed for too long, its receiver is gone, or somebody did it. */
  'webhook.paused': Webhook;
  /** Somebody tries this webhook out. */
  'webhook.test': Webhook;
}

export type WebhookEventType = keyof WebhookData;

/** One delivery. New types may come: leave out what you don’t know. */
export type WebhookEvent<Of extends WebhookEventType = WebhookEventType> = {
  [Type in Of]: {
    readonly type: Type;
    /** When it happened: RFC 3339 in UTC. */
    readonly timestamp: string;
    readonly data: WebhookData[Type];
    /** The same at every attempt: by it you know what you have handled already. */
    readonly deliveryId: number;
  };
}[Of];
