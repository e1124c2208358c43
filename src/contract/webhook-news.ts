import type { MessageType } from '#domain/webhook.ts';
import { z } from 'zod';
import { collaborator } from './collaborator.ts';
import { conversion } from './conversion.ts';
import { engagement } from './engagement.ts';
import { fulfillment } from './fulfillment.ts';
import { obligation } from './obligation.ts';
import { opportunity } from './opportunity.ts';
import { payout } from './payout.ts';
import { program } from './program.ts';
import { shownId, shownTime } from './response-fields.ts';
import { transaction } from './transaction.ts';
import { webhook } from './webhook.ts';

/** What a type tells: when it is sent, and the resource that its `data` shows. */
export type NewsDescription = { readonly description: string; readonly data: z.ZodType };

/** Every type of message, in the order of the documentation. */
export const webhookNews: { readonly [Type in MessageType]: NewsDescription } = {
  'opportunity.created': { description: 'A referred visitor came for the first time.', data: opportunity },
  'opportunity.merged': {
    description: 'Two opportunities turned out to be one visitor: this one leads to `mergedInto` from now on.',
    data: opportunity,
  },
  'engagement.created': { description: 'A collaborator has a claim to credit with a visitor.', data: engagement },
  'transaction.created': { description: 'A sale, a lead or a renewal was reported.', data: transaction },
  'transaction.refunded': {
    description: 'It was refunded, in part (see `refundedAmount`) or in full: one message for each refund.',
    data: transaction,
  },
  'conversion.created': { description: 'A collaborator earned something with a transaction.', data: conversion },
  'conversion.approved': { description: 'It is approved, also where it was so from the start.', data: conversion },
  'conversion.rejected': { description: 'It is rejected: by a person, or by a refund.', data: conversion },
  'obligation.created': { description: 'Money is owed, or with a negative amount clawed back.', data: obligation },
  'obligation.pending': { description: 'It is payable: approved, or out of a payout again.', data: obligation },
  'obligation.fulfilled': { description: 'It is in a payout.', data: obligation },
  'obligation.rejected': { description: 'It is not owed any more.', data: obligation },
  'fulfillment.created': { description: 'A payout run was made.', data: fulfillment },
  'fulfillment.updated': { description: 'It is processing, complete or failed.', data: fulfillment },
  'payout.created': { description: 'A collaborator has a line in a run.', data: payout },
  'payout.paid': { description: 'It was marked as paid.', data: payout },
  'payout.flagged': {
    description: 'Money in it went back: a person has to look at it. One message for each time that a reason comes.',
    data: payout,
  },
  'payout.resolved': { description: 'Its review is over.', data: payout },
  'collaborator.created': { description: 'Somebody can be referred to.', data: collaborator },
  'collaborator.updated': {
    description: 'Anything of them has changed: a field, the status (also to `deleted`), an alias.',
    data: collaborator,
  },
  'program.created': { description: 'A program was made.', data: program },
  'program.updated': { description: 'It has a new version, also as deleted.', data: program },
  'webhook.paused': {
    description: 'Another webhook is paused: it failed for too long, its receiver is gone, or somebody did it.',
    data: webhook,
  },
  'webhook.test': { description: 'Somebody tries this webhook out.', data: webhook },
};

/** The body of a delivery of this type. */
export function payloadOf(type: MessageType) {
  return z.strictObject({
    type: z.literal(type),
    timestamp: shownTime({ description: 'When it happened.' }),
    data: webhookNews[type].data,
    deliveryId: shownId({ description: 'The same at every attempt: by it a receiver knows a repeat.', example: 1207 }),
  });
}
