import type { UserId } from '#domain/ids.ts';
import { z } from 'zod';
import { id, object } from './fields.ts';
import { journey, opportunity } from './opportunity.ts';
import { operation } from './operation.ts';
import { shownAmount, shownChoice, shownId, shownInteger, shownText } from './response-fields.ts';
import { LINE_TYPES } from '#domain/program.ts';

const tag = 'Privacy';

const ofUser = object({
  userId: id<UserId>({ description: 'The visitor’s user number in your platform.', example: 42 }),
});

const boughtLine = z.strictObject({
  transactionId: shownId({ description: 'The transaction.', example: 31 }),
  externalId: shownText({ description: 'The product’s id in your system.' })
    .nullable()
    .meta({ examples: ['sku-1'] }),
  name: shownText({ description: 'What was bought.', example: 'Mug' }),
  type: shownChoice(LINE_TYPES, { description: 'Of which kind the line is.', example: 'product' }),
  quantity: shownInteger({ description: 'How many.', example: 2 }),
  amount: shownAmount({ description: 'The price of one.' }),
});

const visitor = z
  .strictObject({
    userId: shownId({ description: 'The user number that was asked for.', example: 42 }),
    collaboratorIds: z.array(z.int()).meta({
      description:
        'Collaborators with this user number: what is stored of them is exported and erased by calls of their own.',
      examples: [[]],
    }),
    opportunities: z.array(opportunity).meta({ description: 'All that are, or were, this visitor’s; oldest first.' }),
    journeys: z.array(journey).meta({
      description: 'What happened to them, one for each that was not merged. Up to 10,000 visits and signals of each.',
    }),
    lines: z.array(boughtLine).meta({ description: 'The lines of what was bought.' }),
  })
  .meta({ id: 'Visitor', description: 'All that is stored under a visitor’s user number.' });

export const exportVisitor = operation({
  method: 'POST',
  path: '/v1/visitors/export',
  tag,
  summary: 'Export what is stored of a visitor',
  description:
    'Everything that is stored under a user number, to be handed to whoever asks what you know of them. The number stands in ' +
    'the body, where no log has it; a number that nothing is stored under has empty lists.',
  scope: 'resources:read',
  keys: ['secret'],
  repeats: 'none',
  body: ofUser,
  success: { status: 200, description: 'All that is stored.', body: visitor },
  problems: [],
});

const erasedVisitor = z
  .strictObject({
    removedOpportunities: shownInteger({
      description: 'Opportunities that led to nothing: removed, with their visits and engagements.',
      example: 2,
    }),
    removedVisits: shownInteger({ description: 'The visits and signals of these.', example: 5 }),
    closedOpportunities: shownInteger({
      description:
        'Opportunities that led to a sale, a lead or a renewal: they have no user number any more, and nothing goes on with them.',
      example: 1,
    }),
    collaboratorIds: z.array(z.int()).meta({
      description: 'Collaborators with this user number: they are not erased by this call.',
      examples: [[]],
    }),
  })
  .meta({ id: 'VisitorErasure', description: 'What was taken away. It doesn’t say whose it was.' });

export const eraseVisitor = operation({
  method: 'POST',
  path: '/v1/visitors/erase',
  tag,
  summary: 'Erase a visitor',
  description:
    'Takes a user number out of all that is stored, for good. Visits that led to nothing are removed. Of those that led to a ' +
    'sale stays what shows why somebody was paid: moments and collaborators, and nothing that says who the visitor was. The ' +
    'audit keeps that it was done, and not of whom; the same call again finds nothing more.',
  scope: 'resources:write',
  keys: ['secret'],
  takesSecret: ['userId'],
  body: ofUser,
  success: { status: 200, description: 'What was taken away.', body: erasedVisitor },
  problems: [],
});
