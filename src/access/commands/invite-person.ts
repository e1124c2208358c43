import { randomBytes } from 'node:crypto';
import { lackingScopes } from '../domain/api-key.ts';
import type { OrganizationId } from '#core/ids.ts';
import { invitationEmail } from '../wording/emails.ts';
import { addressOf, INVITATION_DAYS, mailboxOf, MAX_OPEN_INVITATIONS, scopesToInvite } from '../domain/person.ts';
import { tokenHash, tokenOf } from '../domain/session.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { countOpenInvitations, insertInvitation } from '../store/invitations.ts';
import { isAddressTaken } from '../store/people.ts';
import { type InvitationResource, invitations } from '../store/read/invitations.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import type { Role, Scope } from '#core/caller.ts';

const DAY_S = 86_400;

/** The inviting caller, and the public address of the service for the link. */
export type Inviter = {
  readonly organizationId: OrganizationId;
  readonly author: string;
  /** The inviter's name in the email. If it is null, the email doesn't say who invited the recipient. */
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly publicUrl: string;
};

export type InvitationOutcome =
  | { readonly kind: 'invited'; readonly invitation: InvitationResource; readonly url: string }
  /** A person of the organization already has the address. */
  | { readonly kind: 'address-taken' }
  /** The organization already has MAX_OPEN_INVITATIONS open invitations to other addresses. */
  | { readonly kind: 'too-many' }
  /** The inviter lacks `scopes`, which are required to invite a person with the role. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] }
  | Throttled;

/**
 * Creates an invitation, revokes earlier open invitations to the same address, and queues the email. The two links, in
 * the result and in the email, differ, so that only the link from the email also confirms the address.
 */
export function invitePerson(
  database: Database,
  secrets: SecretBox,
  { organizationId, author, name, scopes, publicUrl }: Inviter,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<InvitationOutcome> {
  return inTransaction(database, async (connection) => {
    const tenant = { connection, organizationId };
    // Concurrent invitations of an organization wait for this lock, so that they can't exceed MAX_OPEN_INVITATIONS.
    await lockConfiguration(tenant);
    const lacking = lackingScopes(scopesToInvite(role), scopes);
    if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
    const address = addressOf(email);
    if (await isAddressTaken(tenant, address)) return { kind: 'address-taken' };
    if ((await countOpenInvitations(tenant, address)) >= MAX_OPEN_INVITATIONS) return { kind: 'too-many' };
    const throttled = await takeThrottles(
      connection,
      attemptsOf(secrets, 'invitation of a person', `${organizationId} ${mailboxOf(address)}`),
      attemptsOf(secrets, 'people invited by an organization', String(organizationId)),
    );
    if (throttled !== undefined) return throttled;
    const [token, emailed] = [tokenOf(randomBytes(32)), tokenOf(randomBytes(32))];
    const seconds = INVITATION_DAYS * DAY_S;
    const made = {
      email: address,
      role,
      hash: tokenHash(token),
      emailedHash: tokenHash(emailed),
      invitedBy: author,
      seconds,
    };
    const id = await insertInvitation(tenant, made);
    const urlOf = (token: string): string => `${publicUrl}/console/invitation#${token}`;
    const { name: organization } = await readOrganization(tenant);
    const invitation = await readExisting(tenant, invitations, { id });
    const text = invitationEmail({
      organization,
      invitedBy: name,
      role,
      url: urlOf(emailed),
      expiresAt: invitation.expiresAt,
    });
    await queueEmail(tenant, secrets, { to: address, ...text }, seconds);
    return { kind: 'invited', invitation, url: urlOf(token) };
  });
}
