import type { SessionId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { endSession as end } from '../store/sessions.ts';
import type { SessionHolder } from '#core/caller.ts';

/** Ends a session of a person or collaborator. Returns false if the holder has no session with the given id. */
export function endSession(tenant: Tenant<Database>, holder: SessionHolder, id: SessionId): Promise<boolean> {
  return end(tenant, holder, id);
}
