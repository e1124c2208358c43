import { ERASED } from '#collaborators/domain/collaborator.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { emptyAudit } from '#organizations/store/audit.ts';
import { eraseCodes } from '#collaborators/store/aliases.ts';
import {
  findCollaboratorFields,
  findUserIds,
  forgetUserIds,
  insertCollaboratorVersions,
  lockCollaborator,
  updateCollaborator,
} from '#collaborators/store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { insertErasure, removeMessages, removePortalTraces, wasErased } from '../store/erasures.ts';
import { isOwed } from '#payouts/store/payouts.ts';
import { type CollaboratorResource, collaborators } from '#collaborators/store/read/collaborators.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { removeUserTexts } from '#collaborators/store/text-users.ts';
import { eraseTraces, type Eraser } from './erase-visitor.ts';

export type CollaboratorErasing =
  | { readonly kind: 'erased'; readonly collaborator: CollaboratorResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'owed' };

/**
 * Deletes a collaborator and erases their personal data. This includes visitor data under each of their current and
 * former user ids, and copies in the audit log. Their earnings stay, and a replay still decides them the same way.
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
  // Before the address is erased, because links are found by it.
  await removePortalTraces(connection, organizationId, id);
  await updateCollaborator(connection, organizationId, id, ERASED);
  await insertCollaboratorVersions(connection, organizationId, [id], version);
  await removeMessages(connection, organizationId, 'collaborator', [id]);
  await emptyAudit(connection, organizationId, id);
  await eraseAsVisitor(connection, eraser, id);
}

/**
 * Erases the visitor data of the collaborator's user ids. This step is last, when the transaction has nothing else to
 * wait for, because visits of these users keep arriving until the end. Each user id gets its own erasure, whose id
 * replaces it. A purchase under a former user id was not a self-referral, and must not become one.
 */
async function eraseAsVisitor(connection: Connection, eraser: Eraser, id: CollaboratorId): Promise<void> {
  const { organizationId, author } = eraser;
  const userIds = await findUserIds(connection, organizationId, id);
  for (const userId of userIds) {
    await eraseTraces(connection, eraser, userId, () =>
      insertErasure(connection, organizationId, { author, collaboratorId: null }),
    );
  }
  // Only after all erasures, because they still need to know which version had which user.
  await forgetUserIds(connection, organizationId, id);
  await removeUserTexts(connection, organizationId, userIds);
}
