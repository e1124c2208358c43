import type { DeliveryId, WebhookId } from '#core/ids.ts';
import {
  ALL_TYPES,
  DELIVERY_STATUSES,
  MAX_WEBHOOKS,
  MESSAGE_TYPES,
  SUBSCRIBABLE_TYPES,
  PAUSE_REASONS,
  WEBHOOK_STATUSES,
} from '../domain/webhook.ts';
import { z } from 'zod';
import { choice, choices, clearable, id, object, optional, text } from '#core/contract/fields.ts';
import { bulkIds } from '#core/contract/bulk-ids.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import { overlapSeconds } from '#core/contract/overlap.ts';
import { shownChoice, shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Webhooks');
const MAX_URL_LENGTH = 2_048;

const url = text(1, MAX_URL_LENGTH, {
  description: 'The receiver’s URL: https with a public address, without user or password.',
  example: 'https://shop.example/whence',
});
const targetUrl = text(1, MAX_URL_LENGTH, {
  description: 'The same as `url`, under the name that other implementations use. You can send it instead of `url`.',
});
const description = text(1, 255, { description: 'The webhook’s purpose.', example: 'Accounting' });
const events = choices(
  [ALL_TYPES, ...SUBSCRIBABLE_TYPES],
  {
    description:
      'The types of messages to send. The default, `*`, means all built-in types, including types that are added later. Names ' +
      'from other implementations, such as `sale.created`, are sent only if they are listed.',
    example: ['payout.paid'],
  },
  { min: 1 },
);

const NO_URL = 'This field is required. Send url or targetUrl.';
const TWO_URLS = 'url and targetUrl differ. Send one of the two.';

type Urls = { readonly url?: string | undefined; readonly targetUrl?: string | undefined };

function requireUrl({ url: ours, targetUrl: theirs }: Urls, context: z.RefinementCtx): void {
  if (ours === undefined && theirs === undefined) addFault(context, ['url'], 'required', NO_URL);
}

function refuseTwoUrls({ url: ours, targetUrl: theirs }: Urls, context: z.RefinementCtx): void {
  if (ours !== undefined && theirs !== undefined && ours !== theirs) {
    addFault(context, ['targetUrl'], 'conflicting', TWO_URLS);
  }
}

const shape = {
  id: shownId({ description: 'The webhook’s id.', example: 4 }),
  url: shownText({ description: 'The receiver’s URL.', example: 'https://shop.example/whence' }),
  targetUrl: shownText({ description: 'The same as `url`.', example: 'https://shop.example/whence' }),
  description: shownText({ description: 'The webhook’s purpose.', example: 'Accounting' }).nullable(),
  events: z.array(z.enum([ALL_TYPES, ...SUBSCRIBABLE_TYPES])).meta({
    description: 'The types of messages that the webhook sends. `*` means all built-in types.',
    examples: [['payout.paid']],
  }),
  status: shownChoice(WEBHOOK_STATUSES, {
    description: '`active ⇄ paused`, either `→ deleted`. Deliveries wait while the webhook is paused.',
  }),
  pausedReason: shownChoice(PAUSE_REASONS, {
    description:
      'Why the webhook is paused: a person paused it, it failed for three days, or its receiver returned 410.',
  }).nullable(),
  pausedAt: shownTime({ description: 'When the webhook was paused.' }).nullable(),
  failingSince: shownTime({ description: 'The time of the first failure since the last success.' }).nullable(),
  previousSecretUntil: shownTime({
    description: 'The time until which deliveries are also signed with the previous secret.',
  }).nullable(),
  createdAt: shownTime({ description: 'When it was created.' }),
  updatedAt: shownTime({ description: 'When it was last changed.' }),
};

export const webhook = z
  .strictObject(shape)
  .meta({ id: 'Webhook', description: 'A URL to which messages are sent, without the secret that signs them.' });

const webhookWithSecret = z
  .strictObject({
    ...shape,
    signingSecret: shownText({
      description: 'The secret that signs deliveries. It is shown only once.',
      example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    }),
  })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its new secret.' });

const ofWebhook = { id: id<WebhookId>({ description: 'The webhook’s id.', example: 4 }) };
const params = z.object(ofWebhook);

export const listWebhooks = operation({
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'List webhooks',
  description: 'Lists the webhooks that are not deleted. `status=deleted` lists deleted webhooks.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {
    status: choice(WEBHOOK_STATUSES, { description: 'Webhooks in this state.' }),
    url: text(1, MAX_URL_LENGTH, { description: 'Webhooks with this URL.' }),
  }),
  mayLag: true,
  success: listSuccess(webhook, 'Webhooks.'),
});

export const createWebhook = operation({
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Create a webhook',
  description:
    'Creates a webhook. From now on, messages of the types in `events` are sent to its URL. The default is all ' +
    'built-in types. Messages are signed with a secret that is shown only once. An organization can have up to ' +
    `${MAX_WEBHOOKS} webhooks.`,
  scope: 'resources:write',
  gives: 'resources:read',
  fresh: true,
  example: { url: 'https://shop.example/whence', events: ['payout.paid'] },
  body: object({
    url: optional(
      text(1, MAX_URL_LENGTH, {
        description:
          'The receiver’s URL: https with a public address, without user or password. Required without `targetUrl`.',
        example: 'https://shop.example/whence',
      }),
    ),
    targetUrl: optional(targetUrl),
    description: optional(description),
    events: optional(events),
  })
    .superRefine(requireUrl)
    .superRefine(refuseTwoUrls),
  showsSecret: 'signingSecret',
  success: { status: 201, description: 'The webhook with its secret.', body: webhookWithSecret },
  problems: ['too-many-webhooks'],
});

export const getWebhook = operation({
  method: 'GET',
  path: '/v1/webhooks/{id}',
  summary: 'Get a webhook',
  description: 'Returns a webhook without its secret. This also works for deleted webhooks.',
  scope: 'resources:read',
  params,
  versioned: true,
  success: { description: 'The webhook.', body: webhook },
});

export const changeWebhook = operation({
  method: 'PATCH',
  path: '/v1/webhooks/{id}',
  reader: getWebhook,
  summary: 'Change a webhook',
  description:
    'Changes the given fields of a webhook. Null removes the description. For `events`, null means all built-in ' +
    'types. If a paused webhook becomes `active`, or if the URL of an active webhook changes, its waiting ' +
    'deliveries are sent now.',
  scope: 'resources:write',
  gives: 'resources:read',
  fresh: ['url', 'targetUrl', 'events'],
  params,
  versioned: true,
  example: { status: 'paused' },
  body: object({
    url: optional(url),
    targetUrl: optional(targetUrl),
    description: clearable(description),
    events: clearable(events),
    status: optional(
      choice(['active', 'paused'], {
        description: 'Whether the webhook sends messages. To delete the webhook, use DELETE.',
      }),
    ),
  }).superRefine(refuseTwoUrls),
  success: { description: 'The changed webhook.', body: webhook },
  problems: ['invalid-transition'],
});

export const deleteWebhook = operation({
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  reader: getWebhook,
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook. Nothing more is sent to it, not even waiting deliveries. The log of its deliveries ' +
    'stays. Repeating the call changes nothing.',
  scope: 'resources:write',
  params,
  versioned: true,
  success: { description: 'The changed webhook.', body: webhook },
});

export const rotateWebhookSecret = operation({
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate-secret',
  reader: getWebhook,
  summary: 'Rotate a webhook’s secret',
  description:
    'Replaces a webhook’s secret. Deliveries are signed with both secrets for `overlapSeconds`, so that the ' +
    'receiver can switch during this time. The new secret is shown only once. A secret that an earlier rotation ' +
    'replaced is no longer used.',
  scope: 'resources:write',
  gives: 'resources:read',
  fresh: true,
  params,
  example: { overlapSeconds: 3_600 },
  body: object({
    overlapSeconds: overlapSeconds({
      description: 'How long the previous secret also signs, at most 30 days. With 0, it ends now.',
      example: 86_400,
    }),
  }),
  showsSecret: 'signingSecret',
  success: { description: 'The webhook with its new secret.', body: webhookWithSecret },
  problems: ['invalid-transition'],
});

const deliveryShape = {
  id: shownId({ description: 'The delivery’s id. It is the same at every attempt.', example: 1207 }),
  webhookId: shownId({ description: 'The id of the delivery’s webhook.', example: 4 }),
  type: shownChoice(MESSAGE_TYPES, { description: 'The type of the message.' }),
  resourceId: shownId({ description: 'The `id` of the resource in `data`.', example: 61 }),
  sequence: shownId({
    description:
      'If two messages are about the same resource, the message with the higher number shows the later state.',
    example: 990,
  }),
  status: shownChoice(DELIVERY_STATUSES, {
    description: '`pending → delivered` or `failed`. A redelivery is `pending` again.',
  }),
  attempts: shownInteger({ description: 'The number of attempts.', example: 1 }),
  nextAttemptAt: shownTime({
    description:
      'For a pending delivery: when the next attempt is due. During an attempt: when the attempt counts as lost.',
  }).nullable(),
  createdAt: shownTime({ description: 'When it was created.' }),
  deliveredAt: shownTime({ description: 'When the receiver accepted the delivery.' }).nullable(),
  lastStatusCode: shownInteger({ description: 'The status of the last response.', example: 204 }).nullable(),
  lastError: shownText({ description: 'Why the last attempt failed.', example: 'no response within 10 s' }).nullable(),
};

const delivery = z
  .strictObject(deliveryShape)
  .meta({ id: 'WebhookDelivery', description: 'One message to one webhook.' });

const attempt = z
  .strictObject({
    number: shownInteger({ description: 'The number of the attempt.', example: 1 }),
    startedAt: shownTime({ description: 'When the attempt began.' }),
    durationMs: shownInteger({ description: 'How long the attempt took, in milliseconds.', example: 84 }),
    statusCode: shownInteger({
      description: 'The status of the response. Null if there was none.',
      example: 204,
    }).nullable(),
    error: shownText({ description: 'Why the attempt failed.', example: 'no response within 10 s' }).nullable(),
    response: shownText({ description: 'The beginning of the response body.', example: 'ok' }).nullable(),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to send a delivery.' });

const deliveryWithLog = z
  .strictObject({
    ...deliveryShape,
    payload: z
      .strictObject({
        type: shownChoice(MESSAGE_TYPES, { description: 'The type of the message.' }),
        timestamp: shownTime({ description: 'When the event occurred.' }),
        data: z.looseObject({}).meta({ description: 'The resource, as its GET returns it.' }),
        deliveryId: shownText({ description: 'The delivery’s id in digits.', example: '1207' }),
      })
      .meta({ description: 'The body that is sent.' }),
    log: z.array(attempt).meta({ description: 'Every attempt, oldest first.' }),
  })
  .meta({ id: 'WebhookDeliveryWithLog', description: 'A delivery with its body and all its attempts.' });

export const testWebhook = operation({
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  summary: 'Send a test to a webhook',
  description:
    'Sends a message of the type `webhook.test` to this webhook only, even if its `events` don’t include this ' +
    'type. The message’s `data` is the webhook. The delivery’s log shows the outcome. A paused webhook can’t ' +
    'receive a test.',
  scope: 'resources:write',
  params,
  success: { status: 201, description: 'The delivery.', body: delivery },
  problems: ['invalid-transition'],
});

export const listWebhookDeliveries = operation({
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  summary: 'List a webhook’s deliveries',
  description:
    'Lists a webhook’s deliveries, newest first. This also works for a deleted webhook. Deliveries are kept for 30 days.',
  scope: 'resources:read',
  params,
  query: listQuery(['id', 'createdAt'], {
    status: choice(DELIVERY_STATUSES, { description: 'Deliveries in this state.' }),
    type: choice(MESSAGE_TYPES, { description: 'Deliveries of this type.' }),
  }),
  mayLag: true,
  success: listSuccess(delivery, 'Deliveries.'),
});

export const getWebhookDelivery = operation({
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
  summary: 'Get a delivery',
  description: 'Returns a delivery with its body and all its attempts.',
  scope: 'resources:read',
  params: z.object({ ...ofWebhook, deliveryId: id<DeliveryId>({ description: 'The delivery’s id.', example: 1207 }) }),
  success: { description: 'The delivery.', body: deliveryWithLog },
});

const REDELIVERY_OUTCOMES = ['queued', 'not-found'] as const;

export const redeliver = operation({
  method: 'POST',
  path: '/v1/webhooks/{id}/redeliver',
  reader: getWebhook,
  summary: 'Redeliver messages',
  description:
    'Sends up to 1,000 deliveries again, each with its own id and the same bytes. The deliveries can be failed, ' +
    'delivered, or waiting for their next attempt. Waiting deliveries are sent now. Returns one outcome for ' +
    'each id, in the order of the request. A repeated id counts once. Deliveries to a paused webhook wait.',
  scope: 'resources:write',
  params,
  body: object({
    deliveryIds: bulkIds(id<DeliveryId>({ description: 'A delivery’s id.', example: 1207 })),
  }),
  success: {
    description: 'The outcome for each id.',
    body: z.array(
      z.strictObject({
        id: shownId({ description: 'The delivery’s id.', example: 1207 }),
        outcome: shownChoice(REDELIVERY_OUTCOMES, { description: 'Whether the delivery is sent again.' }),
      }),
    ),
  },
  problems: ['invalid-transition'],
});
