// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type {
  ChallengePortalSessionAnswer,
  OpenPortalSessionBody,
  OpenPortalSessionByPasskeyBody,
  Portal,
  PortalSession,
  RequestPortalLinkBody,
  SignUpBody,
} from '../schemas.ts';

/** `whence.portals`. */
export class PortalsResource extends Resource {
  /**
   * Get a portal: `GET /v1/portals/{slug}`.
   *
   * How the portal looks, and the programs that one may sign up for.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { programs } = await whence.portals.get(slug);
   * for (const { name, words } of programs) console.log(name, words.join(' '));
   */
  get(slug: Id, options?: RequestOptions): Call<Portal> {
    return this.client.call('GET', path`/v1/portals/${slug}`, { options });
  }

  /**
   * Sign up: `POST /v1/portals/{slug}/sign-ups`.
   *
   * Mails a link to the address, good for 15 minutes and once: following it confirms the sign-up and logs in. Nothing is kept of a sign-up that is not confirmed. The answer is the same whether the address is known or not; at most 5 such mails in 15 minutes to one address.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * await whence.programs.changeSignUp(programId, { mode: 'open' });
   * await whence.portals.signUp(slug, { programId, name: 'Bo', email: 'bo@example.com', code: 'bo' });
   * // The mail to bo@example.com has the link that confirms it.
   */
  signUp(slug: Id, body: SignUpBody, options?: PostOptions): Call<void> {
    return this.client.call('POST', path`/v1/portals/${slug}/sign-ups`, { body, options, reads: 'nothing' });
  }

  /**
   * Ask for a link to log in by: `POST /v1/portals/{slug}/links`.
   *
   * Mails a link to the address, good for 15 minutes and once, and a code for who can’t follow it where they are: within another site’s page. The answer is the same whether the address is known or not; at most 5 such mails in 15 minutes to one address.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * await whence.portals.requestLink(slug, { email: 'ada@example.com' });
   * // The mail, if the address is known, has a link that is good for 15 minutes.
   */
  requestLink(slug: Id, body: RequestPortalLinkBody, options?: PostOptions): Call<void> {
    return this.client.call('POST', path`/v1/portals/${slug}/links`, { body, options, reads: 'nothing' });
  }

  /**
   * Log in by a mailed link: `POST /v1/portals/{slug}/sessions`.
   *
   * Takes the token of the link (the part after `#`), or the email address and the code of the email. Each works once, and a newer email voids both. After five wrong codes, the network that requested the email can no longer use the code. Wrong codes from other networks are counted separately. The link still works. Sets the session cookie.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `not-found` (404), `link-expired` (410)
   *
   * @example
   * const { collaborator } = await whence.portals.openSession(slug, { token });
   * console.log(collaborator.name); // Ada Lovelace
   */
  openSession(slug: Id, body: OpenPortalSessionBody, options?: PostOptions): Call<PortalSession> {
    return this.client.call('POST', path`/v1/portals/${slug}/sessions`, { body, options });
  }

  /**
   * Begin to log in by passkey: `POST /v1/portals/{slug}/sessions/challenge`.
   *
   * Answers what `navigator.credentials.get` takes. Good for five minutes.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const options = await whence.portals.challengeSession(slug);
   * console.log(options['userVerification']); // required
   */
  challengeSession(slug: Id, options?: PostOptions): Call<ChallengePortalSessionAnswer> {
    return this.client.call('POST', path`/v1/portals/${slug}/sessions/challenge`, { options });
  }

  /**
   * Log in by passkey: `POST /v1/portals/{slug}/sessions/passkey`.
   *
   * Begins a session by what the authenticator has answered to the challenge, which counts once.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `wrong-credentials` (401), `not-found` (404)
   *
   * @example
   * const response = authenticator.get(await whence.portals.challengeSession(slug));
   * const { collaborator } = await whence.portals.openSessionByPasskey(slug, { response });
   * console.log(collaborator.name); // Ada Lovelace
   */
  openSessionByPasskey(slug: Id, body: OpenPortalSessionByPasskeyBody, options?: PostOptions): Call<PortalSession> {
    return this.client.call('POST', path`/v1/portals/${slug}/sessions/passkey`, { body, options });
  }
}
