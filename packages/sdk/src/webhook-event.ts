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
  Event,
} from './schemas.ts';

/** The data of webhook messages by type: the resource as the API shows it. */
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
  /** A sale was reported: `transaction.created` of a sale. */
  'sale.created': Transaction;
  /** A refund was reported, in part or in full: `transaction.refunded`. */
  'refund.created': Transaction;
  /** A lead was reported: `transaction.created` of a lead. */
  'lead.created': Transaction;
  /** A renewal was reported: `transaction.created` of a renewal. */
  'renewal.created': Transaction;
  /** A coupon was reported, alone or with a sale. It may not have created an engagement. */
  'coupon.applied': Event;
  /** An engagement earned a conversion: one message for each conversion. */
  'engagement.awarded': Engagement;
  /** An engagement is complete, because its program credits once for each opportunity. */
  'engagement.completed': Engagement;
  /** A collaborator earned a commission on a renewal: `conversion.created` of a renewal. */
  'conversion.renewed': Conversion;
  /** A sale, a lead or a renewal was reported: transactions are complete from the start. */
  'transaction.completed': Transaction;
  /** An opportunity is invalid, because its visitor was erased. */
  'opportunity.invalidated': Opportunity;
  /** A collaborator was created, by you or by a sign-up in the portal: `collaborator.created`. */
  'collaborator.registered': Collaborator;
  /** The payout with this obligation was marked as paid. */
  'obligation.completed': Obligation;
  /** Somebody tries this webhook out. */
  'webhook.test': Webhook;
}

export type WebhookEventType = keyof WebhookData;

/** One delivery. Ignore unknown types, because new ones may be added. */
export type WebhookEvent<Of extends WebhookEventType = WebhookEventType> = {
  [Type in Of]: {
    readonly type: Type;
    /** The time of the event, as RFC 3339 in UTC. */
    readonly timestamp: string;
    readonly data: WebhookData[Type];
    /** The same for every attempt. Use it to skip messages that you have already handled. */
    readonly deliveryId: string;
  };
}[Of];
