// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type { ChangePersonBody, ListPeopleQuery, Person } from '../schemas.ts';

/** `whence.people`. */
export class PeopleResource extends Resource {
  /**
   * List people: `GET /v1/people`.
   *
   * Those who may log in to the console, and with a filter by status those who once could.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { name, role, twoFactor } of whence.people.list()) console.log(name, role, twoFactor);
   */
  list(query?: ListPeopleQuery, options?: RequestOptions): List<Person> {
    return this.client.list('/v1/people', query, options);
  }

  /**
   * Get a person: `GET /v1/people/{id}`.
   *
   * One of those who work with the console, also one who was removed.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { name, status } = await whence.people.get(personId);
   * console.log(name, status); // Grace Hopper active
   */
  get(id: Id, options?: RequestOptions): Call<Person> {
    return this.client.call('GET', path`/v1/people/${id}`, { options });
  }

  /**
   * Change a person: `PATCH /v1/people/{id}`.
   *
   * Changes the fields that are given; another role holds everywhere within a second. Nobody gives a role, or takes one, that may do more than they may themselves. An organization keeps one owner.
   *
   * Needs: a secret key with the scope `people:write`, or a person whose role has it. A session may change `role` only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `last-owner` (409), `invalid-transition` (409)
   *
   * @example
   * const { role } = await whence.people.update(personId, { role: 'viewer' });
   * console.log(role); // viewer
   */
  update(id: Id, body: ChangePersonBody = {}, options?: RequestOptions): Call<Person> {
    return this.client.call('PATCH', path`/v1/people/${id}`, { body, options });
  }

  /**
   * Remove a person: `DELETE /v1/people/{id}`.
   *
   * Ends their sessions, everywhere within a second, and takes their password, passkeys and second factor away. What they did stays in the audit. The same call again changes nothing. An organization keeps one owner.
   *
   * Needs: a secret key with the scope `people:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `last-owner` (409)
   *
   * @example
   * const { status } = await whence.people.remove(personId);
   * console.log(status); // removed
   */
  remove(id: Id, options?: RequestOptions): Call<Person> {
    return this.client.call('DELETE', path`/v1/people/${id}`, { options });
  }
}
