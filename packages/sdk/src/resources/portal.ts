// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type {
  Balance,
  ChallengePortalPasskeyAnswer,
  ChangePortalAccountBody,
  CreatePortalLinkBody,
  CreatePortalPasskeyBody,
  DownloadPortalStatementQuery,
  GetPortalFiguresQuery,
  GetPortalStatementQuery,
  ListPortalConversionsQuery,
  ListPortalPasskeysQuery,
  ListPortalPayoutsQuery,
  ListPortalSessionsQuery,
  NewPortalLink,
  OwnSession,
  Passkey,
  PortalAccount,
  PortalConversion,
  PortalFigures,
  PortalLink,
  PortalPayout,
  PortalSession,
  PortalStatement,
} from '../schemas.ts';

/** `whence.portal`. */
export class PortalResource extends Resource {
  /**
   * Get who has logged in: `GET /v1/portal/session`.
   *
   * The collaborator of the session, the portal as they see it, and what they may earn in.
   *
   * Needs: the session of a collaborator.
   *
   * @example
   * const { collaborator } = await whence.portal.getSession();
   * console.log(collaborator.status); // active
   */
  getSession(options?: RequestOptions): Call<PortalSession> {
    return this.client.call('GET', '/v1/portal/session', { options });
  }

  /**
   * Log out: `DELETE /v1/portal/session`.
   *
   * Ends the session and takes its cookie away.
   *
   * Needs: the session of a collaborator.
   *
   * @example
   * await whence.portal.closeSession();
   */
  closeSession(options?: RequestOptions): Call<void> {
    return this.client.call('DELETE', '/v1/portal/session', { options, reads: 'nothing' });
  }

  /**
   * List one’s own sessions: `GET /v1/portal/sessions`.
   *
   * The browsers in which one is logged in. Up to 20: a further one ends that which was not used for longest.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { userAgent, lastSeenAt, current } of whence.portal.listSessions()) {
   *   console.log(userAgent, lastSeenAt, current);
   * }
   */
  listSessions(query?: ListPortalSessionsQuery, options?: RequestOptions): List<OwnSession> {
    return this.client.list('/v1/portal/sessions', query, options);
  }

  /**
   * End one of one’s own sessions: `DELETE /v1/portal/sessions/{id}`.
   *
   * Ends it, everywhere within a second.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * for await (const { id, current } of whence.portal.listSessions()) {
   *   if (!current) await whence.portal.endSession(id);
   * }
   */
  endSession(id: Id, options?: RequestOptions): Call<void> {
    return this.client.call('DELETE', path`/v1/portal/sessions/${id}`, { options, reads: 'nothing' });
  }

  /**
   * Get one’s own account: `GET /v1/portal/account`.
   *
   * Name, address and payout details; of an account no more than its end is shown.
   *
   * Needs: the session of a collaborator.
   *
   * @example
   * const { name, payoutDetails } = await whence.portal.getAccount();
   * console.log(name, payoutDetails?.account ?? 'not given'); // Ada Lovelace not given
   */
  getAccount(options?: RequestOptions): Call<PortalAccount> {
    return this.client.call('GET', '/v1/portal/account', { options });
  }

  /**
   * Change one’s own account: `PATCH /v1/portal/account`.
   *
   * Changes what is given. Payout details are kept sealed, and a change of them is told by mail; null takes them away.
   *
   * Needs: the session of a collaborator. A session may change `payoutDetails` only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403)
   *
   * @example
   * const { payoutDetails } = await whence.portal.changeAccount({
   *   payoutDetails: { method: 'bank', holder: 'Ada Lovelace', account: 'DE89 3704 0044 0532 0130 00' },
   * });
   * console.log(payoutDetails?.account); // ••••3000
   */
  changeAccount(body: ChangePortalAccountBody = {}, options?: RequestOptions): Call<PortalAccount> {
    return this.client.call('PATCH', '/v1/portal/account', { body, options });
  }

  /**
   * List one’s own passkeys: `GET /v1/portal/passkeys`.
   *
   * The passkeys of the collaborator who is logged in.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { name, lastUsedAt } of whence.portal.listPasskeys()) console.log(name, lastUsedAt);
   */
  listPasskeys(query?: ListPortalPasskeysQuery, options?: RequestOptions): List<Passkey> {
    return this.client.list('/v1/portal/passkeys', query, options);
  }

  /**
   * Add a passkey: `POST /v1/portal/passkeys`.
   *
   * Adds the passkey that an authenticator has made for the challenge, which counts once. One collaborator has up to 20; each is told by mail.
   *
   * Needs: the session of a collaborator. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `invalid-transition` (409)
   *
   * @example
   * const response = authenticator.create(await whence.portal.challengePasskey());
   * const { name } = await whence.portal.createPasskey({ name: 'Phone', response });
   * console.log(name); // Phone
   */
  createPasskey(body: CreatePortalPasskeyBody, options?: PostOptions): Call<Passkey> {
    return this.client.call('POST', '/v1/portal/passkeys', { body, options });
  }

  /**
   * Begin to add a passkey: `POST /v1/portal/passkeys/challenge`.
   *
   * Answers what `navigator.credentials.create` takes. Good for five minutes. Who has no address any more adds none.
   *
   * Needs: the session of a collaborator. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `invalid-transition` (409)
   *
   * @example
   * const options = await whence.portal.challengePasskey();
   * console.log((options['rp'] as { name: string }).name); // Whence
   */
  challengePasskey(options?: PostOptions): Call<ChallengePortalPasskeyAnswer> {
    return this.client.call('POST', '/v1/portal/passkeys/challenge', { options });
  }

  /**
   * Remove a passkey: `DELETE /v1/portal/passkeys/{id}`.
   *
   * It logs nobody in any more.
   *
   * Needs: the session of a collaborator. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404)
   *
   * @example
   * await whence.portal.deletePasskey(portalPasskeyId);
   */
  deletePasskey(id: Id, options?: RequestOptions): Call<void> {
    return this.client.call('DELETE', path`/v1/portal/passkeys/${id}`, { options, reads: 'nothing' });
  }

  /**
   * List one’s own links: `GET /v1/portal/links`.
   *
   * The links and coupons that lead to the collaborator now, the oldest first; at most 500.
   *
   * Needs: the session of a collaborator.
   *
   * @example
   * for (const { url, code, visits } of await whence.portal.listLinks()) {
   *   console.log(url ?? code, visits); // https://shop.example/?ref=ada 0
   * }
   */
  listLinks(options?: RequestOptions): Call<PortalLink[]> {
    return this.client.call('GET', '/v1/portal/links', { options });
  }

  /**
   * Make a link: `POST /v1/portal/links`.
   *
   * With a `subId` a further link, `<code>.<subId>`, which is counted apart; one that is there already is answered as it is. Without, the first link of who has none yet. A collaborator who waits makes none, and nobody has more than 500.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `code-taken` (409), `too-many-links` (409), `invalid-transition` (409)
   *
   * @example
   * const { url } = await whence.portal.createLink({ subId: 'newsletter' });
   * console.log(url); // https://shop.example/?ref=ada.newsletter
   */
  createLink(body: CreatePortalLinkBody = {}, options?: PostOptions): Call<NewPortalLink> {
    return this.client.call('POST', '/v1/portal/links', { body, options });
  }

  /**
   * Retire a link: `DELETE /v1/portal/links/{id}`.
   *
   * It leads nowhere from now on; what came by it stays. The same call again changes nothing. The first link and coupons are the merchant’s to retire.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { id } = await whence.portal.createLink({ subId: 'newsletter' });
   * await whence.portal.retireLink(id);
   */
  retireLink(id: Id, options?: RequestOptions): Call<void> {
    return this.client.call('DELETE', path`/v1/portal/links/${id}`, { options, reads: 'nothing' });
  }

  /**
   * List one’s own conversions: `GET /v1/portal/conversions`.
   *
   * What the collaborator has earned, and why it stands as it does.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { id, amount, words } of whence.portal.listConversions()) {
   *   console.log(id === conversionId, amount, words); // true 500 Waits for approval.
   * }
   */
  listConversions(query?: ListPortalConversionsQuery, options?: RequestOptions): List<PortalConversion> {
    return this.client.list('/v1/portal/conversions', query, options);
  }

  /**
   * Get one’s own figures: `GET /v1/portal/figures`.
   *
   * Visits, conversions and earnings of the collaborator in a span of days (UTC), at most 400.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * const { rows } = await whence.portal.getFigures({ from: today, until: tomorrow, by: 'day' });
   * console.log(rows[0]?.visits); // 0
   */
  getFigures(query: GetPortalFiguresQuery, options?: RequestOptions): Call<PortalFigures> {
    return this.client.call('GET', '/v1/portal/figures', { query, options });
  }

  /**
   * Get one’s own balance: `GET /v1/portal/balance`.
   *
   * For each currency in which the collaborator ever earned.
   *
   * Needs: the session of a collaborator.
   *
   * @example
   * for (const { currency, inPayout } of await whence.portal.getBalance()) {
   *   console.log(payoutId > 0, currency, inPayout); // true USD 500
   * }
   */
  getBalance(options?: RequestOptions): Call<Balance[]> {
    return this.client.call('GET', '/v1/portal/balance', { options });
  }

  /**
   * List one’s own payouts: `GET /v1/portal/payouts`.
   *
   * What was paid to the collaborator, and what is about to be.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { id, amount, status } of whence.portal.listPayouts()) {
   *   console.log(id === paidPayoutId, amount, status); // true 500 paid
   * }
   */
  listPayouts(query?: ListPortalPayoutsQuery, options?: RequestOptions): List<PortalPayout> {
    return this.client.list('/v1/portal/payouts', query, options);
  }

  /**
   * Get one’s own statement: `GET /v1/portal/statement`.
   *
   * The balance at the beginning of a span of time, every entry in it, and the balance at its end. At most 20,000 entries. It names conversions and payouts, not the orders behind them.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * const { currencies } = await whence.portal.getStatement();
   * console.log(paidPayoutId > 0, currencies[0]?.closing); // true 0
   */
  getStatement(query?: GetPortalStatementQuery, options?: RequestOptions): Call<PortalStatement> {
    return this.client.call('GET', '/v1/portal/statement', { query, options });
  }

  /**
   * Download one’s own statement: `GET /v1/portal/statement.csv`.
   *
   * The same as a file for spreadsheets, amounts in major units.
   *
   * Needs: the session of a collaborator.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * const file = await whence.portal.downloadStatement({ from: '2026-01-01T00:00:00Z' });
   * console.log(file.split('\r\n')[0]); // time,kind,currency,amount,effect,balance,conversion,payout
   */
  downloadStatement(query?: DownloadPortalStatementQuery, options?: RequestOptions): Call<string> {
    return this.client.call('GET', '/v1/portal/statement.csv', { query, options, reads: 'text' });
  }
}
