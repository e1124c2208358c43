import { addressOf } from '../domain/person.ts';
import { tokenHash } from '../domain/session.ts';
import { type Database, inVisitorTransaction } from '#platform/postgres/database.ts';
import {
  acceptInvitation as accept,
  findInvitation,
  type Invitation,
  lockInvitation,
  voidFounderLinks,
} from '../store/invitations.ts';
import { hasOwner, insertPerson } from '../store/people.ts';
import type { Throttled } from '#platform/throttles/take-throttles.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Browser, type LoggedIn, logIn } from './begin-session.ts';
import { findPasswordFault, takePasswordTry } from './password-strength.ts';
import { hashPassword, saltOf } from './passwords.ts';

export type Acceptance = {
  readonly token: string;
  readonly name: string;
  /**
   * The email address that the first owner chooses. Every other invitation contains its own address and ignores this
   * value.
   */
  readonly email: string | undefined;
  readonly password: string;
};

export type AcceptanceOutcome =
  | ({ readonly kind: 'accepted' } & LoggedIn)
  | { readonly kind: 'expired' }
  | { readonly kind: 'address-missing' }
  | { readonly kind: 'address-taken' }
  | { readonly kind: 'weak'; readonly detail: string }
  | Throttled;

/**
 * Returns the invitation for a link's token, or undefined if the token is unknown or the invitation is no longer open.
 */
export function previewInvitation(database: Database, token: string): Promise<Invitation | undefined> {
  return findInvitation(database, tokenHash(token));
}

/** Creates the invited person and logs them in. A link works only once, even if two calls use it concurrently. */
export async function acceptInvitation(
  database: Database,
  secrets: SecretBox,
  { token, name, email, password }: Acceptance,
  browser: Browser,
): Promise<AcceptanceOutcome> {
  const hash = tokenHash(token);
  const invitation = await findInvitation(database, hash);
  if (invitation === undefined) return { kind: 'expired' };
  const given = invitation.email ?? email;
  if (given === undefined) return { kind: 'address-missing' };
  const address = addressOf(given);
  const throttled = await takePasswordTry(database, secrets, hash);
  if (throttled !== undefined) return throttled;
  const detail = await findPasswordFault(password, { email: address, organization: invitation.organization });
  if (detail !== undefined) return { kind: 'weak', detail };
  // Hash the password before the transaction, because hashing is slow and the transaction locks the invitation.
  const kept = await hashPassword(password, saltOf(secrets, address));
  return inVisitorTransaction(database, async (connection) => {
    const locked = await lockInvitation(connection, hash);
    if (locked === undefined) return { kind: 'expired' };
    const { organizationId, role } = locked;
    const tenant = { connection, organizationId };
    // The link that creates the first owner stops working as soon as there is an owner.
    if (locked.email === null && (await hasOwner(tenant))) return { kind: 'expired' };
    const id = await insertPerson(tenant, {
      email: address,
      name,
      role,
      password: kept,
      isConfirmed: locked.isEmailed,
    });
    if (id === undefined) return { kind: 'address-taken' };
    await accept(connection, locked, id);
    if (role === 'owner') await voidFounderLinks(tenant);
    const by = { operation: 'acceptInvitation', path: '/v1/invitations/accept' };
    return { kind: 'accepted', ...(await logIn(tenant, id, browser, by)) };
  });
}
