// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type RequestOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { ListBalancesQuery, ListedBalance } from '../schemas.ts';

/** `whence.balances`. */
export class BalancesResource extends Resource {
  /**
   * List balances: `GET /v1/balances`.
   *
   * A row for each collaborator and currency in which they ever earned, also of deleted collaborators.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * // Whom most is to be paid, in dollars.
   * for await (const { collaboratorName, pending } of whence.balances.list({ currency: 'USD', sort: '-pending' })) {
   *   console.log(collaboratorName, pending);
   * }
   */
  list(query?: ListBalancesQuery, options?: RequestOptions): List<ListedBalance> {
    return this.client.list('/v1/balances', query, options);
  }
}
