// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { CreateCustomEventBody, CustomEvent, ListCustomEventsQuery } from '../schemas.ts';

/** `whence.customEvents`. */
export class CustomEventsResource extends Resource {
  /**
   * List custom events: `GET /v1/custom-events`.
   *
   * All but the deleted; with `status=deleted` those.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { slug, name } of whence.customEvents.list()) console.log(slug, name);
   */
  list(query?: ListCustomEventsQuery, options?: RequestOptions): List<CustomEvent> {
    return this.client.list('/v1/custom-events', query, options);
  }

  /**
   * Register a custom event: `POST /v1/custom-events`.
   *
   * From now on a program can have its slug among its `triggers`.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `slug-taken` (409)
   *
   * @example
   * const { slug } = await whence.customEvents.create({ slug: 'newsletter', name: 'Newsletter sign-up' });
   * await whence.programs.update(programId, { triggers: { 'site-visit': 1, [slug]: 2 } });
   */
  create(body: CreateCustomEventBody, options?: PostOptions): Call<CustomEvent> {
    return this.client.call('POST', '/v1/custom-events', { body, options });
  }

  /**
   * Get a custom event: `GET /v1/custom-events/{id}`.
   *
   * A custom event, also a deleted one.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { slug } = await whence.customEvents.get(customEventId);
   * console.log(slug); // newsletter
   */
  get(id: Id, options?: RequestOptions): Call<CustomEvent> {
    return this.client.call('GET', path`/v1/custom-events/${id}`, { options });
  }

  /**
   * Delete a custom event: `DELETE /v1/custom-events/{id}`.
   *
   * It can’t be reported any more, and its slug may be registered anew. Not while a program that is not deleted has it among its `triggers`. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * await whence.customEvents.delete(customEventId);
   */
  delete(id: Id, options?: RequestOptions): Call<CustomEvent> {
    return this.client.call('DELETE', path`/v1/custom-events/${id}`, { options });
  }
}
