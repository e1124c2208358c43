// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type RequestOptions, Resource } from '../client.ts';
import type { Checkpoint, GetLedgerCheckpointQuery } from '../schemas.ts';

/** `whence.ledger`. */
export class LedgerResource extends Resource {
  /**
   * Get a checkpoint of the ledger: `GET /v1/ledger/checkpoint`.
   *
   * The newest one, to be kept where the database can’t be reached: as long as the same `number` has the same `hash` and `whence verify` finds nothing, no entry before it was changed, left out or put in.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400), `not-found` (404)
   *
   * @example
   * const { number, hash } = await whence.ledger.getCheckpoint();
   * console.log(number, hash);
   */
  getCheckpoint(query?: GetLedgerCheckpointQuery, options?: RequestOptions): Call<Checkpoint> {
    return this.client.call('GET', '/v1/ledger/checkpoint', { query, options });
  }
}
