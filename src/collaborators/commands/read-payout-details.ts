import type { CollaboratorId } from '#core/ids.ts';
import { insertReading, type Reader } from '#organizations/store/audit.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { findPayoutDetails, type KeptPayoutDetails } from '../store/payout-details.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';

/**
 * Returns a collaborator's full payout details, and records the access in the audit log. Returns undefined and records
 * nothing if there are no details, or if they were encrypted with a lost key.
 */
export function readPayoutDetails(
  database: Database,
  secrets: SecretBox,
  reader: Reader,
  collaboratorId: CollaboratorId,
): Promise<KeptPayoutDetails | undefined> {
  const { organizationId } = reader;
  return inTransaction(database, async (connection) => {
    const details = await findPayoutDetails({ connection, organizationId }, secrets, collaboratorId);
    if (details === undefined) return undefined;
    await insertReading(connection, reader, 'getPayoutDetails', `/v1/collaborators/${collaboratorId}/payout-details`);
    return details;
  });
}
