import { type KeyState, keyState, lackingScopes, outlives, replacedEnd, successorEnd } from '../domain/api-key.ts';
import type { ApiKeyId } from '#core/ids.ts';
import { lockKey, replaceKey } from '../store/api-keys.ts';
import { expireInvitationsBy } from '../store/invitations.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type KeyCaller, lockCallingKey, type MadeKey, makeKey } from './create-api-key.ts';
import type { Scope } from '#core/caller.ts';

export type KeyRotation =
  | ({ readonly kind: 'rotated' } & MadeKey)
  | { readonly kind: 'unknown' }
  | { readonly kind: 'over'; readonly state: Exclude<KeyState, 'current'> }
  /** The caller is a different key, which expires before the new key would. */
  | { readonly kind: 'outlives' }
  /** The caller lacks `scopes`, which the new key would get. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] };

/**
 * Creates a successor of an API key with the same permissions. The old key and its open invitations stay valid for at
 * most `overlapSeconds`. The caller needs all scopes of the key, because it receives the new key. For the same reason,
 * an expiring key can't rotate another key, such as its own successor, if the new key would outlive the caller. If
 * several calls rotate a key concurrently, only the first call succeeds.
 */
export function rotateApiKey(
  tenant: Tenant<Database>,
  caller: KeyCaller,
  id: ApiKeyId,
  overlapSeconds: number,
): Promise<KeyRotation> {
  return inTenantTransaction(tenant, async (tenant) => {
    const old = await lockKey(tenant, id);
    if (old === undefined) return { kind: 'unknown' };
    const lacking = lackingScopes(old.scopes, caller.scopes);
    if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
    const state = keyState(old, old.now);
    if (state !== 'current') return { kind: 'over', state };
    const { kind, label, scopes, origins, now } = old;
    const expiresAt = successorEnd(old, now);
    if (caller.keyId !== id && outlives(expiresAt, await lockCallingKey(tenant, caller))) return { kind: 'outlives' };
    const wanted = { kind, label, scopes, origins, expiresAt };
    const made = (await makeKey(tenant, wanted)) as MadeKey;
    const end = replacedEnd(old, now, overlapSeconds);
    await replaceKey(tenant, id, made.key.id, end);
    await expireInvitationsBy(tenant, id, end);
    return { kind: 'rotated', ...made };
  });
}
