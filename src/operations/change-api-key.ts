import { type KeyKind, type KeyState, keyState, lackingScopes, type Scope } from '#domain/api-key.ts';
import type { ApiKeyId, OrganizationId } from '#domain/ids.ts';
import { type KeyFields, lockKey, updateKey } from '#store/api-keys.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type ApiKeyResource, apiKeys } from '#store/read/api-keys.ts';
import { readOne } from '#store/read/page.ts';
import { givenFields } from './changed-fields.ts';

/** A field that is undefined stays as it is. */
export type KeyChange = { readonly [Field in keyof KeyFields]?: KeyFields[Field] | undefined };

export type KeyChanging =
  | { readonly kind: 'changed'; readonly key: ApiKeyResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'over'; readonly state: KeyState }
  /** The key that asks lacks these scopes, which the other has or would get. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] }
  /** Scopes of a publishable key, origins of a secret one. */
  | { readonly kind: 'not-applicable'; readonly of: KeyKind }
  | { readonly kind: 'expired-already' };

/** Changes what is given of a key that holds. `held` are the scopes of the key that asks. */
export function changeApiKey(
  database: Database,
  organizationId: OrganizationId,
  held: readonly Scope[],
  id: ApiKeyId,
  change: KeyChange,
): Promise<KeyChanging> {
  return inTransaction(database, async (connection) => {
    const key = await lockKey(connection, organizationId, id);
    if (key === undefined) return { kind: 'unknown' };
    const lacking = lackingScopes([...new Set([...key.scopes, ...(change.scopes ?? [])])], held);
    if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
    const state = keyState(key, key.now);
    if (state === 'revoked' || state === 'expired') return { kind: 'over', state };
    if (!isApplicable(key, change)) return { kind: 'not-applicable', of: key.kind };
    if (change.expiresAt != null && change.expiresAt <= key.now) return { kind: 'expired-already' };
    await updateKey(connection, organizationId, id, { ...key, ...givenFields<KeyFields>(change) });
    return { kind: 'changed', key: (await readOne(connection, organizationId, apiKeys, { id })) as ApiKeyResource };
  });
}

function isApplicable(key: { kind: KeyKind; scopes: readonly Scope[] }, { scopes, origins }: KeyChange): boolean {
  if (key.kind === 'secret') return origins === undefined || origins.length === 0;
  // As it was read, it may be sent back.
  return (
    scopes === undefined || (scopes.length === key.scopes.length && lackingScopes(scopes, key.scopes).length === 0)
  );
}
