// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type RequestOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { LedgerEntry, ListLedgerEntriesQuery } from '../schemas.ts';

/** `whence.ledgerEntries`. */
export class LedgerEntriesResource extends Resource {
  /**
   * List entries of the ledger: `GET /v1/ledger-entries`.
   *
   * Every change of owed money, in the order in which it was written.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const entry of whence.ledgerEntries.list({ obligationId, sort: 'id' })) {
   *   console.log(entry.kind, entry.amount); // award 500
   * }
   */
  list(query?: ListLedgerEntriesQuery, options?: RequestOptions): List<LedgerEntry> {
    return this.client.list('/v1/ledger-entries', query, options);
  }
}
