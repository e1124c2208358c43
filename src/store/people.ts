import type { OrganizationId, PersonId, SessionId } from '#domain/ids.ts';
import type { PersonStatus, Role } from '#domain/person.ts';
import type { Connection, Queryable } from './database.ts';

export type Person = {
  readonly organizationId: OrganizationId;
  readonly id: PersonId;
  /** As `addressOf` writes it. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: PersonStatus;
  /** As argon2id writes it. */
  readonly password: string;
  /** Sealed. */
  readonly totpSecret: Buffer | null;
  /** Since when a code is asked for. */
  readonly totpSince: Date | null;
};

const PERSON = `
  p.organization_id as "organizationId", p.id, p.email, p.name, p.role, p.status, p.password,
  p.totp_secret as "totpSecret", p.totp_since as "totpSince"`;

/** The active person with this address (see `addressOf`), in whichever organization. */
export async function findByAddress(connection: Queryable, address: string): Promise<Person | undefined> {
  const { rows } = await connection.query<Person>(
    `select ${PERSON} from people_addresses a
     join people p on p.organization_id = a.organization_id and p.id = a.person_id
     where a.address = $1`,
    [address],
  );
  return rows[0];
}

/** An active person that nobody else changes until the transaction ends. */
export async function lockPerson(
  connection: Connection,
  organizationId: OrganizationId,
  id: PersonId,
): Promise<Person | undefined> {
  const { rows } = await connection.query<Person>(
    `select ${PERSON} from people p where p.organization_id = $1 and p.id = $2 and p.status = 'active' for no key update`,
    [organizationId, id],
  );
  return rows[0];
}

/** The active owners, whom nobody else adds to, changes or removes until the transaction ends. */
export async function lockOwners(connection: Connection, organizationId: OrganizationId): Promise<PersonId[]> {
  const { rows } = await connection.query<{ id: PersonId }>(
    `select id from people where organization_id = $1 and role = 'owner' and status = 'active' order by id for no key update`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

export async function hasOwner(connection: Queryable, organizationId: OrganizationId): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select from people where organization_id = $1 and role = 'owner' and status = 'active' limit 1`,
    [organizationId],
  );
  return rowCount !== 0;
}

export type NewPerson = Pick<Person, 'email' | 'name' | 'role' | 'password'>;

/** Adds a person; undefined where somebody has the address already. Of several at once one gets it. */
export async function insertPerson(
  connection: Connection,
  organizationId: OrganizationId,
  { email, name, role, password }: NewPerson,
): Promise<PersonId | undefined> {
  const { rows } = await connection.query<{ id: PersonId }>(
    `with taken as (
       insert into people_addresses (address, organization_id, person_id)
       values ($2, $1, nextval(pg_get_serial_sequence('people', 'id'))) on conflict do nothing
       returning person_id
     )
     insert into people (organization_id, id, email, name, role, password, last_seen_at)
     overriding system value
     select $1, person_id, $2, $3, $4, $5, date_trunc('minute', now()) from taken
     returning id`,
    [organizationId, email, name, role, password],
  );
  return rows[0]?.id;
}

export async function updatePerson(
  connection: Connection,
  organizationId: OrganizationId,
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

/** Sets another password; links that were to set one are void. */
export async function setPassword(
  connection: Connection,
  organizationId: OrganizationId,
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

/** Takes all away that would let the person in, and frees the address. */
export async function closePerson(connection: Connection, organizationId: OrganizationId, id: PersonId): Promise<void> {
  for (const table of ['sessions', 'passkeys', 'recovery_codes', 'password_resets', 'people_addresses'])
    await connection.query(`delete from ${table} where organization_id = $1 and person_id = $2`, [organizationId, id]);
  await connection.query(
    `update people set status = 'removed', password = '', totp_secret = null, totp_since = null, totp_step = null
     where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
}

/** A session as it is answered to whoever has it, without its person. */
export type OpenSession = {
  readonly id: SessionId;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
};

export async function readOpenSession(
  connection: Queryable,
  organizationId: OrganizationId,
  id: SessionId,
): Promise<OpenSession | undefined> {
  const { rows } = await connection.query<OpenSession>(
    `select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
     from sessions where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  return rows[0];
}
