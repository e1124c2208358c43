import { randomBytes } from 'node:crypto';
import { keyHash, keyPrefix, lackingScopes, rawKeyOf, type Scope } from '#domain/api-key.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { insertKey, type NewKeyRow } from '#store/api-keys.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { type ApiKeyResource, apiKeys } from '#store/read/api-keys.ts';
import { readOne } from '#store/read/page.ts';

export type NewKey = Omit<NewKeyRow, 'hash' | 'prefix'>;

export type MadeKey = { readonly key: ApiKeyResource; readonly rawKey: string };

export type KeyCreation =
  | ({ readonly kind: 'created' } & MadeKey)
  | { readonly kind: 'expired-already' }
  /** The key that asks lacks these scopes itself. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] };

/** Makes a key; `held` are the scopes of the one that asks. Its raw form is in the answer and nowhere else. */
export async function createApiKey(
  database: Database,
  organizationId: OrganizationId,
  held: readonly Scope[],
  wanted: NewKey,
): Promise<KeyCreation> {
  const lacking = lackingScopes(wanted.scopes, held);
  if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
  return inTransaction(database, async (connection) => {
    const made = await makeKey(connection, organizationId, wanted);
    return made === undefined ? { kind: 'expired-already' } : { kind: 'created', ...made };
  });
}

/** The same in the caller's transaction; undefined where the key would have expired already. */
export async function makeKey(
  connection: Connection,
  organizationId: OrganizationId,
  wanted: NewKey,
): Promise<MadeKey | undefined> {
  const rawKey = rawKeyOf(wanted.kind, randomBytes(32));
  const id = await insertKey(connection, organizationId, {
    ...wanted,
    hash: keyHash(rawKey),
    prefix: keyPrefix(rawKey, wanted.kind),
  });
  if (id === undefined) return undefined;
  return { key: (await readOne(connection, organizationId, apiKeys, { id })) as ApiKeyResource, rawKey };
}
