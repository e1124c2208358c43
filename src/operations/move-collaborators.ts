import {
  COLLABORATOR_ACTIONS,
  type CollaboratorAction,
  type CollaboratorStatus,
  isApproval,
  mayCollaboratorBecome,
} from '#domain/collaborator.ts';
import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import {
  findCollaboratorStatuses,
  insertCollaboratorVersions,
  updateCollaboratorStatuses,
} from '#store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type Post, tellApproved } from './tell-approved.ts';

/** `status` is the collaborator's after the move, `was` the one before it. */
export type MoveOutcome =
  | {
      readonly kind: 'changed' | 'unchanged' | 'forbidden';
      readonly status: CollaboratorStatus;
      readonly was: CollaboratorStatus;
    }
  | { readonly kind: 'unknown' };

/**
 * Takes many collaborators to one state at once, all by one change of the configuration; one outcome an id, each id once.
 * Those that may not go there stay as they are. Who was let in is told by mail.
 */
export function moveCollaborators(
  database: Database,
  post: Post,
  organizationId: OrganizationId,
  ids: readonly CollaboratorId[],
  action: CollaboratorAction,
): Promise<Map<CollaboratorId, MoveOutcome>> {
  const to = COLLABORATOR_ACTIONS[action];
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const found = await findCollaboratorStatuses(connection, organizationId, ids);
    const outcomes = new Map(ids.map((id) => [id, outcomeOf(found.get(id), to)]));
    const changed = [...outcomes].flatMap(([id, { kind }]) => (kind === 'changed' ? [id] : []));
    if (changed.length === 0) return outcomes;
    await updateCollaboratorStatuses(connection, organizationId, changed, to);
    const version = await changeConfiguration(connection, organizationId);
    await insertCollaboratorVersions(connection, organizationId, changed, version);
    const approved = changed.filter((id) => isApproval(found.get(id) as CollaboratorStatus, to));
    await tellApproved(connection, post, organizationId, approved);
    return outcomes;
  });
}

function outcomeOf(from: CollaboratorStatus | undefined, to: CollaboratorStatus): MoveOutcome {
  if (from === undefined) return { kind: 'unknown' };
  if (!mayCollaboratorBecome(from, to)) return { kind: 'forbidden', status: from, was: from };
  return { kind: from === to ? 'unchanged' : 'changed', status: to, was: from };
}
