import type { OrganizationId, PersonId, SessionId } from '#core/ids.ts';
import type { PersonStatus } from '../domain/person.ts';
import { queueForCaller, queueForLogin } from './callers.ts';
import { IS_BEING_RESET } from './password-resets.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Role } from '#core/caller.ts';

export type Person = {
  readonly organizationId: OrganizationId;
  readonly id: PersonId;
  /** The address in the form that `addressOf` returns. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: PersonStatus;
  readonly organization: string;
  readonly password: string;
  /** The encrypted secret of the authenticator app. Null if the person has not started to set up a second factor. */
  readonly totpSecret: Buffer | null;
  /** The time since which password logins require a code. Null if the person has no second factor. */
  readonly totpSince: Date | null;
};

const PERSON = `
  p.organization_id as "organizationId", p.id, p.email, p.name, p.role, p.status, p.password,
  (select o.name from organizations o where o.id = p.organization_id) as organization,
  p.totp_secret as "totpSecret", p.totp_since as "totpSince"`;

/**
 * Returns the active people with the given address (see `addressOf`), in the order in which they were added. Each
 * organization has at most one such person. Uses the index `people_addresses_address`.
 */
export async function findByAddress(connection: Queryable, address: string): Promise<Person[]> {
  const { rows } = await connection.query<Person>(
    `select ${PERSON} from people_addresses a
     join people p on p.organization_id = a.organization_id and p.id = a.person_id
     where a.address = $1 order by p.id`,
    [address],
  );
  return rows;
}

/** Returns whether an active person of the organization has the address. */
export async function isAddressTaken({ connection, organizationId }: Tenant, address: string): Promise<boolean> {
  const { rowCount } = await connection.query(
    'select from people_addresses where organization_id = $1 and address = $2',
    [organizationId, address],
  );
  return rowCount !== 0;
}

/**
 * Locks an active person against changes until the transaction ends, and returns the person. Returns undefined if there
 * is no such person.
 */
export async function lockPerson(tenant: Tenant<Connection>, id: PersonId): Promise<Person | undefined> {
  await queueForCaller(tenant, `person ${id}`, 'exclusive');
  const { rows } = await tenant.connection.query<Person>(
    `select ${PERSON} from people p where p.organization_id = $1 and p.id = $2 and p.status = 'active' for no key update`,
    [tenant.organizationId, id],
  );
  return rows[0];
}

/**
 * Locks the account of an active person against changes until the transaction of a login ends, and returns the person.
 * Returns undefined if there is no such person, or if logins are refused because of a password reset. Logins of one
 * person wait for each other, and for changes of the account. They don't wait for other changes by the person.
 * Otherwise, a stolen session could prevent logins.
 */
export async function lockPersonForLogin(tenant: Tenant<Connection>, id: PersonId): Promise<Person | undefined> {
  await queueForLogin(tenant, id);
  const { rows } = await tenant.connection.query<Person>(
    `select ${PERSON} from people p
     where p.organization_id = $1 and p.id = $2 and p.status = 'active' and not ${IS_BEING_RESET} for share`,
    [tenant.organizationId, id],
  );
  return rows[0];
}

/** Returns the active owners and locks them against changes and removal until the transaction ends. */
export async function lockOwners({ connection, organizationId }: Tenant<Connection>): Promise<PersonId[]> {
  const { rows } = await connection.query<{ id: PersonId }>(
    `select id from people where organization_id = $1 and role = 'owner' and status = 'active' order by id for no key update`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

export async function hasOwner({ connection, organizationId }: Tenant): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select from people where organization_id = $1 and role = 'owner' and status = 'active' limit 1`,
    [organizationId],
  );
  return rowCount !== 0;
}

export type NewPerson = Pick<Person, 'email' | 'name' | 'role' | 'password'> & {
  /** Whether the person opened a link that was emailed to the address. */
  readonly isConfirmed: boolean;
};

/**
 * Adds a person. Returns undefined if an active person of the organization has the address. If several calls add the
 * same address concurrently, one call succeeds.
 */
export async function insertPerson(
  { connection, organizationId }: Tenant<Connection>,
  { email, name, role, password, isConfirmed }: NewPerson,
): Promise<PersonId | undefined> {
  const { rows } = await connection.query<{ id: PersonId }>(
    `with taken as (
       insert into people_addresses (organization_id, address, person_id)
       values ($1, $2, nextval(pg_get_serial_sequence('people', 'id'))) on conflict do nothing
       returning person_id
     )
     insert into people (organization_id, id, email, name, role, password, last_seen_at, confirmed_at)
     overriding system value
     select $1, person_id, $2, $3, $4, $5, date_trunc('minute', now()), case when $6 then now() end from taken
     returning id`,
    [organizationId, email, name, role, password, isConfirmed],
  );
  return rows[0]?.id;
}

export async function updatePerson(
  { connection, organizationId }: Tenant<Connection>,
  id: PersonId,
  { name, role }: Pick<Person, 'name' | 'role'>,
): Promise<void> {
  await connection.query('update people set name = $3, role = $4 where organization_id = $1 and id = $2', [
    organizationId,
    id,
    name,
    role,
  ]);
}

/** Sets a new password and deletes the person's reset links. */
export async function setPassword(
  { connection, organizationId }: Tenant<Connection>,
  id: PersonId,
  password: string,
): Promise<void> {
  await connection.query('update people set password = $3 where organization_id = $1 and id = $2', [
    organizationId,
    id,
    password,
  ]);
  await connection.query('delete from password_resets where organization_id = $1 and person_id = $2', [
    organizationId,
    id,
  ]);
}

/** Returns whether a person has confirmed their address. */
export async function isConfirmed({ connection, organizationId }: Tenant, id: PersonId): Promise<boolean> {
  const { rowCount } = await connection.query(
    'select from people where organization_id = $1 and id = $2 and confirmed_at is not null',
    [organizationId, id],
  );
  return rowCount === 1;
}

/** Marks the address of an active person as confirmed. Returns false if there is no such person. */
export async function confirmAddress({ connection, organizationId }: Tenant, id: PersonId): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update people set confirmed_at = coalesce(confirmed_at, now())
     where organization_id = $1 and id = $2 and status = 'active'`,
    [organizationId, id],
  );
  return rowCount === 1;
}

/** Removes a person: deletes all their login data, and makes their address available again. */
export async function closePerson({ connection, organizationId }: Tenant<Connection>, id: PersonId): Promise<void> {
  for (const table of ['sessions', 'passkeys', 'recovery_codes', 'password_resets', 'people_addresses'])
    await connection.query(`delete from ${table} where organization_id = $1 and person_id = $2`, [organizationId, id]);
  await connection.query(
    `update people set status = 'removed', password = '', totp_secret = null, totp_since = null
     where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
}

/** An open session, without the data of its person. */
export type OpenSession = {
  readonly id: SessionId;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
};

export async function readOpenSession(
  { connection, organizationId }: Tenant,
  id: SessionId,
): Promise<OpenSession | undefined> {
  const { rows } = await connection.query<OpenSession>(
    `select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
     from sessions where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  return rows[0];
}
