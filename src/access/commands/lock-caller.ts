import type { ApiKeyId, SessionId } from '#core/ids.ts';
import { scopesOf } from '../domain/person.ts';
import {
  type CallerLock,
  lockCallers,
  lockKeyCaller,
  lockPersonCaller,
  readCollaboratorSession,
  readPersonSession,
} from '../store/callers.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Scope, SessionHolder } from '#core/caller.ts';

/** The caller of a change: an API key, or the session of a person or collaborator. */
export type Caller =
  { readonly kind: 'key'; readonly keyId: ApiKeyId } | (SessionHolder & { readonly sessionId: SessionId });

/** The people and API keys that a change can modify: none, only the person who makes the change, or all. */
export type CallerChange = 'none' | 'own-account' | 'any';

/**
 * The current permissions of a caller. `isFresh` means that the session began at most FRESH_SECONDS ago. It is false
 * for keys.
 */
export type CallerPermissions = { readonly scopes: readonly Scope[]; readonly isFresh: boolean };

/**
 * Reads a caller's permissions again and locks them until the transaction ends. Returns undefined if the key or the
 * session has ended. The permissions that are checked when a request arrives can be half a second old. So a change must
 * rely on the result of this function instead.
 *
 * Changes that can modify any person or key run one at a time in an organization. Each of these changes locks all
 * callers before the row of its own caller. Otherwise, two owners who remove each other would deadlock. Such a change
 * waits for changes by people that are in progress, and later changes by people wait for it. The locks are taken before
 * the configuration lock, and are granted in order of arrival.
 */
export async function lockCaller(
  tenant: Tenant<Connection>,
  caller: Caller,
  change: CallerChange,
): Promise<CallerPermissions | undefined> {
  if (change === 'any') await lockCallers(tenant, 'exclusive');
  else if (caller.kind === 'person') await lockCallers(tenant, 'shared');
  const lock: CallerLock = change === 'none' ? 'shared' : 'exclusive';
  switch (caller.kind) {
    case 'key': {
      const scopes = await lockKeyCaller(tenant, caller.keyId, lock);
      return scopes && { scopes, isFresh: false };
    }
    case 'person': {
      const role = await lockPersonCaller(tenant, caller.personId, lock);
      if (role === undefined) return undefined;
      const session = await readPersonSession(tenant, caller.personId, caller.sessionId);
      return session && { scopes: scopesOf(role), ...session };
    }
    case 'collaborator': {
      const { collaboratorId, sessionId } = caller;
      // Closing a collaborator and changing their email take the configuration lock. Take the same lock before reading
      // the session, so that the result includes the changes of an earlier lock holder.
      await lockConfiguration(tenant);
      const session = await readCollaboratorSession(tenant, collaboratorId, sessionId);
      return session && { scopes: [], ...session };
    }
    default:
      return caller satisfies never;
  }
}
