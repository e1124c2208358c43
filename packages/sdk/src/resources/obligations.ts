// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { ListObligationsQuery, Obligation } from '../schemas.ts';

/** `whence.obligations`. */
export class ObligationsResource extends Resource {
  /**
   * List obligations: `GET /v1/obligations`.
   *
   * Money that is or was owed.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { amount, currency } of whence.obligations.list({ collaboratorId, status: 'pending' })) {
   *   console.log(amount, currency);
   * }
   */
  list(query?: ListObligationsQuery, options?: RequestOptions): List<Obligation> {
    return this.client.list('/v1/obligations', query, options);
  }

  /**
   * Get an obligation: `GET /v1/obligations/{id}`.
   *
   * What is owed for one conversion, or was clawed back.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { status, amount } = await whence.obligations.get(obligationId);
   * console.log(status, amount); // draft 500
   */
  get(id: Id, options?: RequestOptions): Call<Obligation> {
    return this.client.call('GET', path`/v1/obligations/${id}`, { options });
  }
}
