import { randomBytes } from 'node:crypto';
import { type KeyKind, keyHash, keyPrefix, rawKeyOf, type Scope } from '#domain/api-key.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { insertKey } from '#store/api-keys.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type ApiKeyResource, apiKeys } from '#store/read/api-keys.ts';
import { readOne } from '#store/read/page.ts';

export type NewKey = {
  readonly kind: KeyKind;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly expiresAt: Date | null;
};

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
