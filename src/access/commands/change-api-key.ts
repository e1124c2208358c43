import { type KeyState, keyState, lackingScopes, outlives } from '../domain/api-key.ts';
import type { ApiKeyId } from '#core/ids.ts';
import { type KeyCaller, lockCallingKey } from './create-api-key.ts';
import { type KeyFields, lockKey, updateKey } from '../store/api-keys.ts';
import { expireInvitationsBy, voidInvitationsBy } from '../store/invitations.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ApiKeyResource, apiKeys } from '../store/read/api-keys.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { givenFields } from '#platform/changed-fields.ts';
import type { KeyKind, Scope } from '#core/caller.ts';

/** A change of an API key. Undefined fields stay unchanged. */
export type KeyChange = { readonly [Field in keyof KeyFields]?: KeyFields[Field] | undefined };

export type KeyChangeOutcome =
  | { readonly kind: 'changed'; readonly key: ApiKeyResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'over'; readonly state: KeyState }
  /** The caller lacks `scopes`, which the changed key has or would get. */
  | { readonly kind: 'exceeds'; readonly scopes: readonly Scope[] }
  /** The change sets other scopes on a publishable key, or origins on a secret key. */
  | { readonly kind: 'not-applicable'; readonly of: KeyKind }
  /** The changed key would expire later than the calling key, or never. */
  | { readonly kind: 'outlives' }
  | { readonly kind: 'expired-already' };

/**
 * Changes the given fields of an API key that is neither expired nor revoked. Revokes open invitations that the key
 * created if its new scopes no longer allow them. Invitations that stay open expire with the key at the latest.
 */
export function changeApiKey(
  tenant: Tenant<Database>,
  caller: KeyCaller,
  id: ApiKeyId,
  change: KeyChange,
): Promise<KeyChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const key = await lockKey(tenant, id);
    if (key === undefined) return { kind: 'unknown' };
    const lacking = lackingScopes([...new Set([...key.scopes, ...(change.scopes ?? [])])], caller.scopes);
    if (lacking.length > 0) return { kind: 'exceeds', scopes: lacking };
    const state = keyState(key, key.now);
    if (state === 'revoked' || state === 'expired') return { kind: 'over', state };
    if (!isApplicable(key, change)) return { kind: 'not-applicable', of: key.kind };
    if (change.expiresAt != null && change.expiresAt <= key.now) return { kind: 'expired-already' };
    const { expiresAt } = change;
    if (expiresAt !== undefined && outlives(expiresAt, await lockCallingKey(tenant, caller)))
      return { kind: 'outlives' };
    const fields = { ...key, ...givenFields<KeyFields>(change) };
    await updateKey(tenant, id, fields);
    await voidInvitationsBy(tenant, `key ${id}`, fields.scopes);
    await expireInvitationsBy(tenant, id, fields.expiresAt);
    return { kind: 'changed', key: await readExisting(tenant, apiKeys, { id }) };
  });
}

function isApplicable(key: { kind: KeyKind; scopes: readonly Scope[] }, { scopes, origins }: KeyChange): boolean {
  if (key.kind === 'secret') return origins === undefined || origins.length === 0;
  // A request can contain the scopes of a publishable key if they are unchanged.
  return (
    scopes === undefined || (scopes.length === key.scopes.length && lackingScopes(scopes, key.scopes).length === 0)
  );
}
