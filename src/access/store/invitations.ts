import { rolesToInvite } from '../domain/person.ts';
import type { ApiKeyId, InvitationId, OrganizationId, PersonId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Role, Scope } from '#core/caller.ts';
import type { CallerName } from './callers.ts';

export type Invitation = {
  readonly organizationId: OrganizationId;
  readonly id: InvitationId;
  /** The invited address. Null for the link that creates the first owner. */
  readonly email: string | null;
  readonly role: Role;
  /** The name of the inviting organization. */
  readonly organization: string;
  /** Whether the given token is from the invitation's email. */
  readonly isEmailed: boolean;
};

const OPEN = `
  select i.organization_id as "organizationId", i.id, i.email, i.role, o.name as organization,
    coalesce(i.emailed_hash = $1, false) as "isEmailed"
  from invitations i join organizations o on o.id = i.organization_id
  where (i.hash = $1 or i.emailed_hash = $1) and i.status = 'open' and i.expires_at > now()`;

/** Returns the open invitation with a token that has the given SHA-256 hash, or undefined. */
export async function findInvitation(connection: Queryable, hash: Uint8Array): Promise<Invitation | undefined> {
  const { rows } = await connection.query<Invitation>(OPEN, [hash]);
  return rows[0];
}

/**
 * Locks and returns the open invitation with a token that has the given SHA-256 hash. Returns undefined if there is no
 * such invitation. The lock lasts until the transaction ends.
 */
export async function lockInvitation(connection: Connection, hash: Uint8Array): Promise<Invitation | undefined> {
  const { rows } = await connection.query<Invitation>(`${OPEN} for update of i`, [hash]);
  return rows[0];
}

export type NewInvitation = {
  readonly email: string | null;
  readonly role: Role;
  readonly hash: Uint8Array;
  /** The hash of a second token, which is only in the email. */
  readonly emailedHash?: Uint8Array;
  readonly invitedBy: string;
  readonly seconds: number;
};

/** Returns the number of open invitations to all addresses except `besides`. */
export async function countOpenInvitations(
  { connection, organizationId }: Tenant<Connection>,
  besides: string,
): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*)::integer as count from invitations
     where organization_id = $1 and status = 'open' and expires_at > now() and email is distinct from $2`,
    [organizationId, besides],
  );
  return (rows[0] as { count: number }).count;
}

/**
 * Creates an invitation and revokes open invitations to the same address. An invitation by an API key expires no later
 * than the key.
 */
export async function insertInvitation(
  { connection, organizationId }: Tenant<Connection>,
  { email, role, hash, emailedHash, invitedBy, seconds }: NewInvitation,
): Promise<InvitationId> {
  await connection.query(
    `update invitations set status = 'revoked'
     where organization_id = $1 and status = 'open' and email is not distinct from $2`,
    [organizationId, email],
  );
  const { rows } = await connection.query<{ id: InvitationId }>(
    `insert into invitations (organization_id, email, role, hash, invited_by, expires_at, emailed_hash)
     values ($1, $2, $3, $4, $5, least(
       now() + make_interval(secs => $6),
       (select expires_at from api_keys where organization_id = $1 and 'key ' || id = $5)
     ), $7) returning id`,
    [organizationId, email, role, hash, invitedBy, seconds, emailedHash ?? null],
  );
  return (rows[0] as { id: InvitationId }).id;
}

export async function acceptInvitation(
  connection: Connection,
  { organizationId, id }: Invitation,
  personId: PersonId,
): Promise<void> {
  await connection.query(
    `update invitations set status = 'accepted', accepted_at = now(), person_id = $3
     where organization_id = $1 and id = $2`,
    [organizationId, id, personId],
  );
}

/** Revokes the links that create the first owner. Call it once there is an owner. */
export async function voidFounderLinks({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query(
    `update invitations set status = 'revoked' where organization_id = $1 and status = 'open' and email is null`,
    [organizationId],
  );
}

/**
 * Revokes the open invitations that an author with the given scopes could not create. Otherwise, a removed owner or the
 * thief of a key could accept such an invitation to regain access. Call it whenever an author loses scopes.
 */
export async function voidInvitationsBy(
  { connection, organizationId }: Tenant<Connection>,
  author: CallerName,
  scopes: readonly Scope[],
): Promise<void> {
  await connection.query(
    `update invitations set status = 'revoked'
     where organization_id = $1 and status = 'open' and invited_by = $2 and role <> all ($3)`,
    [organizationId, author, rolesToInvite(scopes)],
  );
}

/**
 * Limits the expiry of the open invitations that an API key created to the expiry of the key. Call it whenever a key's
 * expiry changes.
 */
export async function expireInvitationsBy(
  { connection, organizationId }: Tenant<Connection>,
  key: ApiKeyId,
  expiresAt: Date | null,
): Promise<void> {
  await connection.query(
    `update invitations set expires_at = least(expires_at, $3)
     where organization_id = $1 and status = 'open' and invited_by = $2`,
    [organizationId, `key ${key}`, expiresAt],
  );
}

/**
 * Revokes an invitation if it is open, and returns its previous status. Returns undefined if the invitation doesn't
 * exist.
 */
export async function revokeInvitation(
  { connection, organizationId }: Tenant<Connection>,
  id: InvitationId,
): Promise<'open' | 'accepted' | 'revoked' | undefined> {
  const { rows } = await connection.query<{ status: 'open' | 'accepted' | 'revoked' }>(
    'select status from invitations where organization_id = $1 and id = $2 for no key update',
    [organizationId, id],
  );
  if (rows[0]?.status === 'open')
    await connection.query(`update invitations set status = 'revoked' where organization_id = $1 and id = $2`, [
      organizationId,
      id,
    ]);
  return rows[0]?.status;
}
