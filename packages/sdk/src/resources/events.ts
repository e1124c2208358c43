// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { Event, ListEventsQuery } from '../schemas.ts';

/** `whence.events`. */
export class EventsResource extends Resource {
  /**
   * List events: `GET /v1/events`.
   *
   * What was reported. `opportunityId` finds those of all merged members.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const event of whence.events.list({ transactionId })) {
   *   console.log(event.type, event.state); // SaleTriggered done
   * }
   */
  list(query?: ListEventsQuery, options?: RequestOptions): List<Event> {
    return this.client.list('/v1/events', query, options);
  }

  /**
   * Get an event: `GET /v1/events/{id}`.
   *
   * One event.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const event = await whence.events.get(eventId);
   * console.log(event.type); // SaleTriggered
   */
  get(id: Id, options?: RequestOptions): Call<Event> {
    return this.client.call('GET', path`/v1/events/${id}`, { options });
  }

  /**
   * Retry a parked event: `POST /v1/events/{id}/retry`.
   *
   * Gives a parked event to the pipeline again. One that is pending stays so; one that is done can’t be retried.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const event = await whence.events.retry(parkedEventId);
   * console.log(event.state); // pending
   */
  retry(id: Id, options?: PostOptions): Call<Event> {
    return this.client.call('POST', path`/v1/events/${id}/retry`, { options });
  }
}
