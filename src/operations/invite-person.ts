import { randomBytes } from 'node:crypto';
import { lackingScopes, type Scope } from '#domain/api-key.ts';
import type { OrganizationId, PersonId } from '#domain/ids.ts';
import { invitationMail } from '#domain/mail.ts';
import { addressOf, INVITATION_DAYS, MAX_OPEN_INVITATIONS, type Role, scopesOf } from '#domain/person.ts';
import { tokenHash, tokenOf } from '#domain/session.ts';
import { THROTTLES, throttleBucket } from '#domain/throttle.ts';
import { lockConfiguration } from '#store/configuration.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { countOpenInvitations, insertInvitation } from '#store/invitations.ts';
import { findByAddress, lockPerson } from '#store/people.ts';
import { type InvitationResource, invitations } from '#store/read/invitations.ts';
import { readOrganization } from '#store/read/organizations.ts';
import { readOne } from '#store/read/page.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { PersonGone } from './change-account.ts';
import { postMail } from './post-mail.ts';
import { takeThrottles, type Throttled } from './take-throttles.ts';

const DAY_S = 86_400;
const OF_PERSON = 'invitation of a person';

/** Who asks, and where the links lead. */
export type Inviter = {
  readonly organizationId: OrganizationId;
  readonly author: string;
  /** Undefined: a key asks. */
  readonly personId: PersonId | undefined;
  /** As the mail names them; null: it does not. */
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly publicUrl: string;
};

export type Inviting =
  | { readonly kind: 'invited'; readonly invitation: InvitationResource; readonly url: string }
  | { readonly kind: 'address-taken' }
  /** MAX_OPEN_INVITATIONS of others are open. */
  | { readonly kind: 'too-many' }
  /** Who asks lacks these scopes of the role. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] }
  | Throttled;

/** Makes an invitation and leaves its mail to be sent. The link is in the answer and in the mail, and nowhere else. */
export function invitePerson(
  database: Database,
  secrets: SecretBox,
  { organizationId, author, personId, name, scopes, publicUrl }: Inviter,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<Inviting> {
  return inTransaction(database, async (connection) => {
    // Two at once count one after the other.
    await lockConfiguration(connection, organizationId);
    const held = personId === undefined ? scopes : await scopesNow(connection, organizationId, personId);
    const lacking = lackingScopes(['people:write', ...scopesOf(role)], held);
    if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
    const address = addressOf(email);
    if ((await findByAddress(connection, address)) !== undefined) return { kind: 'address-taken' };
    if ((await countOpenInvitations(connection, organizationId, address)) >= MAX_OPEN_INVITATIONS)
      return { kind: 'too-many' };
    const bucket = throttleBucket(secrets.hashKey, OF_PERSON, `${organizationId} ${address}`);
    const throttled = await takeThrottles(connection, [bucket, THROTTLES[OF_PERSON]]);
    if (throttled !== undefined) return throttled;
    const token = tokenOf(randomBytes(32));
    const seconds = INVITATION_DAYS * DAY_S;
    const made = { email: address, role, hash: tokenHash(token), invitedBy: author, seconds };
    const id = await insertInvitation(connection, organizationId, made);
    const url = `${publicUrl}/console/invitation#${token}`;
    const { name: organization } = await readOrganization(connection, organizationId);
    const text = invitationMail({ organization, invitedBy: name, role, url, days: INVITATION_DAYS });
    await postMail(connection, secrets, organizationId, { to: address, ...text }, seconds);
    const invitation = (await readOne(connection, organizationId, invitations, { id })) as InvitationResource;
    return { kind: 'invited', invitation, url };
  });
}

/**
 * What a person may do at this moment, until the transaction ends: of somebody who is removed, or no owner any more, all
 * invitations are void from then on, and none may follow by what they were allowed a moment ago.
 */
async function scopesNow(
  connection: Connection,
  organizationId: OrganizationId,
  personId: PersonId,
): Promise<readonly Scope[]> {
  const person = await lockPerson(connection, organizationId, personId);
  if (person === undefined) throw new PersonGone(`person ${personId}`);
  return scopesOf(person.role);
}
