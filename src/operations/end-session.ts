import type { OrganizationId, SessionId } from '#domain/ids.ts';
import type { SessionHolder } from '#domain/session.ts';
import type { Database } from '#store/database.ts';
import { endSession as end } from '#store/sessions.ts';

/** Ends a session of this person or collaborator. False where they have none of this id. */
export function endSession(
  database: Database,
  organizationId: OrganizationId,
  holder: SessionHolder,
  id: SessionId,
): Promise<boolean> {
  return end(database, organizationId, holder, id);
}
