// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type PostOptions, Resource } from '../client.ts';
import type { ChallengeSessionAnswer, OpenSessionBody, OpenSessionByPasskeyBody, Session } from '../schemas.ts';

/** `whence.sessions`. */
export class SessionsResource extends Resource {
  /**
   * Log in by password: `POST /v1/sessions`.
   *
   * Begins a session and sets its cookie. Of a person with a second factor the password alone is answered by `code-required`; the same call with a code of their app, or with one of their recovery codes, which counts once, logs them in. A code that is wrong, a wrong password and an unknown address are one answer. One address may try 10 times in 15 minutes, and one network 30 times.
   *
   * Needs: nothing. Anybody may call it, each network so often.
   *
   * @throws WhenceError `wrong-credentials` (401), `code-required` (401)
   *
   * @example
   * const { person } = await page.sessions.open({ email, password: 'seven quiet herons' });
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
   * Needs: nothing. Anybody may call it, each network so often.
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
   * Needs: nothing. Anybody may call it, each network so often.
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
