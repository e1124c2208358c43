import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '#domain/ids.ts';
import { addressOf, INVITATION_DAYS, leavesNoOwner, RESET_MINUTES, type Role } from '#domain/person.ts';
import { tokenHash, tokenOf } from '#domain/session.ts';
import { insertAuditEntry } from '#store/audit.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { insertInvitation } from '#store/invitations.ts';
import { findFirstOrganization } from '#store/organization-founding.ts';
import { insertPasswordReset } from '#store/password-resets.ts';
import { findByAddress, lockOwners, type Person, updatePerson } from '#store/people.ts';

export type LetIn = {
  readonly email: string;
  readonly publicUrl: string;
  /** The first one unless told. */
  readonly organization?: OrganizationId | undefined;
  /** Owner unless told; of somebody who is there already: as it is. */
  readonly role?: Role | undefined;
};

/**
 * Lets somebody in from the command line: where the last owner is locked out, there is no other way. Who has the address already
 * gets a link to a new password, and needs no second factor after it; anybody else an invitation.
 */
export function letIn(
  database: Database,
  { email, publicUrl, organization, role }: LetIn,
): Promise<{ readonly kind: 'invited' | 'let-in-again'; readonly url: string }> {
  const token = tokenOf(randomBytes(32));
  return inTransaction(database, async (connection) => {
    const address = addressOf(email);
    const person = await findByAddress(connection, address);
    if (person !== undefined) {
      await letInAgain(connection, person, role, tokenHash(token));
      return { kind: 'let-in-again', url: `${publicUrl}/console/reset#${token}` };
    }
    const organizationId = organization ?? (await findFirstOrganization(connection));
    if (organizationId === undefined) throw new Error('There is no organization yet: start the service once.');
    const made = { email: address, role: role ?? 'owner', invitedBy: COMMAND_LINE, seconds: INVITATION_DAYS * 86_400 };
    await insertInvitation(connection, organizationId, { ...made, hash: tokenHash(token) });
    await audit(connection, organizationId, 'createInvitation', '/v1/invitations', { email: address, role: made.role });
    return { kind: 'invited', url: `${publicUrl}/console/invitation#${token}` };
  });
}

async function letInAgain(
  connection: Connection,
  { organizationId, id, name, role: held }: Person,
  role: Role = held,
  hash: Buffer,
): Promise<void> {
  await insertPasswordReset(connection, { organizationId, personId: id, liftsTotp: true }, hash, RESET_MINUTES * 60);
  await audit(connection, organizationId, 'requestPasswordReset', '/v1/password-resets', { person: id });
  if (role === held) return;
  if (leavesNoOwner(await lockOwners(connection, organizationId), id, role))
    throw new Error('They are the last owner: make somebody else one first.');
  await updatePerson(connection, organizationId, id, { name, role });
  await audit(connection, organizationId, 'changePerson', `/v1/people/${id}`, { role });
}

const COMMAND_LINE = 'command line';

/** What is done here is done by whoever may reach the database; no key says who that is. */
async function audit(
  connection: Connection,
  organizationId: OrganizationId,
  operation: string,
  path: string,
  request: object,
): Promise<void> {
  const entry = { author: COMMAND_LINE, operation, path, request: JSON.stringify(request), before: null, after: null };
  await insertAuditEntry(connection, organizationId, entry);
}
