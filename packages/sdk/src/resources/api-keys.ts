// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type {
  ApiKey,
  ChangeApiKeyBody,
  CreateApiKeyBody,
  ListApiKeysQuery,
  NewApiKey,
  RotateApiKeyBody,
} from '../schemas.ts';

/** `whence.apiKeys`. */
export class ApiKeysResource extends Resource {
  /**
   * List API keys: `GET /v1/api-keys`.
   *
   * The organization’s keys, also the revoked and the expired.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { label, lastUsedAt } of whence.apiKeys.list({ kind: 'secret' })) console.log(label, lastUsedAt);
   */
  list(query?: ListApiKeysQuery, options?: RequestOptions): List<ApiKey> {
    return this.client.list('/v1/api-keys', query, options);
  }

  /**
   * Make an API key: `POST /v1/api-keys`.
   *
   * Makes a key and shows it this once. A key can’t give scopes that it lacks itself; without `scopes` the new one gets those of the key that makes it. A publishable key always has `events:write` alone, and may report visits only.
   *
   * Needs: a secret key with the scope `keys:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `idempotency-answer-lost` (409)
   *
   * @example
   * const { rawKey } = await whence.apiKeys.create({ label: 'Checkout', scopes: ['events:write'] });
   * // It is shown this once.
   * console.log(rawKey.slice(0, 8)); // sk_live_
   */
  create(body: CreateApiKeyBody, options?: PostOptions): Call<NewApiKey> {
    return this.client.call('POST', '/v1/api-keys', { body, options });
  }

  /**
   * Get an API key: `GET /v1/api-keys/{id}`.
   *
   * A key, without its secret part.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { label, scopes } = await whence.apiKeys.get(apiKeyId);
   * console.log(label, scopes.join()); // Checkout events:write
   */
  get(id: Id, options?: RequestOptions): Call<ApiKey> {
    return this.client.call('GET', path`/v1/api-keys/${id}`, { options });
  }

  /**
   * Change an API key: `PATCH /v1/api-keys/{id}`.
   *
   * Changes the fields that are given, everywhere within a second; `expiresAt: null` takes the end away, `origins: []` allows any. A key can’t give scopes that it lacks itself, nor change one that may do more. One that is revoked or expired stays as it is.
   *
   * Needs: a secret key with the scope `keys:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { label } = await whence.apiKeys.update(apiKeyId, { label: 'Checkout, Berlin' });
   * console.log(label); // Checkout, Berlin
   */
  update(id: Id, body: ChangeApiKeyBody = {}, options?: RequestOptions): Call<ApiKey> {
    return this.client.call('PATCH', path`/v1/api-keys/${id}`, { body, options });
  }

  /**
   * Revoke an API key: `DELETE /v1/api-keys/{id}`.
   *
   * Ends a key, everywhere within a second. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `keys:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { revokedAt } = await whence.apiKeys.revoke(apiKeyId);
   * console.log(revokedAt !== null); // true
   */
  revoke(id: Id, options?: RequestOptions): Call<ApiKey> {
    return this.client.call('DELETE', path`/v1/api-keys/${id}`, { options });
  }

  /**
   * Rotate an API key: `POST /v1/api-keys/{id}/rotate`.
   *
   * Makes a key with the same label, kind, scopes and origins and shows it this once; the old one holds for the overlap and no longer than it had. The new one has no end, or one as far away as the old one’s was when that was made. A key can’t rotate one that may do more than itself. One that was rotated, is expired or revoked can’t be rotated.
   *
   * Needs: a secret key with the scope `keys:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `idempotency-answer-lost` (409), `invalid-transition` (409)
   *
   * @example
   * // Both hold for an hour: time to deploy the new one.
   * const { id, rawKey } = await whence.apiKeys.rotate(apiKeyId, { overlapSeconds: 3_600 });
   * console.log(id !== apiKeyId, rawKey.slice(0, 8)); // true sk_live_
   */
  rotate(id: Id, body: RotateApiKeyBody = {}, options?: PostOptions): Call<NewApiKey> {
    return this.client.call('POST', path`/v1/api-keys/${id}/rotate`, { body, options });
  }
}
