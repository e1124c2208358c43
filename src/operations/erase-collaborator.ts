import { ERASED } from '#domain/collaborator.ts';
import type { CollaboratorId } from '#domain/ids.ts';
import { emptyAudit } from '#store/audit.ts';
import { eraseCodes } from '#store/aliases.ts';
import {
  findCollaboratorFields,
  findUserIds,
  forgetUserIds,
  insertCollaboratorVersions,
  lockCollaborator,
  updateCollaborator,
} from '#store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { insertErasure, removeMessages, removePortalTraces, wasErased } from '#store/erasures.ts';
import { isOwed } from '#store/payouts.ts';
import { type CollaboratorResource, collaborators } from '#store/read/collaborators.ts';
import { readOne } from '#store/read/page.ts';
import { eraseTraces, type Eraser } from './erase-visitor.ts';

export type CollaboratorErasing =
  | { readonly kind: 'erased'; readonly collaborator: CollaboratorResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'owed' };

/**
 * Deletes a collaborator and takes away all that says who they are, also as a visitor under every user number that they
 * have had, and in the audit. What they have earned stays, and is decided again as it was.
 */
export function eraseCollaborator(
  database: Database,
  eraser: Eraser,
  id: CollaboratorId,
): Promise<CollaboratorErasing> {
  const { organizationId } = eraser;
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const fields = await findCollaboratorFields(connection, organizationId, id);
    if (fields === undefined) return { kind: 'unknown' };
    if (!(await wasErased(connection, organizationId, id))) {
      if (await isOwed(connection, organizationId, id)) return { kind: 'owed' };
      await erase(connection, eraser, id);
    }
    const collaborator = await readOne(connection, organizationId, collaborators, { id });
    return { kind: 'erased', collaborator: collaborator as CollaboratorResource };
  });
}

async function erase(connection: Connection, eraser: Eraser, id: CollaboratorId): Promise<void> {
  const { organizationId } = eraser;
  await lockCollaborator(connection, organizationId, id);
  await insertErasure(connection, organizationId, { ...eraser, collaboratorId: id });
  const version = await changeConfiguration(connection, organizationId);
  await eraseCodes(connection, organizationId, id, version);
  // Before the address goes, by which links are found.
  await removePortalTraces(connection, organizationId, id);
  await updateCollaborator(connection, organizationId, id, ERASED);
  await insertCollaboratorVersions(connection, organizationId, [id], version);
  await removeMessages(connection, organizationId, 'collaborator', [id]);
  await emptyAudit(connection, organizationId, id);
  await eraseAsVisitor(connection, eraser, id);
}

/**
 * Last, when nothing is left to wait for: until the end visits of these users go on to come. Each number by an erasure of its
 * own, whose number stands in its place: as which of them the collaborator bought decides whether they referred themselves.
 */
async function eraseAsVisitor(connection: Connection, eraser: Eraser, id: CollaboratorId): Promise<void> {
  const { organizationId, author } = eraser;
  for (const userId of await findUserIds(connection, organizationId, id)) {
    await eraseTraces(connection, eraser, userId, () =>
      insertErasure(connection, organizationId, { author, collaboratorId: null }),
    );
  }
  // Which versions had which user was asked until now.
  await forgetUserIds(connection, organizationId, id);
}
