import type { CollaboratorId, UserId } from '#domain/ids.ts';
import { insertReading, type Reader } from '#store/audit.ts';
import { findUserIds } from '#store/collaborators.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { findPayoutDetails, type KeptPayoutDetails } from '#store/payout-details.ts';
import { type CollaboratorTraces, readCollaboratorTraces } from '#store/read/collaborator-traces.ts';
import { type CollaboratorResource, collaborators } from '#store/read/collaborators.ts';
import { readOne } from '#store/read/page.ts';
import type { SecretBox } from '#store/secret-box.ts';

export type CollaboratorExport = CollaboratorTraces & {
  readonly collaborator: CollaboratorResource;
  readonly userIds: readonly UserId[];
  readonly payoutDetails: KeptPayoutDetails | null;
};

/** All that is stored of a collaborator as a person. Who has read it is kept in the audit, before they see it. */
export function exportCollaborator(
  database: Database,
  secrets: SecretBox,
  reader: Reader,
  id: CollaboratorId,
): Promise<CollaboratorExport | undefined> {
  const { organizationId } = reader;
  return inTransaction(database, async (connection) => {
    const collaborator = await readOne(connection, organizationId, collaborators, { id });
    if (collaborator === undefined) return undefined;
    const traces = await readCollaboratorTraces(connection, organizationId, id);
    const payoutDetails = await findPayoutDetails(connection, secrets, organizationId, id);
    const userIds = await findUserIds(connection, organizationId, id);
    await insertReading(connection, reader, 'exportCollaborator', `/v1/collaborators/${id}/export`);
    return { collaborator, userIds, payoutDetails: payoutDetails ?? null, ...traces };
  });
}
