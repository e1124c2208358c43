// Made by `npm run sdk` from openapi.json. Don’t edit it.

import {
  type Call,
  type Id,
  path,
  type RequestOptions,
  type PostOptions,
  type VersionOptions,
  Resource,
} from '../client.ts';
import type { List } from '../list.ts';
import type {
  Alias,
  Balance,
  ChangeCollaboratorBody,
  Collaborator,
  CollaboratorData,
  CollaboratorMove,
  CreateAliasBody,
  CreateCollaboratorBody,
  DownloadStatementQuery,
  EraseCollaboratorBody,
  GetStatementQuery,
  ListAliasesQuery,
  ListCollaboratorsQuery,
  ListSignUpsQuery,
  MoveCollaboratorsBody,
  PayoutDetails,
  SignUp,
  Statement,
} from '../schemas.ts';

/** `whence.collaborators`. */
export class CollaboratorsResource extends Resource {
  /**
   * List collaborators: `GET /v1/collaborators`.
   *
   * All but the deleted; with `status=deleted` those.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const collaborator of whence.collaborators.list({ status: 'active', sort: 'name' })) {
   *   console.log(collaborator.name);
   * }
   */
  list(query?: ListCollaboratorsQuery, options?: RequestOptions): List<Collaborator> {
    return this.client.list('/v1/collaborators', query, options);
  }

  /**
   * Create a collaborator: `POST /v1/collaborators`.
   *
   * With its first aliases. If another collaborator has one of the codes, nothing is created: the 409 names each code with its owner (`taken`).
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `alias-taken` (409)
   *
   * @example
   * const ada = await whence.collaborators.create({
   *   name: 'Ada Lovelace',
   *   email: 'ada@example.com',
   *   aliases: [
   *     { type: 'tracking', code: 'ada' },
   *     { type: 'coupon', code: 'ADA10' },
   *   ],
   * });
   * console.log(ada.status); // active
   */
  create(body: CreateCollaboratorBody, options?: PostOptions): Call<Collaborator> {
    return this.client.call('POST', '/v1/collaborators', { body, options });
  }

  /**
   * Get a collaborator: `GET /v1/collaborators/{id}`.
   *
   * A collaborator, also a deleted one.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * const { name } = await whence.collaborators.get(collaboratorId);
   * console.log(name); // Ada Lovelace
   */
  get(id: Id, options?: RequestOptions): Call<Collaborator> {
    return this.client.call('GET', path`/v1/collaborators/${id}`, { options });
  }

  /**
   * Change a collaborator: `PATCH /v1/collaborators/{id}`.
   *
   * Changes the fields that are given; null takes an optional one away.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may change `email` only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `invalid-transition` (409), `precondition-failed` (412)
   *
   * @example
   * const { status } = await whence.collaborators.update(collaboratorId, { status: 'inactive' });
   * console.log(status); // inactive
   */
  update(id: Id, body: ChangeCollaboratorBody = {}, options?: RequestOptions & VersionOptions): Call<Collaborator> {
    return this.client.call('PATCH', path`/v1/collaborators/${id}`, { body, options });
  }

  /**
   * Delete a collaborator: `DELETE /v1/collaborators/{id}`.
   *
   * They earn nothing from now on; what they have earned stays. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `precondition-failed` (412)
   *
   * @example
   * const { status } = await whence.collaborators.delete(collaboratorId);
   * console.log(status); // deleted
   */
  delete(id: Id, options?: RequestOptions & VersionOptions): Call<Collaborator> {
    return this.client.call('DELETE', path`/v1/collaborators/${id}`, { options });
  }

  /**
   * Invite a collaborator to the portal: `POST /v1/collaborators/{id}/invitation`.
   *
   * Sends an email that says who added them, where the portal is, and how to log in. The email has no login link, so it does not expire. Limits: 5 such emails in 15 minutes to one address, and 1,000 an hour for an organization. The answer is a 409 if the collaborator has no email address, may not log in, or the organization has no portal.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * await whence.portalSettings.update({ slug: 'mugs-of-ada', landingUrl: 'https://mugs.example/' });
   * const { email } = await whence.collaborators.invite(collaboratorId);
   * console.log(email); // ada@example.com
   */
  invite(id: Id, options?: PostOptions): Call<Collaborator> {
    return this.client.call('POST', path`/v1/collaborators/${id}/invitation`, { options });
  }

  /**
   * Let in, rest or turn away many collaborators: `POST /v1/collaborators/bulk`.
   *
   * Makes up to 1,000 collaborators active (`activate`), inactive (`deactivate`) or rejected (`reject`) at once; those that can’t become so are told and stay as they are. One outcome for each id, in the order of the request; an id that comes twice counts once. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @example
   * const outcomes = await whence.collaborators.bulk({ action: 'deactivate', ids: [collaboratorId] });
   * for (const { outcome, status } of outcomes) console.log(outcome, status); // changed inactive
   */
  bulk(body: MoveCollaboratorsBody, options?: PostOptions): Call<CollaboratorMove[]> {
    return this.client.call('POST', '/v1/collaborators/bulk', { body, options });
  }

  /**
   * List a collaborator’s aliases: `GET /v1/collaborators/{id}/aliases`.
   *
   * The current ones; with `status=retired` those of the past.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400), `not-found` (404)
   *
   * @example
   * const { data } = await whence.collaborators.listAliases(collaboratorId, { sort: 'id' });
   * console.log(data.map(({ type, code }) => `${type}:${code}`).join()); // tracking:ada,coupon:ADA10
   */
  listAliases(id: Id, query?: ListAliasesQuery, options?: RequestOptions): List<Alias> {
    return this.client.list(path`/v1/collaborators/${id}/aliases`, query, options);
  }

  /**
   * Give a collaborator an alias: `POST /v1/collaborators/{id}/aliases`.
   *
   * From now on the code leads to this collaborator, and their earlier codes still do. If they already have the code, the existing alias is returned. If another collaborator has it, the answer is a 409: `taken` names the alias and its owner, and `POST /v1/aliases/{id}/move` moves it. A retired code can be given to anyone.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `alias-taken` (409), `invalid-transition` (409)
   *
   * @example
   * const alias = await whence.collaborators.createAlias(collaboratorId, { type: 'tracking', code: 'lovelace' });
   * console.log(alias.status); // current
   */
  createAlias(id: Id, body: CreateAliasBody, options?: PostOptions): Call<Alias> {
    return this.client.call('POST', path`/v1/collaborators/${id}/aliases`, { body, options });
  }

  /**
   * Retire an alias: `DELETE /v1/collaborators/{id}/aliases/{aliasId}`.
   *
   * The code leads nowhere from now on. The same call again changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404)
   *
   * @example
   * const alias = await whence.collaborators.retireAlias(collaboratorId, aliasId);
   * console.log(alias.status); // retired
   */
  retireAlias(id: Id, aliasId: Id, options?: RequestOptions): Call<Alias> {
    return this.client.call('DELETE', path`/v1/collaborators/${id}/aliases/${aliasId}`, { options });
  }

  /**
   * Get a collaborator’s balance: `GET /v1/collaborators/{id}/balance`.
   *
   * For each currency in which they ever earned, by the entries of the ledger alone. Also of a deleted one.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404)
   *
   * @example
   * for (const { currency, pending, paid } of await whence.collaborators.getBalance(collaboratorId)) {
   *   console.log(currency, pending, paid);
   * }
   */
  getBalance(id: Id, options?: RequestOptions): Call<Balance[]> {
    return this.client.call('GET', path`/v1/collaborators/${id}/balance`, { options });
  }

  /**
   * Get a collaborator’s statement: `GET /v1/collaborators/{id}/statement`.
   *
   * The balance (what is payable and not paid) at the beginning of a span of time, every entry in it, and the balance at its end. At most 20,000 entries; ask for a shorter span where there are more.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400), `not-found` (404)
   *
   * @example
   * const { currencies } = await whence.collaborators.getStatement(collaboratorId, {
   *   from: '2026-01-01T00:00:00Z',
   *   to: '2027-01-01T00:00:00Z',
   * });
   * for (const { currency, closing } of currencies) console.log(currency, closing);
   */
  getStatement(id: Id, query?: GetStatementQuery, options?: RequestOptions): Call<Statement> {
    return this.client.call('GET', path`/v1/collaborators/${id}/statement`, { query, options });
  }

  /**
   * Download a collaborator’s statement: `GET /v1/collaborators/{id}/statement.csv`.
   *
   * The same as a file for spreadsheets, amounts in major units: for each currency a line `opening`, one for each entry, and a line `closing`.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400), `not-found` (404)
   *
   * @example
   * const csv = await whence.collaborators.downloadStatement(collaboratorId, { currency: 'USD' });
   * console.log(csv.includes('balance')); // true
   */
  downloadStatement(id: Id, query?: DownloadStatementQuery, options?: RequestOptions): Call<string> {
    return this.client.call('GET', path`/v1/collaborators/${id}/statement.csv`, { query, options, reads: 'text' });
  }

  /**
   * Export what is stored of a collaborator: `GET /v1/collaborators/{id}/export`.
   *
   * Returns all personal data: fields, codes, sign-ups, payout details in full, sessions, passkeys, and the audit’s copies. The export is recorded in the audit log. To export their own visits and purchases, use `POST /v1/visitors/export` with their user id.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404)
   *
   * @example
   * const { collaborator, codes } = await whence.collaborators.export(collaboratorId);
   * console.log(collaborator.name, codes.length); // Ada Lovelace 2
   */
  export(id: Id, options?: RequestOptions): Call<CollaboratorData> {
    return this.client.call('GET', path`/v1/collaborators/${id}/export`, { options });
  }

  /**
   * Erase a collaborator: `POST /v1/collaborators/erase`.
   *
   * Deletes a collaborator and permanently erases their personal data: name, email, nickname, user id, codes, sign-ups, payout details, sessions, passkeys, and the audit’s copies of these. Data about them as a visitor is erased too. Their earnings stay under their id. The call is refused while anything is owed to them. Repeating it changes nothing.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404), `still-owed` (409)
   *
   * @example
   * const { name, status } = await whence.collaborators.erase({ collaboratorId });
   * console.log(name, status); // Erased deleted
   */
  erase(body: EraseCollaboratorBody, options?: PostOptions): Call<Collaborator> {
    return this.client.call('POST', '/v1/collaborators/erase', { body, options });
  }

  /**
   * List a collaborator’s sign-ups: `GET /v1/collaborators/{id}/sign-ups`.
   *
   * What they have signed up for by the portal, and what they answered. Each program once.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400), `not-found` (404)
   *
   * @example
   * // Whoever waits, and what they have answered.
   * for await (const { id, name } of whence.collaborators.list({ status: 'pending' })) {
   *   for await (const signUp of whence.collaborators.listSignUps(id)) {
   *     console.log(name, signUp.programName, signUp.application);
   *   }
   * }
   */
  listSignUps(id: Id, query?: ListSignUpsQuery, options?: RequestOptions): List<SignUp> {
    return this.client.list(path`/v1/collaborators/${id}/sign-ups`, query, options);
  }

  /**
   * Get a collaborator’s payout details: `GET /v1/collaborators/{id}/payout-details`.
   *
   * What they have given in the portal, in full. It is kept sealed; each time that it is read is in the audit log. 404 where they have given none.
   *
   * Needs: a secret key with the scope `resources:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `not-found` (404)
   *
   * @example
   * // What Ada has given in the portal.
   * await asCollaborator.portal.changeAccount({
   *   payoutDetails: { method: 'paypal', holder: 'Ada Lovelace', account: 'ada@example.com' },
   * });
   * const { method, account } = await whence.collaborators.getPayoutDetails(collaboratorId);
   * console.log(method, account); // paypal ada@example.com
   */
  getPayoutDetails(id: Id, options?: RequestOptions): Call<PayoutDetails> {
    return this.client.call('GET', path`/v1/collaborators/${id}/payout-details`, { options });
  }
}
