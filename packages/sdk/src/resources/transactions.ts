// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { Conversion, CreditTransactionBody, Explanation, ListTransactionsQuery, Transaction } from '../schemas.ts';

/** `whence.transactions`. */
export class TransactionsResource extends Resource {
  /**
   * List transactions: `GET /v1/transactions`.
   *
   * Reported sales, leads and renewals. `opportunityId` finds those of all merged members.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * // By the order’s number in your shop.
   * const { data } = await whence.transactions.list({ source: 'shop', externalId: 'order-1001' });
   * console.log(data[0]?.id === transactionId); // true
   */
  list(query?: ListTransactionsQuery, options?: RequestOptions): List<Transaction> {
    return this.client.list('/v1/transactions', query, options);
  }

  /**
   * Get a transaction: `GET /v1/transactions/{id}`.
   *
   * A reported sale or renewal with its lines.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { total, currency, lines } = await whence.transactions.get(transactionId);
   * console.log(total, currency, lines[0]?.name); // 5000 USD Order
   */
  get(id: Id, options?: RequestOptions): Call<Transaction> {
    return this.client.call('GET', path`/v1/transactions/${id}`, { options });
  }

  /**
   * Explain a transaction: `GET /v1/transactions/{id}/explanation`.
   *
   * Who earned what with a sale, lead or renewal, who did not, and why, with what has become of it since. There is one for every transaction that was decided.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `not-decided` (404)
   *
   * @example
   * const { candidates, text } = await whence.transactions.explain(transactionId);
   * console.log(candidates[0]?.outcome); // won
   * console.log(text);
   */
  explain(id: Id, options?: RequestOptions): Call<Explanation> {
    return this.client.call('GET', path`/v1/transactions/${id}/explanation`, { options });
  }

  /**
   * Credit a transaction by hand: `POST /v1/transactions/{id}/credits`.
   *
   * Credits a collaborator with a transaction that no visit attributed to them. Creates a conversion of type `manual`, whose author is the key. With `amount`, it pays that amount. Without, it pays what the program’s current version pays a single collaborator, including caps and tiers. All manual credits on a sale or renewal add up to at most its total, unless `aboveTotal` is true (422 `exceeds-total`). Earlier refunds are deducted. A collaborator can be credited once for each transaction and program, and only if they earned nothing from it in that program.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `not-decided` (404), `already-credited` (409), `invalid-transition` (409)
   *
   * @example
   * const grace = await whence.collaborators.create({ name: 'Grace Hopper' });
   * const conversion = await whence.transactions.credit(transactionId, {
   *   collaboratorId: grace.id,
   *   programId,
   *   amount: 500,
   *   note: 'Came by phone',
   * });
   * console.log(conversion.type, conversion.amount); // manual 500
   */
  credit(id: Id, body: CreditTransactionBody, options?: PostOptions): Call<Conversion> {
    return this.client.call('POST', path`/v1/transactions/${id}/credits`, { body, options });
  }
}
