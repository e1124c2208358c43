import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '#core/ids.ts';
import { addressOf, INVITATION_DAYS, leavesNoOwner, RESET_MINUTES, scopesOf } from '../domain/person.ts';
import { tokenHash, tokenOf } from '../domain/session.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { lockCallers } from '../store/callers.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { insertInvitation, voidInvitationsBy } from '../store/invitations.ts';
import { insertPasswordReset } from '../store/password-resets.ts';
import { findByAddress, lockOwners, type Person, updatePerson } from '../store/people.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { chooseOrganization } from './choose-organization.ts';
import type { Role } from '#core/caller.ts';

export type AccessLinkRequest = {
  readonly email: string;
  readonly publicUrl: string;
  /** The organization that the person gets access to. The default is the first organization. */
  readonly organization?: OrganizationId | undefined;
  /** The role of the person. By default, a new person is a viewer, and an existing person keeps their role. */
  readonly role?: Role | undefined;
};

/** A link that the operator passes on to the person. `role` is the role that the person gets or keeps. */
export type AccessLink = {
  readonly kind: 'invited' | 'let-in-again';
  readonly organization: string;
  readonly role: Role;
  readonly url: string;
};

/**
 * Grants access from the command line, for example if the last owner is locked out. A new person gets an invitation. An
 * existing person gets a link to set a new password, which also removes their second factor. A given `role` becomes the
 * role of the existing person.
 *
 * Throws if the organization doesn't exist, or if the only owner would get another role. Also throws if no organization
 * is given and the address belongs to a person outside the first organization.
 */
export function createAccessLink(
  database: Database,
  { email, publicUrl, organization, role }: AccessLinkRequest,
): Promise<AccessLink> {
  const token = tokenOf(randomBytes(32));
  return inTransaction(database, async (connection) => {
    const address = addressOf(email);
    const organizationId = await chooseOrganization(connection, organization);
    // Lock all callers, so that nobody can change the person's role until the transaction ends.
    await lockCallers({ connection, organizationId }, 'exclusive');
    const people = await findByAddress(connection, address);
    if (organization === undefined && people.some((each) => each.organizationId !== organizationId)) {
      const names = people.map((each) => `${each.organizationId} (${each.organization})`).join(', ');
      throw new Error(
        `A person with this email address exists in ${names}. Choose an organization with --organization.`,
      );
    }
    const person = people.find((each) => each.organizationId === organizationId);
    if (person !== undefined) {
      await createResetLink(connection, person, role, tokenHash(token));
      const url = `${publicUrl}/console/reset#${token}`;
      return { kind: 'let-in-again', organization: person.organization, role: role ?? person.role, url };
    }
    const made = { email: address, role: role ?? 'viewer', invitedBy: COMMAND_LINE, seconds: INVITATION_DAYS * 86_400 };
    const tenant = { connection, organizationId };
    await insertInvitation(tenant, { ...made, hash: tokenHash(token) });
    await audit(tenant, 'createInvitation', '/v1/invitations', { email: address, role: made.role });
    const { name } = await readOrganization(tenant);
    return { kind: 'invited', organization: name, role: made.role, url: `${publicUrl}/console/invitation#${token}` };
  });
}

async function createResetLink(
  connection: Connection,
  { organizationId, id, name, role: held }: Person,
  role: Role = held,
  hash: Buffer,
): Promise<void> {
  await insertPasswordReset(connection, { organizationId, personId: id, liftsTotp: true }, hash, RESET_MINUTES * 60);
  const tenant = { connection, organizationId };
  await audit(tenant, 'requestPasswordReset', '/v1/password-resets', { person: id });
  if (role === held) return;
  if (leavesNoOwner(await lockOwners(tenant), id, role))
    throw new Error('This is the only owner. Make another person an owner first.');
  await updatePerson(tenant, id, { name, role });
  await voidInvitationsBy(tenant, `person ${id}`, scopesOf(role));
  await audit(tenant, 'changePerson', `/v1/people/${id}`, { role });
}

const COMMAND_LINE = 'command line';

/**
 * Records a change made on the command line. The audit record names no person, because anyone with access to the
 * database can make such a change.
 */
async function audit(tenant: Tenant<Connection>, operation: string, path: string, request: object): Promise<void> {
  const entry = { author: COMMAND_LINE, operation, path, request: JSON.stringify(request), before: null, after: null };
  await insertAuditEntry(tenant, entry);
}
