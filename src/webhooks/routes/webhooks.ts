import type * as contract from '../contract/webhook.ts';
import { invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import { payloadText } from '../domain/delivery.ts';
import type { WebhookId } from '#core/ids.ts';
import { refusalOfReceiver } from '../domain/receiver-url.ts';
import { chosenTypes, MAX_WEBHOOKS } from '../domain/webhook.ts';
import { changeWebhook, type WebhookChangeOutcome } from '../commands/change-webhook.ts';
import { createWebhook } from '../commands/create-webhook.ts';
import { redeliver } from '../commands/redeliver.ts';
import { rotateWebhookSecret } from '../commands/rotate-webhook-secret.ts';
import { testWebhook } from '../commands/test-webhook.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { givenUpDeliveries, readDeliveryLog, webhookDeliveries } from '../store/read/webhook-deliveries.ts';
import { webhooks } from '../store/read/webhooks.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

/**
 * Returns the handlers for webhooks and their deliveries. `privateReceivers` enables private addresses and plain HTTP.
 */
export function webhookHandlers(secrets: SecretBox, privateReceivers: boolean): HandlersFor<typeof contract> {
  return {
    listWebhooks: (request) => answerPage(request, webhooks),

    createWebhook: async ({ tenant, body: { url, targetUrl, description, events } }) => {
      const refusal = refusalOf({ url, targetUrl });
      if (refusal !== undefined) return refusal;
      const fields = {
        // The contract requires `url` or `targetUrl`, so one of them is set.
        url: (url ?? targetUrl) as string,
        description: description ?? null,
        events: events === undefined ? null : chosenTypes(events),
      };
      const created = await createWebhook(tenant, secrets, fields);
      return answerOutcome(created, {
        created: ({ webhook, signingSecret }) => answer(201, { ...webhook, signingSecret }, NOT_STORED),
        'too-many': problem('too-many-webhooks', `There are already ${MAX_WEBHOOKS} webhooks. Delete a webhook first.`),
      });
    },

    getWebhook: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, webhooks, { id })),

    changeWebhook: async ({ tenant, params: { id }, body: { events, url, targetUrl, ...fields } }) => {
      const refusal = refusalOf({ url, targetUrl });
      if (refusal !== undefined) return refusal;
      const change = { ...fields, url: url ?? targetUrl, events: events && chosenTypes(events) };
      return answerChange(await changeWebhook(tenant, id, change));
    },

    deleteWebhook: async ({ tenant, params: { id } }) =>
      answerChange(await changeWebhook(tenant, id, { status: 'deleted' })),

    rotateWebhookSecret: async ({ tenant, params: { id }, body: { overlapSeconds } }) => {
      const rotated = await rotateWebhookSecret(tenant, secrets, id, overlapSeconds);
      return answerOutcome(rotated, {
        rotated: ({ webhook, signingSecret }) => answer(200, { ...webhook, signingSecret }, NOT_STORED),
        unknown: problem('not-found'),
        deleted: DELETED,
      });
    },

    testWebhook: async ({ tenant, params: { id } }) =>
      answerOutcome(await testWebhook(tenant, id), {
        sent: ({ delivery }) => answer(201, delivery),
        unknown: problem('not-found'),
        forbidden: ({ status }) =>
          problem(
            'invalid-transition',
            `Only active webhooks receive tests. This webhook is ${status}. ${status === 'paused' ? 'Activate it first.' : 'Create a new webhook.'}`,
          ),
      }),

    listWebhookDeliveries: async (request) => {
      const { id } = request.params;
      const deliveries = await deliveriesOf(request.tenant, id);
      if (deliveries === undefined) return problem('not-found');
      return answerPage(request, deliveries, { within: { webhookId: id } });
    },

    getWebhookDelivery: async ({ tenant, params: { id, deliveryId } }) => {
      const deliveries = await deliveriesOf(tenant, id);
      const delivery = deliveries && (await readOne(tenant, deliveries, { id: deliveryId, webhookId: id }));
      const carried = await readDeliveryLog(tenant, deliveryId);
      if (delivery === undefined || carried === undefined) return problem('not-found');
      const { log, ...message } = carried;
      const payload: unknown = JSON.parse(payloadText({ ...message, type: delivery.type, id: deliveryId }));
      return answer(200, { ...delivery, payload, log });
    },

    redeliver: async ({ tenant, params: { id }, body: { deliveryIds } }) =>
      answerOutcome(await redeliver(tenant, id, deliveryIds), {
        queued: (redelivery) => {
          const outcomeOf = (each: (typeof deliveryIds)[number]) =>
            redelivery.deliveryIds.has(each) ? 'queued' : 'not-found';
          return answer(
            200,
            [...new Set(deliveryIds)].map((each) => ({ id: each, outcome: outcomeOf(each) })),
          );
        },
        unknown: problem('not-found'),
        deleted: DELETED,
      }),
  };

  /** Returns the relation of a webhook's deliveries, or undefined if the webhook is unknown. */
  async function deliveriesOf(tenant: Tenant<Database>, id: WebhookId) {
    const webhook = await readOne(tenant, webhooks, { id });
    if (webhook === undefined) return undefined;
    return webhook.status === 'deleted' ? givenUpDeliveries : webhookDeliveries;
  }

  /**
   * Returns a problem with a fault for each field that has a URL to which messages must not be sent. Returns undefined
   * if all URLs are allowed.
   */
  function refusalOf(urls: Urls): Problem | undefined {
    const faults = Object.entries(urls).flatMap(([name, url]) => {
      const refusal = url === undefined ? undefined : refusalOfReceiver(url, privateReceivers);
      return refusal === undefined
        ? []
        : [{ pointer: `/${name}`, code: 'receiver-refused', detail: `This ${refusal}.` }];
    });
    return faults.length === 0 ? undefined : invalidRequest(faults);
  }
}

/** The URL under both of its names. If both are sent, the contract requires them to be equal. */
type Urls = { readonly url?: string | undefined; readonly targetUrl?: string | undefined };

const NOT_STORED = { headers: { 'cache-control': 'no-store' } };
const DELETED = problem('invalid-transition', 'A deleted webhook can’t be changed. Create a new webhook.');

function answerChange(changing: WebhookChangeOutcome): Answer | Problem {
  return answerOutcome(changing, {
    changed: ({ webhook }) => answer(200, webhook),
    unknown: problem('not-found'),
    deleted: DELETED,
  });
}
