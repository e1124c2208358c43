import type { MessageType } from '../domain/webhook.ts';
import { z } from 'zod';
import { collaborator } from '#collaborators/contract/collaborator.ts';
import { conversion } from '#attribution/contract/conversion.ts';
import { engagement } from '#tracking/contract/engagement.ts';
import { event } from '#tracking/contract/event.ts';
import { fulfillment } from '#payouts/contract/fulfillment.ts';
import { obligation } from '#ledger/contract/obligation.ts';
import { opportunity } from '#tracking/contract/opportunity.ts';
import { payout } from '#payouts/contract/payout.ts';
import { program } from '#programs/contract/program.ts';
import { shownText, shownTime } from '#core/contract/response-fields.ts';
import { transaction } from '#sales/contract/transaction.ts';
import { webhook } from './webhook.ts';

/** A message type: when it is sent, and the schema of its `data`. */
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
  'obligation.rejected': { description: 'It is no longer owed.', data: obligation },
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
  'sale.created': { description: 'A sale was reported: `transaction.created` of a sale.', data: transaction },
  'refund.created': {
    description: 'A refund was reported, in part or in full: `transaction.refunded`.',
    data: transaction,
  },
  'lead.created': { description: 'A lead was reported: `transaction.created` of a lead.', data: transaction },
  'renewal.created': {
    description: 'A renewal was reported: `transaction.created` of a renewal.',
    data: transaction,
  },
  'coupon.applied': {
    description: 'A coupon was reported, alone or with a sale. It may not have created an engagement.',
    data: event,
  },
  'engagement.awarded': {
    description: 'An engagement earned a conversion: one message for each conversion.',
    data: engagement,
  },
  'engagement.completed': {
    description: 'An engagement is complete, because its program credits once for each opportunity.',
    data: engagement,
  },
  'conversion.renewed': {
    description: 'A collaborator earned a commission on a renewal: `conversion.created` of a renewal.',
    data: conversion,
  },
  'transaction.completed': {
    description: 'A sale, a lead or a renewal was reported: transactions are complete from the start.',
    data: transaction,
  },
  'opportunity.invalidated': {
    description: 'An opportunity is invalid, because its visitor was erased.',
    data: opportunity,
  },
  'collaborator.registered': {
    description: 'A collaborator was created, by you or by a sign-up in the portal: `collaborator.created`.',
    data: collaborator,
  },
  'obligation.completed': { description: 'The payout with this obligation was marked as paid.', data: obligation },
  'webhook.test': { description: 'Somebody tries this webhook out.', data: webhook },
};

/** Returns the schema of a delivery's body for this type. */
export function payloadOf(type: MessageType) {
  return z.strictObject({
    type: z.literal(type),
    timestamp: shownTime({ description: 'When it happened.' }),
    data: webhookNews[type].data,
    deliveryId: shownText({
      description:
        'The delivery’s id in digits. It is the same at every attempt, so a receiver can use it to detect repeats.',
      example: '1207',
    }),
  });
}
