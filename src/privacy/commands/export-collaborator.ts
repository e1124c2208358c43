import type { CollaboratorId } from '#core/ids.ts';
import type { PlatformUserId } from '#core/user.ts';
import { insertReading, type Reader } from '#organizations/store/audit.ts';
import { type Database, inTransaction, openSnapshot } from '#platform/postgres/database.ts';
import { findPayoutDetails, type KeptPayoutDetails } from '#collaborators/store/payout-details.ts';
import { findTaxDetails, type KeptTaxDetails } from '#collaborators/store/tax-details.ts';
import { type CollaboratorTraces, readCollaboratorTraces } from '../store/read/collaborator-traces.ts';
import { type CollaboratorResource, collaborators } from '#collaborators/store/read/collaborators.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { readUsersOfCollaborator } from '#collaborators/store/read/users.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';

export type CollaboratorExport = CollaboratorTraces & {
  readonly collaborator: CollaboratorResource;
  readonly userIds: readonly PlatformUserId[];
  readonly payoutDetails: KeptPayoutDetails | null;
  readonly taxDetails: KeptTaxDetails | null;
};

/**
 * An open export. Its data is read from a database snapshot while it is sent. Afterwards, the caller must close the
 * export.
 */
export type OpenedExport<Export> = { readonly exported: Export; readonly close: () => Promise<void> };

/**
 * Opens the export of a collaborator's personal data. Returns undefined for an unknown collaborator. The audit record
 * is committed before any data is returned.
 */
export async function exportCollaborator(
  database: Database,
  secrets: SecretBox,
  reader: Reader,
  id: CollaboratorId,
): Promise<OpenedExport<CollaboratorExport> | undefined> {
  const { organizationId } = reader;
  const { connection, close } = await openSnapshot(database);
  const tenant = { connection, organizationId };
  try {
    const collaborator = await readOne(tenant, collaborators, { id });
    if (collaborator === undefined) {
      await close();
      return undefined;
    }
    const payoutDetails = (await findPayoutDetails(tenant, secrets, id)) ?? null;
    const taxDetails = (await findTaxDetails(tenant, secrets, id)) ?? null;
    const userIds = await readUsersOfCollaborator(tenant, id);
    const traces = readCollaboratorTraces(tenant, id);
    await inTransaction(database, (writing) =>
      insertReading(writing, reader, 'exportCollaborator', `/v1/collaborators/${id}/export`),
    );
    return { exported: { collaborator, userIds, payoutDetails, taxDetails, ...traces }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
