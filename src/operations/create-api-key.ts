import { randomBytes } from 'node:crypto';
import { keyHash, keyPrefix, rawKeyOf } from '#domain/api-key.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { insertKey, type NewKeyRow } from '#store/api-keys.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type ApiKeyResource, apiKeys } from '#store/read/api-keys.ts';
import { readOne } from '#store/read/page.ts';

export type NewKey = Omit<NewKeyRow, 'hash' | 'prefix'>;

export type KeyCreation =
  | { readonly kind: 'created'; readonly key: ApiKeyResource; readonly rawKey: string }
  | { readonly kind: 'expired-already' };

/** Makes a key. Its raw form is in the answer and nowhere else. */
export function createApiKey(database: Database, organizationId: OrganizationId, wanted: NewKey): Promise<KeyCreation> {
  const rawKey = rawKeyOf(wanted.kind, randomBytes(32));
  return inTransaction(database, async (connection) => {
    const id = await insertKey(connection, organizationId, {
      ...wanted,
      hash: keyHash(rawKey),
      prefix: keyPrefix(rawKey, wanted.kind),
    });
    if (id === undefined) return { kind: 'expired-already' };
    const key = (await readOne(connection, organizationId, apiKeys, { id })) as ApiKeyResource;
    return { kind: 'created', key, rawKey };
  });
}
