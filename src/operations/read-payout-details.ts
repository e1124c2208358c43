import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import { insertAuditEntry } from '#store/audit.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { findPayoutDetails, type KeptPayoutDetails } from '#store/payout-details.ts';
import type { SecretBox } from '#store/secret-box.ts';

/** How a collaborator wants to be paid, in full. Who has read it is kept in the audit log, before they see it. */
export function readPayoutDetails(
  database: Database,
  secrets: SecretBox,
  { organizationId, author }: { readonly organizationId: OrganizationId; readonly author: string },
  collaboratorId: CollaboratorId,
): Promise<KeptPayoutDetails | undefined> {
  return inTransaction(database, async (connection) => {
    const details = await findPayoutDetails(connection, secrets, organizationId, collaboratorId);
    if (details === undefined) return undefined;
    const path = `/v1/collaborators/${collaboratorId}/payout-details`;
    const read = { author, operation: 'getPayoutDetails', path, request: null, before: null, after: null };
    await insertAuditEntry(connection, organizationId, read);
    return details;
  });
}
