// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type {
  ExportPayoutsBody,
  ListPayoutsQuery,
  MarkPayoutsAnswerRow,
  MarkPayoutsBody,
  Payout,
  ReviewManyPayoutsAnswerRow,
  ReviewManyPayoutsBody,
  ReviewPayoutBody,
} from '../schemas.ts';

/** `whence.payouts`. */
export class PayoutsResource extends Resource {
  /**
   * List payouts: `GET /v1/payouts`.
   *
   * Payouts of all runs.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const payout of whence.payouts.list({ fulfillmentId })) {
   *   console.log(payout.amount, payout.status); // 500 unpaid
   * }
   */
  list(query?: ListPayoutsQuery, options?: RequestOptions): List<Payout> {
    return this.client.list('/v1/payouts', query, options);
  }

  /**
   * Get a payout: `GET /v1/payouts/{id}`.
   *
   * One collaborator’s line in a run; what it pays is listed by /v1/obligations with `payoutId`.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { amount, review } = await whence.payouts.get(payoutId);
   * console.log(amount, review.state); // 500 none
   */
  get(id: Id, options?: RequestOptions): Call<Payout> {
    return this.client.call('GET', path`/v1/payouts/${id}`, { options });
  }

  /**
   * Mark a payout as paid: `POST /v1/payouts/{id}/mark-paid`.
   *
   * The money has left. Works while its run is pending or processing, and not while the payout is flagged for review or a refund of what it pays is not worked in yet. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `under-review` (409), `invalid-transition` (409)
   *
   * @example
   * const { status } = await whence.payouts.markPaid(payoutId);
   * console.log(status); // paid
   */
  markPaid(id: Id, options?: PostOptions): Call<Payout> {
    return this.client.call('POST', path`/v1/payouts/${id}/mark-paid`, { options });
  }

  /**
   * Mark a payout as unpaid: `POST /v1/payouts/{id}/mark-unpaid`.
   *
   * The money came back. Works while its run is pending or processing, and not once a review has clawed money of it back as paid. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { status } = await whence.payouts.markUnpaid(paidPayoutId);
   * console.log(status); // unpaid
   */
  markUnpaid(id: Id, options?: PostOptions): Call<Payout> {
    return this.client.call('POST', path`/v1/payouts/${id}/mark-unpaid`, { options });
  }

  /**
   * Mark payouts as paid or unpaid: `POST /v1/payouts/bulk`.
   *
   * Marks up to 1,000 payouts at once, each as the single call would; those that can’t be are told and stay as they are. One outcome for each id, in the order of the request; an id that comes twice counts once.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @example
   * const outcomes = await whence.payouts.bulk({ action: 'mark-paid', ids: [payoutId] });
   * for (const { outcome, status } of outcomes) console.log(outcome, status); // changed paid
   */
  bulk(body: MarkPayoutsBody, options?: PostOptions): Call<MarkPayoutsAnswerRow[]> {
    return this.client.call('POST', '/v1/payouts/bulk', { body, options });
  }

  /**
   * Review a flagged payout: `POST /v1/payouts/{id}/review`.
   *
   * Resolves all its open reasons. `keep` pays the money all the same. `claw-back` takes it out of an unpaid payout, which becomes void where nothing is left; for a paid one it becomes a negative obligation, which the next run nets. The same review again changes nothing; any other of a payout that is not flagged is refused. With `seen` nothing is decided that you have not read: where a reason came since, it is a 412.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409), `precondition-failed` (412)
   *
   * @example
   * const { reasons } = (await whence.payouts.get(flaggedPayoutId)).review;
   * // Nothing is decided that came since: it would throw a PreconditionError.
   * const seen = { reasons: reasons.length };
   * const { review } = await whence.payouts.review(flaggedPayoutId, {
   *   resolution: 'claw-back',
   *   note: 'Refunded',
   *   seen,
   * });
   * console.log(review.state); // resolved
   */
  review(id: Id, body: ReviewPayoutBody, options?: PostOptions): Call<Payout> {
    return this.client.call('POST', path`/v1/payouts/${id}/review`, { body, options });
  }

  /**
   * Review many flagged payouts: `POST /v1/payouts/review`.
   *
   * Reviews up to 1,000 payouts at once with one resolution and note, each as the single call would; those that can’t be are told and stay as they are. One outcome for each id, in the order of the request; an id that comes twice counts once. With `seen` nothing is decided that you have not read: a payout with a reason that came since is `precondition-failed`.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @example
   * const word = { resolution: 'keep', note: 'Returned after they were paid' } as const;
   * const { data: read } = await whence.payouts.list({ review: 'flagged', ids: String(flaggedPayoutId) }).page();
   * const seen = read.map(({ id, review }) => ({ id, reasons: review.reasons.length }));
   * const outcomes = await whence.payouts.reviewMany({ ...word, ids: seen.map(({ id }) => id), seen });
   * for (const { outcome, status } of outcomes) console.log(outcome, status); // changed unpaid
   */
  reviewMany(body: ReviewManyPayoutsBody, options?: PostOptions): Call<ReviewManyPayoutsAnswerRow[]> {
    return this.client.call('POST', '/v1/payouts/review', { body, options });
  }

  /**
   * Export payouts as CSV: `POST /v1/payouts/export`.
   *
   * A file for a spreadsheet: payoutId, fulfillmentId, collaboratorId, name, email, amount (major units, two decimals), currency, status, review, paidAt; the oldest first. At most 100,000 payouts; more is a 422: filter by run.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @example
   * const csv = await whence.payouts.export({ fulfillmentId });
   * console.log(csv.split('\r\n').length); // 3
   */
  export(body: ExportPayoutsBody = {}, options?: PostOptions): Call<string> {
    return this.client.call('POST', '/v1/payouts/export', { body, options, reads: 'text' });
  }
}
