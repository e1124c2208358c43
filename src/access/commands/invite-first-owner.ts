import { randomBytes } from 'node:crypto';
import { INVITATION_DAYS } from '../domain/person.ts';
import { tokenHash, tokenOf } from '../domain/session.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { insertInvitation } from '../store/invitations.ts';
import { findFirstOrganization, lockFounding } from '../store/organization-founding.ts';
import { hasOwner } from '../store/people.ts';

/**
 * Returns a link that creates the first owner of the first organization. Returns undefined if there is no organization
 * or if it already has an owner. The previous link is revoked, so only one link is valid at a time.
 */
export function inviteFirstOwner(database: Database, publicUrl: string): Promise<string | undefined> {
  return inTransaction(database, async (connection) => {
    await lockFounding(connection);
    const organizationId = await findFirstOrganization(connection);
    if (organizationId === undefined || (await hasOwner({ connection, organizationId }))) return undefined;
    const token = tokenOf(randomBytes(32));
    await insertInvitation(
      { connection, organizationId },
      {
        email: null,
        role: 'owner',
        hash: tokenHash(token),
        invitedBy: 'command line',
        seconds: INVITATION_DAYS * 86_400,
      },
    );
    return `${publicUrl}/console/welcome#${token}`;
  });
}
