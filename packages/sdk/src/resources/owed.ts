// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type RequestOptions, Resource } from '../client.ts';
import type { Owed } from '../schemas.ts';

/** `whence.owed`. */
export class OwedResource extends Resource {
  /**
   * Get what is owed: `GET /v1/owed`.
   *
   * The balances of all collaborators added up, for each currency in which anybody ever earned.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @example
   * for (const { currency, pending } of await whence.owed.get()) console.log(currency, pending);
   */
  get(options?: RequestOptions): Call<Owed[]> {
    return this.client.call('GET', '/v1/owed', { options });
  }
}
