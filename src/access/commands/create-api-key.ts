import { randomBytes } from 'node:crypto';
import { keyHash, keyPrefix, lackingScopes, outlives, rawKeyOf } from '../domain/api-key.ts';
import { insertKey, lockKey, type LockedKey, type NewKeyRow } from '../store/api-keys.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ApiKeyResource, apiKeys } from '../store/read/api-keys.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import type { Scope } from '#core/caller.ts';
import type { ApiKeyId } from '#core/ids.ts';

export type NewKey = Omit<NewKeyRow, 'hash' | 'prefix'>;

export type MadeKey = { readonly key: ApiKeyResource; readonly rawKey: string };

export type KeyCreation =
  | ({ readonly kind: 'created' } & MadeKey)
  | { readonly kind: 'expired-already' }
  /** The calling key expires before the new key would. */
  | { readonly kind: 'outlives' }
  /** The caller lacks `scopes` of the new key. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] };

/** The caller that creates or changes an API key: its scopes and, if the caller is an API key, its id. */
export type KeyCaller = { readonly scopes: readonly Scope[]; readonly keyId?: ApiKeyId | undefined };

/** Creates an API key. Only the result contains the raw key, because the database stores only its hash. */
export async function createApiKey(tenant: Tenant<Database>, caller: KeyCaller, wanted: NewKey): Promise<KeyCreation> {
  const lacking = lackingScopes(wanted.scopes, caller.scopes);
  if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
  return inTenantTransaction(tenant, async (tenant) => {
    if (outlives(wanted.expiresAt, await lockCallingKey(tenant, caller))) return { kind: 'outlives' };
    const made = await makeKey(tenant, wanted);
    return made === undefined ? { kind: 'expired-already' } : { kind: 'created', ...made };
  });
}

/** Locks and returns the calling key. Returns undefined if the caller is a person. */
export async function lockCallingKey(tenant: Tenant<Connection>, { keyId }: KeyCaller): Promise<LockedKey | undefined> {
  return keyId === undefined ? undefined : lockKey(tenant, keyId);
}

/** Creates an API key in the caller's transaction. Returns undefined if the new key would already be expired. */
export async function makeKey(tenant: Tenant<Connection>, wanted: NewKey): Promise<MadeKey | undefined> {
  const rawKey = rawKeyOf(wanted.kind, randomBytes(32));
  const id = await insertKey(tenant, {
    ...wanted,
    hash: keyHash(rawKey),
    prefix: keyPrefix(rawKey, wanted.kind),
  });
  if (id === undefined) return undefined;
  return { key: await readExisting(tenant, apiKeys, { id }), rawKey };
}
