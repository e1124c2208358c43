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
   * Makes a link that is good for seven days and once, mails it, and shows it this once. One that the same address was sent before is void then. Nobody gives a role that may do more than they may themselves. An address can belong to one organization only. At most 100 are open at the same time, and an address is mailed five in a quarter of an hour.
   *
   * Needs: a secret key with the scope `people:write`, or a person whose role has it.
   *
   * @throws WhenceError `idempotency-answer-lost` (409), `too-many-invitations` (409), `address-taken` (409)
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
   * Needs: nothing. Anybody may call it, each network so often.
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
   * Needs: nothing. Anybody may call it, each network so often.
   *
   * @throws WhenceError `address-taken` (409), `link-expired` (410)
   *
   * @example
   * const { person } = await page.invitations.accept({
   *   token: invitationToken,
   *   name: 'Grace Hopper',
   *   password: 'seven quiet herons',
   * });
   * console.log(person.name, person.role); // Grace Hopper owner
   */
  accept(body: AcceptInvitationBody, options?: PostOptions): Call<Session> {
    return this.client.call('POST', '/v1/invitations/accept', { body, options });
  }
}
