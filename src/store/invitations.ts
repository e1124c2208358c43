import type { InvitationId, OrganizationId, PersonId } from '#domain/ids.ts';
import type { Role } from '#domain/person.ts';
import type { Connection, Queryable } from './database.ts';

export type Invitation = {
  readonly organizationId: OrganizationId;
  readonly id: InvitationId;
  /** Null: the link that makes the first owner. */
  readonly email: string | null;
  readonly role: Role;
  /** What the organization is called. */
  readonly organization: string;
};

const OPEN = `
  select i.organization_id as "organizationId", i.id, i.email, i.role, o.name as organization
  from invitations i join organizations o on o.id = i.organization_id
  where i.hash = $1 and i.status = 'open' and i.expires_at > now()`;

/** The open invitation of this SHA-256 hash. Leans on invitations_hash. */
export async function findInvitation(connection: Queryable, hash: Uint8Array): Promise<Invitation | undefined> {
  const { rows } = await connection.query<Invitation>(OPEN, [hash]);
  return rows[0];
}

/** The same, for nobody else until the transaction ends. */
export async function lockInvitation(connection: Connection, hash: Uint8Array): Promise<Invitation | undefined> {
  const { rows } = await connection.query<Invitation>(`${OPEN} for update of i`, [hash]);
  return rows[0];
}

export type NewInvitation = {
  readonly email: string | null;
  readonly role: Role;
  /** SHA-256 of the link's token. */
  readonly hash: Uint8Array;
  readonly invitedBy: string;
  readonly seconds: number;
};

/** How many links hold that invite others than who has this address. */
export async function countOpenInvitations(
  connection: Connection,
  organizationId: OrganizationId,
  besides: string,
): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*)::integer as count from invitations
     where organization_id = $1 and status = 'open' and expires_at > now() and email is distinct from $2`,
    [organizationId, besides],
  );
  return (rows[0] as { count: number }).count;
}

/** Makes an invitation; open ones of the same address are void then. */
export async function insertInvitation(
  connection: Connection,
  organizationId: OrganizationId,
  { email, role, hash, invitedBy, seconds }: NewInvitation,
): Promise<InvitationId> {
  await connection.query(
    `update invitations set status = 'revoked'
     where organization_id = $1 and status = 'open' and email is not distinct from $2`,
    [organizationId, email],
  );
  const { rows } = await connection.query<{ id: InvitationId }>(
    `insert into invitations (organization_id, email, role, hash, invited_by, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) returning id`,
    [organizationId, email, role, hash, invitedBy, seconds],
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

/** Voids the links that make a first owner: there is one. */
export async function voidFounderLinks(connection: Connection, organizationId: OrganizationId): Promise<void> {
  await connection.query(
    `update invitations set status = 'revoked' where organization_id = $1 and status = 'open' and email is null`,
    [organizationId],
  );
}

/** Voids what somebody has invited who may invite no more: an owner on the way out would leave a door open. */
export async function voidInvitationsBy(
  connection: Connection,
  organizationId: OrganizationId,
  author: string,
): Promise<void> {
  await connection.query(
    `update invitations set status = 'revoked' where organization_id = $1 and status = 'open' and invited_by = $2`,
    [organizationId, author],
  );
}

/** What an invitation was before: one that is open is revoked. Undefined: there is none. */
export async function revokeInvitation(
  connection: Connection,
  organizationId: OrganizationId,
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
