import type { OrganizationId, SessionId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { endSession as end } from '../store/sessions.ts';
import type { SessionHolder } from '#core/caller.ts';

/** Ends a session of this person or collaborator. Returns false if they have none with this id. */
export function endSession(
  database: Database,
  organizationId: OrganizationId,
  holder: SessionHolder,
  id: SessionId,
): Promise<boolean> {
  return end(database, organizationId, holder, id);
}
