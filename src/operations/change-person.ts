import { lackingScopes, type Scope } from '#domain/api-key.ts';
import type { OrganizationId, PersonId } from '#domain/ids.ts';
import { leavesNoOwner, type Role, scopesOf } from '#domain/person.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { voidInvitationsBy } from '#store/invitations.ts';
import { closePerson, lockOwners, lockPerson, updatePerson } from '#store/people.ts';
import { readOne } from '#store/read/page.ts';
import { people, type PersonResource } from '#store/read/people.ts';

export type PersonChanging =
  | { readonly kind: 'changed'; readonly person: PersonResource }
  | { readonly kind: 'unknown' }
  /** Who was removed stays as they were. */
  | { readonly kind: 'removed'; readonly person: PersonResource }
  | { readonly kind: 'last-owner' }
  /** Who asks lacks these scopes of the role that is taken or given. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] };

/** What becomes of a person: what is given of it. */
export type PersonChange =
  { readonly name?: string | undefined; readonly role?: Role | undefined } | { readonly removed: true };

/**
 * Changes an active person, or removes them. `held` are the scopes of who asks. Changes of owners wait for each other, so
 * that of two at once that would leave none one is refused. What they have invited is void
 * once they may not invite any more.
 */
export function changePerson(
  database: Database,
  organizationId: OrganizationId,
  held: readonly Scope[],
  id: PersonId,
  change: PersonChange,
): Promise<PersonChanging> {
  return inTransaction(database, async (connection) => {
    const owners = await lockOwners(connection, organizationId);
    const person = await lockPerson(connection, organizationId, id);
    if (person === undefined) return notActive(connection, organizationId, id);
    const becomes = 'removed' in change ? 'removed' : (change.role ?? person.role);
    const touched = becomes === 'removed' ? scopesOf(person.role) : [...scopesOf(person.role), ...scopesOf(becomes)];
    const lacking = lackingScopes([...new Set(touched)], held);
    if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
    if (leavesNoOwner(owners, id, becomes)) return { kind: 'last-owner' };
    const mayInvite = becomes !== 'removed' && scopesOf(becomes).includes('people:write');
    if (!mayInvite) await voidInvitationsBy(connection, organizationId, `person ${id}`);
    if ('removed' in change) await closePerson(connection, organizationId, id);
    else {
      const { name = person.name, role = person.role } = change;
      await updatePerson(connection, organizationId, id, { name, role });
    }
    return { kind: 'changed', person: await shown(connection, organizationId, id) };
  });
}

async function notActive(
  connection: Connection,
  organizationId: OrganizationId,
  id: PersonId,
): Promise<PersonChanging> {
  const person = await readOne(connection, organizationId, people, { id });
  return person === undefined ? { kind: 'unknown' } : { kind: 'removed', person };
}

async function shown(connection: Connection, organizationId: OrganizationId, id: PersonId): Promise<PersonResource> {
  return (await readOne(connection, organizationId, people, { id })) as PersonResource;
}
