// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type PostOptions, type RequestOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type {
  CreateFulfillmentsBody,
  Fulfillment,
  FulfillmentPreview,
  ListFulfillmentsQuery,
  PreviewFulfillmentsBody,
} from '../schemas.ts';

/** `whence.fulfillments`. */
export class FulfillmentsResource extends Resource {
  /**
   * Make payout runs: `POST /v1/fulfillments`.
   *
   * One run for each currency, with one payout for each collaborator; none where nothing is payable. Takes all pending obligations, or those of `obligationIds` that are pending, and for each collaborator and currency that it pays all pending claw-backs too. What adds up to 0 or less, or to less than `minimum`, stays pending. What was owed to a collaborator who is inactive or deleted now is paid all the same. Sales with a refund that is not worked in yet are left for a later run.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @example
   * await whence.conversions.approve(conversionId);
   * // One run for each currency, of all that is payable.
   * const runs = await whence.fulfillments.create({ minimum: 100 });
   * for (const { currency, amount, payouts } of runs) console.log(currency, amount, payouts); // USD 500 1
   */
  create(body: CreateFulfillmentsBody = {}, options?: PostOptions): Call<Fulfillment[]> {
    return this.client.call('POST', '/v1/fulfillments', { body, options });
  }

  /**
   * List payout runs: `GET /v1/fulfillments`.
   *
   * Payout runs, whatever their state.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const run of whence.fulfillments.list({ status: 'processing' })) console.log(run.id, run.amount);
   */
  list(query?: ListFulfillmentsQuery, options?: RequestOptions): List<Fulfillment> {
    return this.client.list('/v1/fulfillments', query, options);
  }

  /**
   * Preview payout runs: `POST /v1/fulfillments/preview`.
   *
   * What a run made now would be; changes nothing. Takes all pending obligations, or those of `obligationIds` that are pending, and for each collaborator and currency that it pays all pending claw-backs too. What adds up to 0 or less, or to less than `minimum`, stays pending. What was owed to a collaborator who is inactive or deleted now is paid all the same. Sales with a refund that is not worked in yet are left for a later run.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @example
   * await whence.conversions.approve(conversionId);
   * const [preview] = await whence.fulfillments.preview({ currency: 'USD' });
   * console.log(preview?.amount); // 500
   */
  preview(body: PreviewFulfillmentsBody = {}, options?: PostOptions): Call<FulfillmentPreview[]> {
    return this.client.call('POST', '/v1/fulfillments/preview', { body, options });
  }

  /**
   * Get a payout run: `GET /v1/fulfillments/{id}`.
   *
   * A payout run; its payouts are listed with `fulfillmentId`.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { status } = await whence.fulfillments.get(fulfillmentId);
   * console.log(status); // pending
   */
  get(id: Id, options?: RequestOptions): Call<Fulfillment> {
    return this.client.call('GET', path`/v1/fulfillments/${id}`, { options });
  }

  /**
   * Process a payout run: `POST /v1/fulfillments/{id}/process`.
   *
   * `pending → processing`: somebody is paying it. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { status } = await whence.fulfillments.process(fulfillmentId);
   * console.log(status); // processing
   */
  process(id: Id, options?: PostOptions): Call<Fulfillment> {
    return this.client.call('POST', path`/v1/fulfillments/${id}/process`, { options });
  }

  /**
   * Complete a payout run: `POST /v1/fulfillments/{id}/complete`.
   *
   * Marks every payout of a processing run as paid, but for those under review or with a refund that is not worked in yet: as long as there are such, the run stays `processing`, and the call can be made again after their review. A run that is complete stays as it is.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { status } = await whence.fulfillments.complete(processingFulfillmentId);
   * console.log(status); // complete
   */
  complete(id: Id, options?: PostOptions): Call<Fulfillment> {
    return this.client.call('POST', path`/v1/fulfillments/${id}/complete`, { options });
  }

  /**
   * Fail a payout run: `POST /v1/fulfillments/{id}/fail`.
   *
   * Nothing of it was paid: its payouts become void, and what they held is pending again, at what it is worth now. Refused once a payout is paid. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { status } = await whence.fulfillments.fail(processingFulfillmentId);
   * console.log(status); // failed
   */
  fail(id: Id, options?: PostOptions): Call<Fulfillment> {
    return this.client.call('POST', path`/v1/fulfillments/${id}/fail`, { options });
  }
}
