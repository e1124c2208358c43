// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type PostOptions, Resource } from '../client.ts';
import type { ChallengeSessionAnswer, OpenSessionBody, OpenSessionByPasskeyBody, Session } from '../schemas.ts';

/** `whence.sessions`. */
export class SessionsResource extends Resource {
  /**
   * Log in by password: `POST /v1/sessions`.
   *
   * Starts a session and sets its cookie. If the person has a second factor, the password alone returns `code-required`. Repeat the call with a code from their app, or with a recovery code, which works once. A wrong code, a wrong password and an unknown address return the same answer. If several organizations have a person with this address, the password decides which one is logged in. If they share a password, it is the earliest one. Limits: 10 tries in 15 minutes for one address, and 30 for one network.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `wrong-credentials` (401), `code-required` (401)
   *
   * @example
   * const { person } = await page.sessions.open({ email, password });
   * console.log(person.name); // Grace Hopper
   */
  open(body: OpenSessionBody, options?: PostOptions): Call<Session> {
    return this.client.call('POST', '/v1/sessions', { body, options });
  }

  /**
   * Begin to log in by passkey: `POST /v1/sessions/challenge`.
   *
   * Answers what `navigator.credentials.get` takes. Any passkey of this service will do: it says whose it is. Good for five minutes.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @example
   * const options = await page.sessions.challenge();
   * // For startAuthentication({ optionsJSON: options }) of @simplewebauthn/browser.
   * console.log(options['userVerification']); // required
   */
  challenge(options?: PostOptions): Call<ChallengeSessionAnswer> {
    return this.client.call('POST', '/v1/sessions/challenge', { options });
  }

  /**
   * Log in by passkey: `POST /v1/sessions/passkey`.
   *
   * Begins a session by what the authenticator has answered to the challenge, which counts once. It asks for no code beside: the authenticator has asked who holds it.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `wrong-credentials` (401)
   *
   * @example
   * const response = personsAuthenticator.get(await page.sessions.challenge());
   * const { person } = await page.sessions.openByPasskey({ response });
   * console.log(person.name); // Grace Hopper
   */
  openByPasskey(body: OpenSessionByPasskeyBody, options?: PostOptions): Call<Session> {
    return this.client.call('POST', '/v1/sessions/passkey', { body, options });
  }
}
