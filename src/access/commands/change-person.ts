import { lackingScopes } from '../domain/api-key.ts';
import type { PersonId } from '#core/ids.ts';
import { leavesNoOwner, scopesOf } from '../domain/person.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { voidInvitationsBy } from '../store/invitations.ts';
import { closePerson, lockOwners, lockPerson, updatePerson } from '../store/people.ts';
import { readExisting, readOne } from '#platform/postgres/lists/page.ts';
import { people, type PersonResource } from '../store/read/people.ts';
import type { Role, Scope } from '#core/caller.ts';

export type PersonChangeOutcome =
  | { readonly kind: 'changed'; readonly person: PersonResource }
  | { readonly kind: 'unknown' }
  /** The person was already removed, so nothing was changed. */
  | { readonly kind: 'removed'; readonly person: PersonResource }
  | { readonly kind: 'last-owner' }
  /** The caller lacks `scopes` of the old or the new role. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] };

/** A change of a person: new values of the given fields, or the person's removal. */
export type PersonChange =
  { readonly name?: string | undefined; readonly role?: Role | undefined } | { readonly removed: true };

/**
 * Changes or removes an active person. `held` contains the scopes of the caller. Changes of owners run one at a time.
 * If two concurrent changes would leave no owner, one change is refused. If a person loses the permission to invite,
 * their open invitations are revoked.
 */
export function changePerson(
  tenant: Tenant<Database>,
  held: readonly Scope[],
  id: PersonId,
  change: PersonChange,
): Promise<PersonChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    // Lock the person before the owners. A login locks in the same order: first the person's advisory lock, then their
    // row. If the owners were locked first, a login could cause a deadlock.
    const person = await lockPerson(tenant, id);
    const owners = await lockOwners(tenant);
    if (person === undefined) return inactiveOutcome(tenant, id);
    const becomes = 'removed' in change ? 'removed' : (change.role ?? person.role);
    const touched = becomes === 'removed' ? scopesOf(person.role) : [...scopesOf(person.role), ...scopesOf(becomes)];
    const lacking = lackingScopes([...new Set(touched)], held);
    if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
    if (leavesNoOwner(owners, id, becomes)) return { kind: 'last-owner' };
    await voidInvitationsBy(tenant, `person ${id}`, becomes === 'removed' ? [] : scopesOf(becomes));
    if ('removed' in change) await closePerson(tenant, id);
    else {
      const { name = person.name, role = person.role } = change;
      await updatePerson(tenant, id, { name, role });
    }
    return { kind: 'changed', person: await readExisting(tenant, people, { id }) };
  });
}

async function inactiveOutcome(tenant: Tenant<Connection>, id: PersonId): Promise<PersonChangeOutcome> {
  const person = await readOne(tenant, people, { id });
  return person === undefined ? { kind: 'unknown' } : { kind: 'removed', person };
}
