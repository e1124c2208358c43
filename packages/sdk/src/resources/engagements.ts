// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { Engagement, ListEngagementsQuery } from '../schemas.ts';

/** `whence.engagements`. */
export class EngagementsResource extends Resource {
  /**
   * List engagements: `GET /v1/engagements`.
   *
   * Claims to credit. `opportunityId` finds those of all merged members.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const engagement of whence.engagements.list({ collaboratorId })) console.log(engagement.score);
   */
  list(query?: ListEngagementsQuery, options?: RequestOptions): List<Engagement> {
    return this.client.list('/v1/engagements', query, options);
  }

  /**
   * Get an engagement: `GET /v1/engagements/{id}`.
   *
   * One claim to credit.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { status } = await whence.engagements.get(engagementId);
   * console.log(status); // active
   */
  get(id: Id, options?: RequestOptions): Call<Engagement> {
    return this.client.call('GET', path`/v1/engagements/${id}`, { options });
  }
}
