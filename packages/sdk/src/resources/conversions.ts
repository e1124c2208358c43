// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type {
  Conversion,
  ConversionReview,
  Explanation,
  ListConversionsQuery,
  RejectConversionBody,
  ReviewConversionsBody,
} from '../schemas.ts';

/** `whence.conversions`. */
export class ConversionsResource extends Resource {
  /**
   * List conversions: `GET /v1/conversions`.
   *
   * What was earned. `opportunityId` finds those of all merged members.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const conversion of whence.conversions.list({ status: 'pending' })) {
   *   console.log(conversion.id === conversionId, conversion.amount); // true 500
   * }
   */
  list(query?: ListConversionsQuery, options?: RequestOptions): List<Conversion> {
    return this.client.list('/v1/conversions', query, options);
  }

  /**
   * Get a conversion: `GET /v1/conversions/{id}`.
   *
   * What one collaborator earned with one sale.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { status, amount, currency } = await whence.conversions.get(conversionId);
   * console.log(status, amount, currency); // pending 500 USD
   */
  get(id: Id, options?: RequestOptions): Call<Conversion> {
    return this.client.call('GET', path`/v1/conversions/${id}`, { options });
  }

  /**
   * Approve a conversion: `POST /v1/conversions/{id}/approve`.
   *
   * Makes what is owed for it payable. The same call again changes nothing. A rejected conversion, or one whose sale was refunded, can’t be approved; nor can one while a refund of its sale is being worked off. One that is held is let go by it.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { status } = await whence.conversions.approve(conversionId);
   * console.log(status); // approved
   */
  approve(id: Id, options?: PostOptions): Call<Conversion> {
    return this.client.call('POST', path`/v1/conversions/${id}/approve`, { options });
  }

  /**
   * Release a held conversion: `POST /v1/conversions/{id}/release`.
   *
   * A person has looked at it: from now on it goes the way of its program, which approves it at once, after its days, or not by itself. One that is not held stays as it is. A rejected conversion, or one whose sale was refunded, can’t be released; nor can one while a refund of its sale is being worked off.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { review, status } = await whence.conversions.release(conversionId);
   * console.log(review, status); // none pending
   */
  release(id: Id, options?: PostOptions): Call<Conversion> {
    return this.client.call('POST', path`/v1/conversions/${id}/release`, { options });
  }

  /**
   * Reject a conversion: `POST /v1/conversions/{id}/reject`.
   *
   * Nothing is owed for it from now on; a payout that it is in is flagged for review. The same call again changes nothing; the first reason stays.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { status } = await whence.conversions.reject(conversionId, { reason: 'Order was a test' });
   * console.log(status); // rejected
   */
  reject(id: Id, body: RejectConversionBody, options?: PostOptions): Call<Conversion> {
    return this.client.call('POST', path`/v1/conversions/${id}/reject`, { body, options });
  }

  /**
   * Approve, reject or release many conversions: `POST /v1/conversions/bulk`.
   *
   * Approves, rejects or releases up to 1,000 conversions at once; those that can’t be are told and stay as they are. One outcome for each id, in the order of the request; an id that comes twice counts once. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @example
   * const outcomes = await whence.conversions.bulk({ action: 'approve', ids: [conversionId] });
   * for (const { outcome, status } of outcomes) console.log(outcome, status); // changed approved
   */
  bulk(body: ReviewConversionsBody, options?: PostOptions): Call<ConversionReview[]> {
    return this.client.call('POST', '/v1/conversions/bulk', { body, options });
  }

  /**
   * Explain a conversion: `GET /v1/conversions/{id}/explanation`.
   *
   * The explanation of the sale, lead or renewal that it was earned with.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `not-decided` (404)
   *
   * @example
   * const { text } = await whence.conversions.explain(conversionId);
   * console.log(text);
   */
  explain(id: Id, options?: RequestOptions): Call<Explanation> {
    return this.client.call('GET', path`/v1/conversions/${id}/explanation`, { options });
  }
}
