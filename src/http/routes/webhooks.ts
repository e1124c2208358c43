import { invalidRequest, type Problem, problem } from '#contract/problem.ts';
import { payloadText } from '#domain/delivery.ts';
import type { OrganizationId, WebhookId } from '#domain/ids.ts';
import { refusalOfReceiver } from '#domain/receiver-url.ts';
import { chosenNews, MAX_WEBHOOKS } from '#domain/webhook.ts';
import { changeWebhook, type WebhookChanging } from '#operations/change-webhook.ts';
import { createWebhook } from '#operations/create-webhook.ts';
import { redeliver } from '#operations/redeliver.ts';
import { rotateWebhookSecret } from '#operations/rotate-webhook-secret.ts';
import { testWebhook } from '#operations/test-webhook.ts';
import type { Database } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { givenUpDeliveries, readDeliveryLog, webhookDeliveries } from '#store/read/webhook-deliveries.ts';
import { webhooks } from '#store/read/webhooks.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

/** `privateReceivers`: whether webhooks may lead into private networks, and without TLS. */
export function webhookHandlers(
  database: Database,
  secrets: SecretBox,
  privateReceivers: boolean,
): HandlersFor<
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'changeWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'testWebhook'
  | 'listWebhookDeliveries'
  | 'getWebhookDelivery'
  | 'redeliver'
> {
  return {
    listWebhooks: (request) => answerPage(database, request, webhooks),

    createWebhook: async ({ auth, body: { url, description, events } }) => {
      const refusal = refusalOf(url);
      if (refusal !== undefined) return refusal;
      const fields = {
        url,
        description: description ?? null,
        events: events === undefined ? null : chosenNews(events),
      };
      const created = await createWebhook(database, secrets, auth.organizationId, fields);
      switch (created.kind) {
        case 'created':
          return answer(201, { ...created.webhook, signingSecret: created.signingSecret }, NOT_STORED);
        case 'too-many':
          return problem('too-many-webhooks', `There are ${MAX_WEBHOOKS}: delete one that is not needed.`);
        default:
          return created satisfies never;
      }
    },

    getWebhook: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, webhooks, { id })),

    changeWebhook: async ({ auth, params: { id }, body: { events, ...fields } }) => {
      const refusal = fields.url === undefined ? undefined : refusalOf(fields.url);
      if (refusal !== undefined) return refusal;
      const change = { ...fields, events: events && chosenNews(events) };
      return answerChange(await changeWebhook(database, auth.organizationId, id, change));
    },

    deleteWebhook: async ({ auth, params: { id } }) =>
      answerChange(await changeWebhook(database, auth.organizationId, id, { status: 'deleted' })),

    rotateWebhookSecret: async ({ auth, params: { id }, body: { overlapSeconds } }) => {
      const rotated = await rotateWebhookSecret(database, secrets, auth.organizationId, id, overlapSeconds);
      switch (rotated.kind) {
        case 'rotated':
          return answer(200, { ...rotated.webhook, signingSecret: rotated.signingSecret }, NOT_STORED);
        case 'unknown':
          return problem('not-found');
        case 'deleted':
          return DELETED;
        default:
          return rotated satisfies never;
      }
    },

    testWebhook: async ({ auth, params: { id } }) => {
      const test = await testWebhook(database, auth.organizationId, id);
      switch (test.kind) {
        case 'sent':
          return answer(201, test.delivery);
        case 'unknown':
          return problem('not-found');
        case 'forbidden':
          return problem('invalid-transition', `A webhook that is ${test.status} is sent nothing.`);
        default:
          return test satisfies never;
      }
    },

    listWebhookDeliveries: async (request) => {
      const { id } = request.params;
      const deliveries = await deliveriesOf(request.auth.organizationId, id);
      if (deliveries === undefined) return problem('not-found');
      return answerPage(database, request, deliveries, { within: { webhookId: id } });
    },

    getWebhookDelivery: async ({ auth, params: { id, deliveryId } }) => {
      const { organizationId } = auth;
      const deliveries = await deliveriesOf(organizationId, id);
      const delivery =
        deliveries && (await readOne(database, organizationId, deliveries, { id: deliveryId, webhookId: id }));
      const carried = await readDeliveryLog(database, organizationId, deliveryId);
      if (delivery === undefined || carried === undefined) return problem('not-found');
      const { log, ...message } = carried;
      const payload: unknown = JSON.parse(payloadText({ ...message, type: delivery.type, id: deliveryId }));
      return answer(200, { ...delivery, payload, log });
    },

    redeliver: async ({ auth, params: { id }, body: { deliveryIds } }) => {
      const redelivery = await redeliver(database, auth.organizationId, id, deliveryIds);
      switch (redelivery.kind) {
        case 'queued': {
          const outcomeOf = (each: (typeof deliveryIds)[number]) =>
            redelivery.deliveryIds.has(each) ? 'queued' : 'not-found';
          return answer(
            200,
            [...new Set(deliveryIds)].map((each) => ({ id: each, outcome: outcomeOf(each) })),
          );
        }
        case 'unknown':
          return problem('not-found');
        case 'deleted':
          return DELETED;
        default:
          return redelivery satisfies never;
      }
    },
  };

  /** Undefined without the webhook. */
  async function deliveriesOf(organizationId: OrganizationId, id: WebhookId) {
    const webhook = await readOne(database, organizationId, webhooks, { id });
    if (webhook === undefined) return undefined;
    return webhook.status === 'deleted' ? givenUpDeliveries : webhookDeliveries;
  }

  function refusalOf(url: string): Problem | undefined {
    const refusal = refusalOfReceiver(url, privateReceivers);
    return refusal === undefined
      ? undefined
      : invalidRequest([{ pointer: '/url', code: 'receiver-refused', detail: `This ${refusal}.` }]);
  }
}

const NOT_STORED = { headers: { 'cache-control': 'no-store' } };
const DELETED = problem('invalid-transition', 'A deleted webhook can’t be changed.');

function answerChange(changing: WebhookChanging): Answer | Problem {
  switch (changing.kind) {
    case 'changed':
      return answer(200, changing.webhook);
    case 'unknown':
      return problem('not-found');
    case 'deleted':
      return DELETED;
    default:
      return changing satisfies never;
  }
}
