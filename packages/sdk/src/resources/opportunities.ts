// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { Journey, ListOpportunitiesQuery, Opportunity } from '../schemas.ts';

/** `whence.opportunities`. */
export class OpportunitiesResource extends Resource {
  /**
   * List opportunities: `GET /v1/opportunities`.
   *
   * Referred visitors, newest first.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * const { data, estimatedCount } = await whence.opportunities.list({ perPage: 10 });
   * console.log(`${data.length} of ${estimatedCount}`); // 0 of 0
   */
  list(query?: ListOpportunitiesQuery, options?: RequestOptions): List<Opportunity> {
    return this.client.list('/v1/opportunities', query, options);
  }

  /**
   * Get an opportunity: `GET /v1/opportunities/{id}`.
   *
   * An opportunity by its number. A merged one says where it went.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { id } = await whence.opportunities.get(opportunity);
   * console.log(id === opportunity); // true
   */
  get(id: Id, options?: RequestOptions): Call<Opportunity> {
    return this.client.call('GET', path`/v1/opportunities/${id}`, { options });
  }

  /**
   * Get an opportunity’s journey: `GET /v1/opportunities/{id}/journey`.
   *
   * Visits, coupons, custom events, engagements, merges, sales, renewals, leads and refunds of the opportunity and of all that were merged into it, in order. The newest 1,000 visits and signals are listed.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { steps } = await whence.opportunities.getJourney(opportunity);
   * for (const step of steps) console.log(step.at, step.kind);
   */
  getJourney(id: Id, options?: RequestOptions): Call<Journey> {
    return this.client.call('GET', path`/v1/opportunities/${id}/journey`, { options });
  }
}
