import { z } from 'zod';
import { object } from '#core/contract/fields.ts';
import { opportunity } from '#tracking/contract/opportunity.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownAmount, shownChoice, shownId, shownInteger, shownText } from '#core/contract/response-fields.ts';
import { platformUser, shownUser } from '#core/contract/user-fields.ts';
import { LINE_TYPES } from '#programs/domain/line.ts';
import { journey } from '#reporting/contract/journey.ts';

const operation = operationsOf('Privacy');

const ofUser = object({
  userId: platformUser({ description: 'The visitor’s user id in your platform.', example: 42 }),
});

const boughtLine = z.strictObject({
  transactionId: shownId({ description: 'The transaction.', example: 31 }),
  externalId: shownText({ description: 'The product’s id in your system.' })
    .nullable()
    .meta({ examples: ['sku-1'] }),
  name: shownText({ description: 'The product’s name.', example: 'Mug' }),
  type: shownChoice(LINE_TYPES, { description: 'The kind of the line.', example: 'product' }),
  quantity: shownInteger({ description: 'The number of units.', example: 2 }),
  amount: shownAmount({ description: 'The unit price.' }),
  total: shownAmount({ description: 'The price of the whole line.' }),
});

const visitor = z
  .strictObject({
    userId: shownUser({ description: 'The user id in the request.' }),
    collaboratorIds: z.array(z.int()).meta({
      description:
        'Collaborators with this user id. Their data as collaborators is exported and erased with separate calls.',
      examples: [[]],
    }),
    opportunities: z
      .array(opportunity)
      .meta({ description: 'All opportunities that are or were this visitor’s, oldest first.' }),
    journeys: z.array(journey).meta({
      description:
        'The visitor’s journeys, one for each opportunity that was not merged. Each has the limits of `getJourney`, but ' +
        '10,000 instead of 1,000.',
    }),
    lines: z.array(boughtLine).meta({ description: 'The lines of all purchases.' }),
  })
  .meta({ id: 'Visitor', description: 'All data that is stored under a visitor’s user id.' });

export const exportVisitor = operation({
  method: 'POST',
  path: '/v1/visitors/export',
  summary: 'Export a visitor’s personal data',
  description:
    'Returns all data that is stored under a user id, to answer a person’s request for their data. The user id ' +
    'is sent in the body, so it appears in no log. If nothing is stored under the user id, the lists are empty.',
  scope: 'resources:read',
  fresh: true,
  repeats: 'none',
  body: ofUser,
  isLong: true,
  success: { description: 'All stored data.', body: visitor },
});

const erasedVisitor = z
  .strictObject({
    removedOpportunities: shownInteger({
      description:
        'Opportunities without a sale, a lead or a renewal. They were deleted with their visits and engagements.',
      example: 2,
    }),
    removedVisits: shownInteger({
      description: 'The deleted visits, coupons and custom events of these opportunities.',
      example: 5,
    }),
    closedOpportunities: shownInteger({
      description:
        'Opportunities with a sale, a lead or a renewal. They no longer have a user id, and they are `invalid`.',
      example: 1,
    }),
    collaboratorIds: z.array(z.int()).meta({
      description: 'Collaborators with this user id. This call does not erase them.',
      examples: [[]],
    }),
  })
  .meta({ id: 'VisitorErasure', description: 'The erased data, without the identity of the visitor.' });

export const eraseVisitor = operation({
  method: 'POST',
  path: '/v1/visitors/erase',
  summary: 'Erase a visitor',
  description:
    'Permanently removes a user id from all stored data, except from collaborators with this user id. Opportunities ' +
    'without a sale, lead or renewal are deleted with their visits. The visitor’s other opportunities become `invalid`. ' +
    'These opportunities keep the times and collaborators of their visits, which explain the payments but no longer ' +
    'identify the visitor. The audit log records the erasure without naming the user. Repeating the call changes ' +
    'nothing.',
  scope: 'resources:write',
  fresh: true,
  takesSecret: ['userId'],
  body: ofUser,
  success: { description: 'The erased data.', body: erasedVisitor },
});
