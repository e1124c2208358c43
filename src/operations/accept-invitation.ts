import { addressOf, passwordFault } from '#domain/person.ts';
import { tokenHash } from '#domain/session.ts';
import { type Database, inTransaction } from '#store/database.ts';
import {
  acceptInvitation as accept,
  findInvitation,
  type Invitation,
  lockInvitation,
  voidFounderLinks,
} from '#store/invitations.ts';
import { hasOwner, insertPerson } from '#store/people.ts';
import { type Browser, type LoggedIn, logIn } from './begin-session.ts';
import { hashPassword } from './passwords.ts';

export type Acceptance = {
  readonly token: string;
  readonly name: string;
  /** Of the first owner, whose link names none. */
  readonly email: string | undefined;
  readonly password: string;
};

export type Accepting =
  | ({ readonly kind: 'accepted' } & LoggedIn)
  | { readonly kind: 'expired' }
  | { readonly kind: 'address-missing' }
  | { readonly kind: 'address-taken' }
  | { readonly kind: 'weak'; readonly detail: string };

/** The open invitation of a link's token. */
export function previewInvitation(database: Database, token: string): Promise<Invitation | undefined> {
  return findInvitation(database, tokenHash(token));
}

/** Makes a person of who was invited, and logs them in. Of two at once with the same link one does. */
export async function acceptInvitation(
  database: Database,
  { token, name, email, password }: Acceptance,
  browser: Browser,
): Promise<Accepting> {
  const hash = tokenHash(token);
  const invitation = await findInvitation(database, hash);
  if (invitation === undefined) return { kind: 'expired' };
  const given = invitation.email ?? email;
  if (given === undefined) return { kind: 'address-missing' };
  const address = addressOf(given);
  const detail = passwordFault(password, address);
  if (detail !== undefined) return { kind: 'weak', detail };
  // Before the transaction: it takes its time, and nobody is to wait for it under a lock.
  const kept = await hashPassword(password);
  return inTransaction(database, async (connection) => {
    const locked = await lockInvitation(connection, hash);
    if (locked === undefined) return { kind: 'expired' };
    const { organizationId, role } = locked;
    // A link to the first owner's place is void once somebody has it, by whichever way.
    if (locked.email === null && (await hasOwner(connection, organizationId))) return { kind: 'expired' };
    const id = await insertPerson(connection, organizationId, { email: address, name, role, password: kept });
    if (id === undefined) return { kind: 'address-taken' };
    await accept(connection, locked, id);
    if (role === 'owner') await voidFounderLinks(connection, organizationId);
    const by = { operation: 'acceptInvitation', path: '/v1/invitations/accept' };
    return { kind: 'accepted', ...(await logIn(connection, organizationId, id, browser, by)) };
  });
}
