// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type RequestOptions, Resource } from '../client.ts';
import type { Session } from '../schemas.ts';

/** `whence.session`. */
export class SessionResource extends Resource {
  /**
   * Get the session: `GET /v1/session`.
   *
   * Who is logged in, and what they may do.
   *
   * Needs: the session of a person.
   *
   * @example
   * const { person, organization, scopes } = await asPerson.session.get();
   * console.log(person.name, organization.name); // Grace Hopper Example
   * console.log(scopes.join());
   */
  get(options?: RequestOptions): Call<Session> {
    return this.client.call('GET', '/v1/session', { options });
  }

  /**
   * Log out: `DELETE /v1/session`.
   *
   * Ends the session, everywhere within a second, and takes its cookie away.
   *
   * Needs: the session of a person.
   *
   * @example
   * await asPerson.session.close();
   */
  close(options?: RequestOptions): Call<void> {
    return this.client.call('DELETE', '/v1/session', { options, reads: 'nothing' });
  }
}
