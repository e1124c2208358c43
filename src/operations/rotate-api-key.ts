import { type KeyState, keyState, lackingScopes, replacedEnd, type Scope, successorEnd } from '#domain/api-key.ts';
import type { ApiKeyId, OrganizationId } from '#domain/ids.ts';
import { lockKey, replaceKey } from '#store/api-keys.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type MadeKey, makeKey } from './create-api-key.ts';

export type KeyRotation =
  | ({ readonly kind: 'rotated' } & MadeKey)
  | { readonly kind: 'unknown' }
  | { readonly kind: 'over'; readonly state: Exclude<KeyState, 'current'> }
  /** The key that asks lacks these scopes of the one that it would get. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] };

/**
 * Makes a key that may do the same and takes over: the old one holds for `overlapSeconds` more. `held` are the scopes of
 * the key that asks, since it gets to see the new one. Of several at once one rotates.
 */
export function rotateApiKey(
  database: Database,
  organizationId: OrganizationId,
  held: readonly Scope[],
  id: ApiKeyId,
  overlapSeconds: number,
): Promise<KeyRotation> {
  return inTransaction(database, async (connection) => {
    const old = await lockKey(connection, organizationId, id);
    if (old === undefined) return { kind: 'unknown' };
    const lacking = lackingScopes(old.scopes, held);
    if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
    const state = keyState(old, old.now);
    if (state !== 'current') return { kind: 'over', state };
    const { kind, label, scopes, origins, now } = old;
    const wanted = { kind, label, scopes, origins, expiresAt: successorEnd(old, now) };
    const made = (await makeKey(connection, organizationId, wanted)) as MadeKey;
    await replaceKey(connection, organizationId, id, made.key.id, replacedEnd(old, now, overlapSeconds));
    return { kind: 'rotated', ...made };
  });
}
