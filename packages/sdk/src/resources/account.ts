// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type {
  ChallengePasskeyAnswer,
  ChangeAccountBody,
  ChangePasswordBody,
  ConfirmTotpBody,
  CreatePasskeyBody,
  ListPasskeysQuery,
  ListSessionsQuery,
  OwnSession,
  Passkey,
  Person,
  RecoveryCodes,
  RemoveTotpBody,
  TotpSecret,
} from '../schemas.ts';

/** `whence.account`. */
export class AccountResource extends Resource {
  /**
   * Get one’s account: `GET /v1/account`.
   *
   * Who is logged in.
   *
   * Needs: the session of a person.
   *
   * @example
   * const { name, passkeys } = await asPerson.account.get();
   * console.log(name, passkeys); // Grace Hopper 0
   */
  get(options?: RequestOptions): Call<Person> {
    return this.client.call('GET', '/v1/account', { options });
  }

  /**
   * Change one’s account: `PATCH /v1/account`.
   *
   * Changes the fields that are given.
   *
   * Needs: the session of a person.
   *
   * @example
   * const { name } = await asPerson.account.update({ name: 'Rear Admiral Hopper' });
   * console.log(name); // Rear Admiral Hopper
   */
  update(body: ChangeAccountBody = {}, options?: RequestOptions): Call<Person> {
    return this.client.call('PATCH', '/v1/account', { body, options });
  }

  /**
   * Change one’s password: `POST /v1/account/password`.
   *
   * Ends all other sessions. The password that holds has to be given; 10 wrong ones in 15 minutes are all that is taken.
   *
   * Needs: the session of a person.
   *
   * @example
   * // All other sessions end.
   * await asPerson.account.changePassword({ current: password, password: newPassword });
   */
  changePassword(body: ChangePasswordBody, options?: PostOptions): Call<void> {
    return this.client.call('POST', '/v1/account/password', { body, options, reads: 'nothing' });
  }

  /**
   * List one’s sessions: `GET /v1/account/sessions`.
   *
   * The browsers in which one is logged in. Up to 20: a further one ends that which was not used for longest.
   *
   * Needs: the session of a person.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { userAgent, lastSeenAt, current } of asPerson.account.listSessions()) {
   *   console.log(userAgent, lastSeenAt, current);
   * }
   */
  listSessions(query?: ListSessionsQuery, options?: RequestOptions): List<OwnSession> {
    return this.client.list('/v1/account/sessions', query, options);
  }

  /**
   * End one of one’s sessions: `DELETE /v1/account/sessions/{id}`.
   *
   * Ends it, everywhere within a second.
   *
   * Needs: the session of a person.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * for await (const { id, current } of asPerson.account.listSessions()) {
   *   if (!current) await asPerson.account.endSession(id);
   * }
   */
  endSession(id: Id, options?: RequestOptions): Call<void> {
    return this.client.call('DELETE', path`/v1/account/sessions/${id}`, { options, reads: 'nothing' });
  }

  /**
   * Begin to use a second factor: `POST /v1/account/totp`.
   *
   * Makes a secret for an app that makes codes (RFC 6238). It asks for nothing until a first code has proved it.
   *
   * Needs: the session of a person. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `invalid-transition` (409)
   *
   * @example
   * const { secret, uri } = await asPerson.account.startTotp();
   * // The URI for a QR code, the secret for who types it in.
   * console.log(secret, uri);
   */
  startTotp(options?: PostOptions): Call<TotpSecret> {
    return this.client.call('POST', '/v1/account/totp', { options });
  }

  /**
   * Use a second factor from now on: `POST /v1/account/totp/confirm`.
   *
   * A first code proves that the app has the secret: from now on the password needs one beside it. The recovery codes are for the day when the app is lost; each counts once.
   *
   * Needs: the session of a person.
   *
   * @throws WhenceError `invalid-transition` (409)
   *
   * @example
   * const { secret } = await asPerson.account.startTotp();
   * const { recoveryCodes } = await asPerson.account.confirmTotp({ code: await codeOf(secret) });
   * console.log(recoveryCodes.length); // 10
   */
  confirmTotp(body: ConfirmTotpBody, options?: PostOptions): Call<RecoveryCodes> {
    return this.client.call('POST', '/v1/account/totp/confirm', { body, options });
  }

  /**
   * Use no second factor any more: `POST /v1/account/totp/remove`.
   *
   * Takes a code of the app or a recovery code. The recovery codes go as well.
   *
   * Needs: the session of a person.
   *
   * @throws WhenceError `invalid-transition` (409)
   *
   * @example
   * const { secret } = await asPerson.account.startTotp();
   * const { recoveryCodes } = await asPerson.account.confirmTotp({ code: await codeOf(secret) });
   * await asPerson.account.removeTotp({ code: recoveryCodes[0] ?? '' });
   * console.log((await asPerson.account.get()).twoFactor); // false
   */
  removeTotp(body: RemoveTotpBody, options?: PostOptions): Call<void> {
    return this.client.call('POST', '/v1/account/totp/remove', { body, options, reads: 'nothing' });
  }

  /**
   * List one’s passkeys: `GET /v1/account/passkeys`.
   *
   * The passkeys of who is logged in.
   *
   * Needs: the session of a person.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { name, lastUsedAt } of asPerson.account.listPasskeys()) console.log(name, lastUsedAt);
   */
  listPasskeys(query?: ListPasskeysQuery, options?: RequestOptions): List<Passkey> {
    return this.client.list('/v1/account/passkeys', query, options);
  }

  /**
   * Add a passkey: `POST /v1/account/passkeys`.
   *
   * Adds the passkey that an authenticator has made for the challenge, which counts once. One person has up to 20.
   *
   * Needs: the session of a person. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `invalid-transition` (409)
   *
   * @example
   * const response = authenticator.create(await asPerson.account.challengePasskey());
   * const { name } = await asPerson.account.createPasskey({ name: 'Phone', response });
   * console.log(name); // Phone
   */
  createPasskey(body: CreatePasskeyBody, options?: PostOptions): Call<Passkey> {
    return this.client.call('POST', '/v1/account/passkeys', { body, options });
  }

  /**
   * Begin to add a passkey: `POST /v1/account/passkeys/challenge`.
   *
   * Answers what `navigator.credentials.create` takes. Good for five minutes.
   *
   * Needs: the session of a person. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403)
   *
   * @example
   * const options = await asPerson.account.challengePasskey();
   * // For startRegistration({ optionsJSON: options }) of @simplewebauthn/browser.
   * console.log(options['attestation']); // none
   */
  challengePasskey(options?: PostOptions): Call<ChallengePasskeyAnswer> {
    return this.client.call('POST', '/v1/account/passkeys/challenge', { options });
  }

  /**
   * Remove a passkey: `DELETE /v1/account/passkeys/{id}`.
   *
   * It logs nobody in any more.
   *
   * Needs: the session of a person. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404)
   *
   * @example
   * await asPerson.account.deletePasskey(passkeyId);
   * console.log((await asPerson.account.get()).passkeys); // 0
   */
  deletePasskey(id: Id, options?: RequestOptions): Call<void> {
    return this.client.call('DELETE', path`/v1/account/passkeys/${id}`, { options, reads: 'nothing' });
  }
}
