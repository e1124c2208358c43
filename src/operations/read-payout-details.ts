import type { CollaboratorId } from '#domain/ids.ts';
import { insertReading, type Reader } from '#store/audit.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { findPayoutDetails, type KeptPayoutDetails } from '#store/payout-details.ts';
import type { SecretBox } from '#store/secret-box.ts';

/** How a collaborator wants to be paid, in full. Who has read it is kept in the audit log, before they see it. */
export function readPayoutDetails(
  database: Database,
  secrets: SecretBox,
  reader: Reader,
  collaboratorId: CollaboratorId,
): Promise<KeptPayoutDetails | undefined> {
  const { organizationId } = reader;
  return inTransaction(database, async (connection) => {
    const details = await findPayoutDetails(connection, secrets, organizationId, collaboratorId);
    if (details === undefined) return undefined;
    await insertReading(connection, reader, 'getPayoutDetails', `/v1/collaborators/${collaboratorId}/payout-details`);
    return details;
  });
}
