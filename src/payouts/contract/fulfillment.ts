import { CARRIED_FORWARD_REASONS, FULFILLMENT_STATUSES } from '../domain/fulfillment.ts';
import type { FulfillmentId, ObligationId } from '#core/ids.ts';
import { MAX_MINOR } from '#core/money.ts';
import { z } from 'zod';
import { choice, currencyCode, id, minorAmount, object, optional, optionalList } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';

const tag = 'Fulfillments';
const MAX_NAMED = 10_000;

export const fulfillment = z
  .strictObject({
    id: shownId({ description: 'The run’s id.', example: 71 }),
    currency: shownCurrency(),
    status: shownChoice(FULFILLMENT_STATUSES, {
      description: '`pending → processing → complete`, or `failed` as long as nothing of it is paid.',
    }),
    amount: shownAmount({ description: 'What its payouts add up to.' }),
    payouts: shownInteger({ description: 'How many payouts it has, void ones too.', example: 12 }),
    minimum: shownAmount({ description: 'Who was owed less got nothing from it.' }).nullable(),
    author: shownText({ description: 'Whose call made it.', example: 'key 3' }),
    createdAt: shownTime({ description: 'Since when.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Fulfillment', description: 'A payout run, in one currency.' });

const plannedRun = z
  .strictObject({
    currency: shownCurrency(),
    amount: shownAmount({ description: 'What the payouts add up to.' }),
    payouts: z
      .array(
        z.strictObject({
          collaboratorId: shownId({ description: 'Whom it would pay.', example: 7 }),
          amount: shownAmount({ description: 'How much.' }),
          obligationIds: z.array(z.int()).meta({ description: 'What it would take, by id.', examples: [[51, 52]] }),
        }),
      )
      .meta({ description: 'None: there would be no run in this currency.' }),
    carriedForward: z
      .array(
        z.strictObject({
          collaboratorId: shownId({ description: 'Who would get nothing.', example: 8 }),
          amount: shownAmount({ description: 'What stays pending; 0 or less where nothing is owed.' }),
          reason: shownChoice(CARRIED_FORWARD_REASONS, {
            description:
              '`nothing-owed`: claw-backs take it all. `below-minimum`: under the run’s minimum. `over-limit`: the run would ' +
              'exceed 2^53−1; make another for what is left.',
          }),
        }),
      )
      .meta({ description: 'What stays pending for a later run.' }),
  })
  .meta({ id: 'FulfillmentPreview', description: 'What a payout run in one currency would be.' });

const selection = object({
  obligationIds: optionalList(id<ObligationId>({ description: 'An obligation’s id.', example: 51 }), {
    max: MAX_NAMED,
    description: 'These alone; without any all that is pending.',
  }),
  minimum: optional(
    minorAmount(0n, MAX_MINOR, {
      description:
        'Whoever is owed less in a currency gets nothing; it is carried forward. In hundredths of the major unit.',
      example: 2500,
    }),
  ),
  currency: optional(currencyCode({ description: 'A run in this currency only.' })),
});

const TAKES =
  'Takes all pending obligations, or those of `obligationIds` that are pending, and for each collaborator and currency that ' +
  'it pays all pending claw-backs too. What adds up to 0 or less, or to less than `minimum`, stays pending. What was ' +
  'owed to a collaborator who is inactive or deleted now is paid all the same. Sales with a refund that is not worked in ' +
  'yet are left for a later run.';

export const createFulfillments = operation({
  method: 'POST',
  path: '/v1/fulfillments',
  tag,
  summary: 'Make payout runs',
  description: `One run for each currency, with one payout for each collaborator; none where nothing is payable. ${TAKES}`,
  scope: 'resources:write',
  keys: ['secret'],
  body: selection,
  example: { minimum: 2500, currency: 'USD' },
  success: { status: 201, description: 'The runs.', body: z.array(fulfillment) },
  problems: [],
});

export const previewFulfillments = operation({
  method: 'POST',
  path: '/v1/fulfillments/preview',
  tag,
  summary: 'Preview payout runs',
  description: `What a run made now would be; changes nothing. ${TAKES}`,
  scope: 'resources:read',
  keys: ['secret'],
  body: selection,
  example: { minimum: 2500, currency: 'USD' },
  repeats: 'none',
  mayLag: true,
  isLong: true,
  success: { status: 200, description: 'One for each currency in which something is owed.', body: z.array(plannedRun) },
  problems: [],
});

export const listFulfillments = operation({
  method: 'GET',
  path: '/v1/fulfillments',
  tag,
  summary: 'List payout runs',
  description: 'Payout runs, whatever their state.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(['id', 'createdAt', 'updatedAt'], {
    status: choice(FULFILLMENT_STATUSES, { description: 'Runs in this state.' }),
    currency: currencyCode({ description: 'Runs in this currency.' }),
  }),
  mayLag: true,
  success: listSuccess(fulfillment, 'Payout runs.'),
  problems: ['invalid-request'],
});

const params = z.object({ id: id<FulfillmentId>({ description: 'The run’s id.', example: 71 }) });

export const getFulfillment = operation({
  method: 'GET',
  path: '/v1/fulfillments/{id}',
  tag,
  summary: 'Get a payout run',
  description: 'A payout run; its payouts are listed with `fulfillmentId`.',
  scope: 'resources:read',
  keys: ['secret'],
  params,
  success: { status: 200, description: 'The run.', body: fulfillment },
  problems: ['not-found'],
});

export const processFulfillment = operation({
  method: 'POST',
  path: '/v1/fulfillments/{id}/process',
  reader: getFulfillment,
  tag,
  summary: 'Process a payout run',
  description: '`pending → processing`: somebody is paying it. The same call again changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  params,
  success: {
    status: 200,
    description: 'The run as it is now.',
    body: fulfillment,
    example: { status: 'processing' },
  },
  problems: ['not-found', 'invalid-transition'],
});

export const completeFulfillment = operation({
  method: 'POST',
  path: '/v1/fulfillments/{id}/complete',
  reader: getFulfillment,
  tag,
  summary: 'Complete a payout run',
  description:
    'Marks every payout of a processing run as paid, but for those under review or with a refund that is not worked in ' +
    'yet: as long as there are such, the run stays `processing`, and the call can be made again after their review. ' +
    'A run that is complete stays as it is.',
  scope: 'resources:write',
  keys: ['secret'],
  params,
  success: {
    status: 200,
    description: 'The run as it is now.',
    body: fulfillment,
    example: { status: 'complete' },
  },
  problems: ['not-found', 'invalid-transition'],
});

export const failFulfillment = operation({
  method: 'POST',
  path: '/v1/fulfillments/{id}/fail',
  reader: getFulfillment,
  tag,
  summary: 'Fail a payout run',
  description:
    'Nothing of it was paid: its payouts become void, and what they held is pending again, at what it is worth now. ' +
    'Refused once a payout is paid. The same call again changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  params,
  success: {
    status: 200,
    description: 'The run as it is now.',
    body: fulfillment,
    example: { status: 'failed' },
  },
  problems: ['not-found', 'invalid-transition'],
});
