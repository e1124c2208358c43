import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import type { NewKeyRow } from './api-keys.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * The number of the advisory lock for creating the first organization and the link for its first owner. With the lock,
 * only one process creates the organization. The number is the ASCII code of `whence` plus 1. Migrations use a
 * different lock.
 */
const FOUNDING_LOCK = 0x776865_6e6366;

export async function lockFounding(connection: Connection): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1)', [FOUNDING_LOCK]);
}

/** Returns the oldest organization, or undefined on a new database. */
export async function findFirstOrganization(connection: Connection): Promise<OrganizationId | undefined> {
  const { rows } = await connection.query<{ id: OrganizationId }>('select id from organizations order by id limit 1');
  return rows[0]?.id;
}

export async function isOrganization(connection: Connection, id: OrganizationId): Promise<boolean> {
  const { rowCount } = await connection.query('select from organizations where id = $1', [id]);
  return rowCount === 1;
}

export type ListedOrganization = {
  readonly id: OrganizationId;
  readonly name: string;
  readonly tier: string;
  readonly mode: Mode;
  readonly createdAt: Date;
};

export async function listOrganizations(connection: Queryable): Promise<readonly ListedOrganization[]> {
  const { rows } = await connection.query<ListedOrganization>(
    'select id, name, tier, mode, created_at as "createdAt" from organizations order by id',
  );
  return rows;
}

export async function insertOrganization(
  connection: Connection,
  name: string,
  mode: Mode,
  opportunityKey: Uint8Array,
): Promise<OrganizationId> {
  const { rows } = await connection.query<{ id: OrganizationId }>(
    'insert into organizations (name, mode, opportunity_key) values ($1, $2, $3) returning id',
    [name, mode, opportunityKey],
  );
  return (rows[0] as { id: OrganizationId }).id;
}

/**
 * Adds an API key, unless the organization already has a key with the same hash. In that case, returns undefined. A
 * revoked key stays revoked.
 */
export async function ensureKey(
  { connection, organizationId }: Tenant<Connection>,
  key: Omit<NewKeyRow, 'origins' | 'expiresAt'>,
): Promise<ApiKeyId | undefined> {
  const { rows } = await connection.query<{ id: ApiKeyId }>(
    `insert into api_keys (organization_id, kind, label, hash, prefix, scopes)
     select $1, $2, $3, $4, $5, $6
     where not exists (select from api_keys where organization_id = $1 and hash = $4)
     returning id`,
    [organizationId, key.kind, key.label, key.hash, key.prefix, key.scopes],
  );
  return rows[0]?.id;
}
