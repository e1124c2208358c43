import type { KeyLife } from '../domain/api-key.ts';
import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import { queueForCaller } from './callers.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type ApiKeyResource, apiKeys } from './read/api-keys.ts';
import type { KeyKind, Scope, Tier } from '#core/caller.ts';

export type FoundKey = {
  readonly hash: Buffer;
  readonly organizationId: OrganizationId;
  readonly keyId: ApiKeyId;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly tier: Tier;
  readonly opportunityKey: Buffer;
};

/**
 * Returns the currently valid API keys with the given SHA-256 hashes, together with the tier and the opportunity key of
 * their organizations. Records their use, to the minute, in the same statement. If another transaction has locked the
 * row of a key, its use is recorded with a later request. Uses the index `api_keys_hash`.
 */
export async function recognizeKeys(connection: Queryable, hashes: readonly Buffer[]): Promise<FoundKey[]> {
  const { rows } = await connection.query<FoundKey>({ name: 'recognize-keys', text: RECOGNIZE_KEYS, values: [hashes] });
  return rows;
}

const RECOGNIZE_KEYS = `
with found as (
  select k.* from api_keys k
  where k.hash = any($1::bytea[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
), stale as (
  select k.organization_id, k.id from api_keys k
  where k.hash = any($1::bytea[]) and (k.last_used_at is null or k.last_used_at < now() - interval '1 minute')
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
  for no key update skip locked
), noted as (
  update api_keys k set last_used_at = date_trunc('minute', now())
  from stale s where k.organization_id = s.organization_id and k.id = s.id
)
select f.hash, f.organization_id as "organizationId", f.id as "keyId", f.kind, f.scopes, f.origins, g.tier,
  g.opportunity_key as "opportunityKey"
from found f join organizations g on g.id = f.organization_id`;

export async function listKeys({ connection, organizationId }: Tenant): Promise<ApiKeyResource[]> {
  const { rows } = await connection.query<ApiKeyResource>(
    `select * from (${apiKeys.query}) k where organization_id = $1 order by id`,
    [organizationId],
  );
  return rows;
}

export type NewKeyRow = {
  readonly kind: KeyKind;
  readonly label: string;
  readonly hash: Uint8Array;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly expiresAt: Date | null;
};

/**
 * Adds an API key. Returns undefined and adds nothing if the key would already have expired according to the database's
 * clock.
 */
export async function insertKey(
  { connection, organizationId }: Tenant,
  { kind, label, hash, prefix, scopes, origins, expiresAt }: NewKeyRow,
): Promise<ApiKeyId | undefined> {
  const { rows } = await connection.query<{ id: ApiKeyId }>(
    `insert into api_keys (organization_id, kind, label, hash, prefix, scopes, origins, expires_at)
     select $1, $2, $3, $4, $5, $6, $7, $8::timestamptz where $8::timestamptz is null or $8::timestamptz > now()
     returning id`,
    [organizationId, kind, label, hash, prefix, scopes, origins, expiresAt],
  );
  return rows[0]?.id;
}

/** Revokes an API key. An already revoked key keeps its time of revocation. */
export async function revokeKey(tenant: Tenant<Connection>, id: ApiKeyId): Promise<void> {
  await queueForCaller(tenant, `key ${id}`, 'exclusive');
  await tenant.connection.query(
    `update api_keys set revoked_at = now() where organization_id = $1 and id = $2 and revoked_at is null`,
    [tenant.organizationId, id],
  );
}

export type LockedKey = KeyLife & KeyFields & { readonly kind: KeyKind; readonly now: Date };

export type KeyFields = {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly expiresAt: Date | null;
};

/**
 * Locks an API key against changes until the transaction ends. Returns the key, or undefined if it doesn't exist.
 * Requests can still use the key.
 */
export async function lockKey(tenant: Tenant<Connection>, id: ApiKeyId): Promise<LockedKey | undefined> {
  await queueForCaller(tenant, `key ${id}`, 'exclusive');
  const { rows } = await tenant.connection.query<LockedKey>(
    `select kind, label, scopes, origins, created_at as "createdAt", expires_at as "expiresAt",
       revoked_at as "revokedAt", replaced_by as "replacedBy", clock_timestamp() as now
     from api_keys where organization_id = $1 and id = $2 for no key update`,
    [tenant.organizationId, id],
  );
  return rows[0];
}

export async function updateKey(
  { connection, organizationId }: Tenant<Connection>,
  id: ApiKeyId,
  { label, scopes, origins, expiresAt }: KeyFields,
): Promise<void> {
  await connection.query(
    `update api_keys set label = $3, scopes = $4, origins = $5, expires_at = $6 where organization_id = $1 and id = $2`,
    [organizationId, id, label, scopes, origins, expiresAt],
  );
}

/** Records the successor of a rotated API key, and when the rotated key expires. */
export async function replaceKey(
  { connection, organizationId }: Tenant<Connection>,
  id: ApiKeyId,
  replacedBy: ApiKeyId,
  expiresAt: Date,
): Promise<void> {
  await connection.query(
    `update api_keys set replaced_by = $3, expires_at = $4 where organization_id = $1 and id = $2`,
    [organizationId, id, replacedBy, expiresAt],
  );
}
