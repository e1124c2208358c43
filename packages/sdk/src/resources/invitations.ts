// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type RequestOptions, type PostOptions, Resource } from '../client.ts';
import type { List } from '../list.ts';
import type {
  AcceptInvitationBody,
  CreateInvitationBody,
  Invitation,
  InvitationPreview,
  ListInvitationsQuery,
  NewInvitation,
  PreviewInvitationBody,
  Session,
} from '../schemas.ts';

/** `whence.invitations`. */
export class InvitationsResource extends Resource {
  /**
   * List invitations: `GET /v1/invitations`.
   *
   * Those that were made, whatever has become of them.
   *
   * Needs: a secret key with the scope `resources:read`, or a person whose role has it.
   *
   * @throws WhenceError `bad-request` (400)
   *
   * @example
   * for await (const { email, status, expiresAt } of whence.invitations.list()) console.log(email, status, expiresAt);
   */
  list(query?: ListInvitationsQuery, options?: RequestOptions): List<Invitation> {
    return this.client.list('/v1/invitations', query, options);
  }

  /**
   * Invite somebody: `POST /v1/invitations`.
   *
   * Creates an invitation link, sends it by email, and returns it this once. The link works once and expires after seven days. An earlier invitation of the same address becomes void. You can’t grant a role with more permissions than your own. An address is unique within an organization, but other organizations can invite it too. Limits: 100 open invitations, 5 emails to an address in 15 minutes, and 100 emails an hour for an organization.
   *
   * Needs: a secret key with the scope `people:write`, or a person whose role has it. A session may do this only within 15 minutes after a login.
   *
   * @throws WhenceError `log-in-too-old` (403), `idempotency-answer-lost` (409), `too-many-invitations` (409), `address-taken` (409)
   *
   * @example
   * const { url } = await whence.invitations.create({ email: newEmail, role: 'manager' });
   * // It was mailed as well. It is shown this once.
   * console.log(url);
   */
  create(body: CreateInvitationBody, options?: PostOptions): Call<NewInvitation> {
    return this.client.call('POST', '/v1/invitations', { body, options });
  }

  /**
   * Revoke an invitation: `DELETE /v1/invitations/{id}`.
   *
   * Its link holds no more. The same call again changes nothing. One that was accepted can’t be revoked: remove the person.
   *
   * Needs: a secret key with the scope `people:write`, or a person whose role has it.
   *
   * @throws WhenceError `not-found` (404), `invalid-transition` (409)
   *
   * @example
   * const { id } = await whence.invitations.create({ email: newEmail, role: 'manager' });
   * const { status } = await whence.invitations.revoke(id);
   * console.log(status); // revoked
   */
  revoke(id: Id, options?: RequestOptions): Call<Invitation> {
    return this.client.call('DELETE', path`/v1/invitations/${id}`, { options });
  }

  /**
   * Look at one’s invitation: `POST /v1/invitations/preview`.
   *
   * Who invites whom, by the link’s token.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `link-expired` (410)
   *
   * @example
   * const { organization, role } = await page.invitations.preview({ token: invitationToken });
   * console.log(organization, role); // Example owner
   */
  preview(body: PreviewInvitationBody, options?: PostOptions): Call<InvitationPreview> {
    return this.client.call('POST', '/v1/invitations/preview', { body, options });
  }

  /**
   * Accept one’s invitation: `POST /v1/invitations/accept`.
   *
   * Makes the person, logs them in and sets the cookie. The address is the one that was invited; the first owner’s link has none, so there `email` is needed. The link counts once.
   *
   * Needs: nothing. Anyone can call it. Calls are limited for each network.
   *
   * @throws WhenceError `address-taken` (409), `link-expired` (410)
   *
   * @example
   * const { person } = await page.invitations.accept({
   *   token: invitationToken,
   *   name: 'Grace Hopper',
   *   password,
   * });
   * console.log(person.name, person.role); // Grace Hopper owner
   */
  accept(body: AcceptInvitationBody, options?: PostOptions): Call<Session> {
    return this.client.call('POST', '/v1/invitations/accept', { body, options });
  }
}
