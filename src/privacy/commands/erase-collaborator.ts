import { removeNamesFromBacktests } from '#backtest/store/backtests.ts';
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

export type ErasureOutcome =
  | { readonly kind: 'erased'; readonly collaborator: CollaboratorResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'owed' };

/**
 * Deletes a collaborator and erases their personal data. The erased data includes visitor data under each of their
 * current and former user ids, and copies in the audit log. Their earnings stay, and a replay still results in the
 * same earnings.
 */
export function eraseCollaborator(database: Database, eraser: Eraser, id: CollaboratorId): Promise<ErasureOutcome> {
  const { organizationId } = eraser;
  return inTransaction(database, async (connection) => {
    const tenant = { connection, organizationId };
    await lockConfiguration(tenant);
    const fields = await findCollaboratorFields(tenant, id);
    if (fields === undefined) return { kind: 'unknown' };
    if (!(await wasErased(tenant, id))) {
      if (await isOwed(tenant, id)) return { kind: 'owed' };
      await erase(connection, eraser, id);
    }
    const collaborator = await readOne(tenant, collaborators, { id });
    return { kind: 'erased', collaborator: collaborator as CollaboratorResource };
  });
}

async function erase(connection: Connection, eraser: Eraser, id: CollaboratorId): Promise<void> {
  const { organizationId } = eraser;
  const tenant = { connection, organizationId };
  await lockCollaborator(tenant, id);
  await insertErasure(tenant, { ...eraser, collaboratorId: id });
  const version = await changeConfiguration(tenant);
  await eraseCodes(tenant, id, version);
  // Remove portal data before the address is erased, because login links are found by address.
  await removePortalTraces(tenant, id);
  await updateCollaborator(tenant, id, ERASED);
  await insertCollaboratorVersions(tenant, [id], version);
  await removeMessages(tenant, 'collaborator', [id]);
  await removeNamesFromBacktests(tenant, id);
  await emptyAudit(tenant, id);
  await eraseAsVisitor(connection, eraser, id);
}

/**
 * Erases the visitor data of the collaborator's user ids. Call it last, because reports about the users then wait until
 * the transaction ends. Each user id with opportunities gets its own erasure, whose id replaces the user id. A purchase
 * under a former user id was not a self-referral, and must not become one.
 */
async function eraseAsVisitor(connection: Connection, eraser: Eraser, id: CollaboratorId): Promise<void> {
  const { organizationId, author } = eraser;
  const tenant = { connection, organizationId };
  const userIds = await findUserIds(tenant, id);
  for (const userId of userIds) {
    await eraseTraces(connection, eraser, userId, () =>
      insertErasure({ connection, organizationId }, { author, collaboratorId: null }),
    );
  }
  // Remove the user ids after all erasures, because an erasure needs the user id of each version.
  await forgetUserIds(tenant, id);
  await removeUserTexts(tenant, userIds);
}
