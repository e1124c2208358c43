import type { CollaboratorId, OrganizationId, SessionId } from '#domain/ids.ts';
import type { Database } from '#store/database.ts';
import { endSession } from '#store/sessions.ts';

/** Logs a collaborator out of the portal in this browser. */
export async function closePortalSession(
  database: Database,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  sessionId: SessionId,
): Promise<void> {
  await endSession(database, organizationId, { kind: 'collaborator', collaboratorId }, sessionId);
}
