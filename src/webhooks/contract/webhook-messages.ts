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
export type MessageDescription = { readonly description: string; readonly data: z.ZodType };

/** Every type of message, in the order of the documentation. */
export const webhookMessages: { readonly [Type in MessageType]: MessageDescription } = {
  'opportunity.created': { description: 'An opportunity was created for a new referred visitor.', data: opportunity },
  'opportunity.merged': {
    description: 'Two opportunities belong to the same visitor, so this opportunity was merged into `mergedInto`.',
    data: opportunity,
  },
  'engagement.created': { description: 'A collaborator got a new engagement on an opportunity.', data: engagement },
  'transaction.created': { description: 'A sale, a lead or a renewal was reported.', data: transaction },
  'transaction.refunded': {
    description: 'A transaction was refunded, in part (see `refundedAmount`) or in full. Sent once for each refund.',
    data: transaction,
  },
  'transaction.restored': {
    description: 'A refund of a transaction was reversed. Sent once for each reversal.',
    data: transaction,
  },
  'transaction.corrected': {
    description: 'A transaction has a new total and new lines. Sent once for each correction.',
    data: transaction,
  },
  'conversion.created': { description: 'A collaborator earned a conversion.', data: conversion },
  'conversion.approved': {
    description:
      'A conversion was created as approved, was approved, or is approved again after a rejection was undone.',
    data: conversion,
  },
  'conversion.rejected': {
    description: 'A conversion was rejected by a person, a refund or a correction.',
    data: conversion,
  },
  'obligation.created': {
    description: 'An obligation was created. A negative amount is a clawback.',
    data: obligation,
  },
  'obligation.pending': {
    description:
      'An obligation is payable: it was created as pending, its conversion was approved, or its payout became void.',
    data: obligation,
  },
  'obligation.fulfilled': { description: 'An obligation was included in a payout.', data: obligation },
  'obligation.rejected': { description: 'An obligation is no longer owed.', data: obligation },
  'fulfillment.created': { description: 'A payout run was created.', data: fulfillment },
  'fulfillment.updated': { description: 'A payout run is now processing, complete or failed.', data: fulfillment },
  'payout.created': { description: 'A payout for a collaborator was created in a payout run.', data: payout },
  'payout.paid': { description: 'A payout was marked as paid.', data: payout },
  'payout.void': {
    description: 'A payout became void: its payment or its run failed, or a review left nothing to pay.',
    data: payout,
  },
  'payout.flagged': {
    description:
      'A refund, correction or rejection concerns an obligation in the payout, so the payout needs a review. Sent again when it gets further reasons.',
    data: payout,
  },
  'payout.resolved': { description: 'The review of a payout was resolved.', data: payout },
  'collaborator.created': { description: 'A collaborator was created.', data: collaborator },
  'collaborator.updated': {
    description: 'A collaborator has changed: a field, the status (including `deleted`), or an alias.',
    data: collaborator,
  },
  'program.created': { description: 'A program was created.', data: program },
  'program.updated': { description: 'A program has a new version, or was deleted.', data: program },
  'webhook.paused': {
    description: 'Another webhook is paused: it failed for too long, its receiver returned 410, or a person paused it.',
    data: webhook,
  },
  'sale.created': { description: 'A sale was reported, as in `transaction.created`.', data: transaction },
  'refund.created': {
    description: 'A partial or full refund was reported, as in `transaction.refunded`.',
    data: transaction,
  },
  'lead.created': { description: 'A lead was reported, as in `transaction.created`.', data: transaction },
  'renewal.created': {
    description: 'A renewal was reported, as in `transaction.created`.',
    data: transaction,
  },
  'coupon.applied': {
    description: 'A coupon was reported, alone or with a sale, even if the coupon created no engagement.',
    data: event,
  },
  'engagement.awarded': {
    description: 'An engagement earned a conversion. Sent once for each conversion.',
    data: engagement,
  },
  'engagement.completed': {
    description: 'An engagement is complete, because its program credits each visitor once.',
    data: engagement,
  },
  'conversion.renewed': {
    description: 'A collaborator earned a commission on a renewal, as in `conversion.created`.',
    data: conversion,
  },
  'transaction.completed': {
    description: 'A sale, a lead or a renewal was reported. Transactions are complete from the start.',
    data: transaction,
  },
  'opportunity.invalidated': {
    description: 'An opportunity is invalid, because its visitor was erased.',
    data: opportunity,
  },
  'collaborator.registered': {
    description: 'A collaborator was created, by you or by a sign-up in the portal, as in `collaborator.created`.',
    data: collaborator,
  },
  'obligation.completed': { description: 'The payout with this obligation was marked as paid.', data: obligation },
  'webhook.test': { description: 'A person or a key sent a test to this webhook.', data: webhook },
};

/** Returns the schema of a delivery's body for a message type. */
export function payloadOf(type: MessageType) {
  return z.strictObject({
    type: z.literal(type),
    timestamp: shownTime({ description: 'When the event occurred.' }),
    data: webhookMessages[type].data,
    deliveryId: shownText({
      description:
        'The delivery’s id in digits. It is the same at every attempt, so a receiver can use it to detect repeats.',
      example: '1207',
    }),
  });
}
