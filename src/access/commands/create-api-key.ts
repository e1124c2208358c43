import { randomBytes } from 'node:crypto';
import { keyHash, keyPrefix, lackingScopes, rawKeyOf } from '../domain/api-key.ts';
import { insertKey, type NewKeyRow } from '../store/api-keys.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ApiKeyResource, apiKeys } from '../store/read/api-keys.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import type { Scope } from '#core/caller.ts';

export type NewKey = Omit<NewKeyRow, 'hash' | 'prefix'>;

export type MadeKey = { readonly key: ApiKeyResource; readonly rawKey: string };

export type KeyCreation =
  | ({ readonly kind: 'created' } & MadeKey)
  | { readonly kind: 'expired-already' }
  /** The calling key itself lacks these scopes. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] };

/**
 * Creates a key. `held` contains the scopes of the calling key. The raw key is only in the result and is not stored.
 */
export async function createApiKey(
  tenant: Tenant<Database>,
  held: readonly Scope[],
  wanted: NewKey,
): Promise<KeyCreation> {
  const lacking = lackingScopes(wanted.scopes, held);
  if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
  return inTenantTransaction(tenant, async (tenant) => {
    const made = await makeKey(tenant, wanted);
    return made === undefined ? { kind: 'expired-already' } : { kind: 'created', ...made };
  });
}

/** Creates a key in the caller's transaction. Returns undefined if it would already have expired. */
export async function makeKey(tenant: Tenant<Connection>, wanted: NewKey): Promise<MadeKey | undefined> {
  const rawKey = rawKeyOf(wanted.kind, randomBytes(32));
  const id = await insertKey(tenant, {
    ...wanted,
    hash: keyHash(rawKey),
    prefix: keyPrefix(rawKey, wanted.kind),
  });
  if (id === undefined) return undefined;
  return { key: (await readOne(tenant, apiKeys, { id })) as ApiKeyResource, rawKey };
}
