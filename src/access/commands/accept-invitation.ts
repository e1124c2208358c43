import { addressOf } from '../domain/person.ts';
import { tokenHash } from '../domain/session.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
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
  /** The address of the first owner. Undefined for other invitations, which contain their address. */
  readonly email: string | undefined;
  readonly password: string;
};

export type Accepting =
  | ({ readonly kind: 'accepted' } & LoggedIn)
  | { readonly kind: 'expired' }
  | { readonly kind: 'address-missing' }
  | { readonly kind: 'address-taken' }
  | { readonly kind: 'weak'; readonly detail: string }
  | Throttled;

/** Returns the open invitation for a link's token, or undefined. */
export function previewInvitation(database: Database, token: string): Promise<Invitation | undefined> {
  return findInvitation(database, tokenHash(token));
}

/**
 * Creates the invited person and logs them in. If two calls use the same link concurrently, only the first call
 * succeeds.
 */
export async function acceptInvitation(
  database: Database,
  secrets: SecretBox,
  { token, name, email, password }: Acceptance,
  browser: Browser,
): Promise<Accepting> {
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
  // Hash before the transaction, because hashing is slow and other calls would wait for the lock.
  const kept = await hashPassword(password, saltOf(secrets, address));
  return inTransaction(database, async (connection) => {
    const locked = await lockInvitation(connection, hash);
    if (locked === undefined) return { kind: 'expired' };
    const { organizationId, role } = locked;
    const tenant = { connection, organizationId };
    // The first owner's link is void as soon as there is any owner.
    if (locked.email === null && (await hasOwner(tenant))) return { kind: 'expired' };
    const id = await insertPerson(tenant, { email: address, name, role, password: kept });
    if (id === undefined) return { kind: 'address-taken' };
    await accept(connection, locked, id);
    if (role === 'owner') await voidFounderLinks(tenant);
    const by = { operation: 'acceptInvitation', path: '/v1/invitations/accept' };
    return { kind: 'accepted', ...(await logIn(tenant, id, browser, by)) };
  });
}
