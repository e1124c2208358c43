// Made by `npm run sdk` from openapi.json. Don’t edit it.

import {
  type Call,
  type Id,
  path,
  type RequestOptions,
  type PostOptions,
  type VersionOptions,
  Resource,
} from '../client.ts';
import type { List } from '../list.ts';
import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  ListWebhookDeliveriesQuery,
  ListWebhooksQuery,
  RedeliverAnswerRow,
  RedeliverBody,
  RotateWebhookSecretBody,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryWithLog,
  WebhookWithSecret,
} from '../schemas.ts';

/** `whence.webhooks`. */
export class WebhooksResource extends Resource {
  /**
   * List webhooks: `GET /v1/webhooks`.
   *
   * All but the deleted; with `status=deleted` those.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { url, status } of whence.webhooks.list()) console.log(url, status);
   */
  list(query?: ListWebhooksQuery, options?: RequestOptions): List<Webhook> {
    return this.client.list('/v1/webhooks', query, options);
  }

  /**
   * Create a webhook: `POST /v1/webhooks`.
   *
   * From now on each thing that happens is sent to its URL, signed with a secret that is shown this once. An organization has at most 20.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `idempotency-answer-lost` (409), `too-many-webhooks` (409)
   *
   * @example
   * const { id, signingSecret } = await whence.webhooks.create({
   *   url: 'https://shop.example/whence',
   *   events: ['conversion.approved', 'payout.paid'],
   * });
   * // It is shown this once: your endpoint verifies deliveries with it.
   * console.log(id, signingSecret);
   */
  create(body: CreateWebhookBody, options?: PostOptions): Call<WebhookWithSecret> {
    return this.client.call('POST', '/v1/webhooks', { body, options });
  }

  /**
   * Get a webhook: `GET /v1/webhooks/{id}`.
   *
   * A webhook, also a deleted one, without its secret.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { status, events } = await whence.webhooks.get(webhookId);
   * console.log(status, events.join()); // active *
   */
  get(id: Id, options?: RequestOptions): Call<Webhook> {
    return this.client.call('GET', path`/v1/webhooks/${id}`, { options });
  }

  /**
   * Change a webhook: `PATCH /v1/webhooks/{id}`.
   *
   * Changes the fields that are given; null takes the description away, and as `events` it means everything. With the status `active` a paused webhook goes on: what has waited is sent now, as after a change of its URL.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may change `url`, `targetUrl`, `events` only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `invalid-transition` (409), `precondition-failed` (412)
   *
   * @example
   * const { status } = await whence.webhooks.update(webhookId, { status: 'paused' });
   * console.log(status); // paused
   */
  update(id: Id, body: ChangeWebhookBody = {}, options?: RequestOptions & VersionOptions): Call<Webhook> {
    return this.client.call('PATCH', path`/v1/webhooks/${id}`, { body, options });
  }

  /**
   * Delete a webhook: `DELETE /v1/webhooks/{id}`.
   *
   * It gets nothing more, also not what waits. Its log stays. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `precondition-failed` (412)
   *
   * @example
   * const { status } = await whence.webhooks.delete(webhookId);
   * console.log(status); // deleted
   */
  delete(id: Id, options?: RequestOptions & VersionOptions): Call<Webhook> {
    return this.client.call('DELETE', path`/v1/webhooks/${id}`, { options });
  }

  /**
   * Give a webhook another secret: `POST /v1/webhooks/{id}/rotate-secret`.
   *
   * Deliveries are signed with both secrets for `overlapSeconds`, so that the receiver can change over in between. The new one is shown this once. One that was on its way out already ends now.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `idempotency-answer-lost` (409), `invalid-transition` (409)
   *
   * @example
   * // Deliveries carry both signatures for an hour.
   * const { signingSecret } = await whence.webhooks.rotateSecret(webhookId, { overlapSeconds: 3_600 });
   * console.log(signingSecret.slice(0, 6)); // whsec_
   */
  rotateSecret(id: Id, body: RotateWebhookSecretBody = {}, options?: PostOptions): Call<WebhookWithSecret> {
    return this.client.call('POST', path`/v1/webhooks/${id}/rotate-secret`, { body, options });
  }

  /**
   * Send a test to a webhook: `POST /v1/webhooks/{id}/test`.
   *
   * Sends it, and no other, a message of the type `webhook.test`, whatever it has chosen; its data is the webhook. What became of it stands in the delivery’s log. A paused webhook is sent nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { type } = await whence.webhooks.test(webhookId);
   * console.log(type); // webhook.test
   */
  test(id: Id, options?: PostOptions): Call<WebhookDelivery> {
    return this.client.call('POST', path`/v1/webhooks/${id}/test`, { options });
  }

  /**
   * List a webhook’s deliveries: `GET /v1/webhooks/{id}/deliveries`.
   *
   * What was sent or waits, newest first, also of a deleted webhook. Deliveries are kept for 30 days.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400), `not-found` (404)
   *
   * @example
   * for await (const delivery of whence.webhooks.listDeliveries(webhookId, { status: 'failed' })) {
   *   console.log(delivery.type, delivery.attempts, delivery.lastError);
   * }
   */
  listDeliveries(id: Id, query?: ListWebhookDeliveriesQuery, options?: RequestOptions): List<WebhookDelivery> {
    return this.client.list(path`/v1/webhooks/${id}/deliveries`, query, options);
  }

  /**
   * Get a delivery: `GET /v1/webhooks/{id}/deliveries/{deliveryId}`.
   *
   * A delivery with what it carries and each of its attempts.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { payload, log } = await whence.webhooks.getDelivery(webhookId, deliveryId);
   * console.log(payload.type); // webhook.test
   * for (const attempt of log) console.log(attempt.startedAt, attempt.statusCode, attempt.error);
   */
  getDelivery(id: Id, deliveryId: Id, options?: RequestOptions): Call<WebhookDeliveryWithLog> {
    return this.client.call('GET', path`/v1/webhooks/${id}/deliveries/${deliveryId}`, { options });
  }

  /**
   * Deliver again: `POST /v1/webhooks/{id}/redeliver`.
   *
   * Sends up to 1,000 deliveries again, each under its own id and with the same bytes: those that failed, those that arrived, and at once those that wait for their next attempt. One outcome for each id, in the order of the request; an id that comes twice counts once. For a paused webhook they wait.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const [{ outcome } = {}] = await whence.webhooks.redeliver(webhookId, { deliveryIds: [deliveryId] });
   * console.log(outcome); // queued
   */
  redeliver(id: Id, body: RedeliverBody, options?: PostOptions): Call<RedeliverAnswerRow[]> {
    return this.client.call('POST', path`/v1/webhooks/${id}/redeliver`, { body, options });
  }
}
