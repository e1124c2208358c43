import {
  COLLABORATOR_ACTIONS,
  type CollaboratorAction,
  type CollaboratorStatus,
  endsPortalSessions,
  isApproval,
  mayCollaboratorBecome,
} from '../domain/collaborator.ts';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import {
  findCollaboratorStatuses,
  insertCollaboratorVersions,
  updateCollaboratorStatuses,
} from '../store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { type Post, tellApproved } from './tell-approved.ts';
import { endPortalSessions } from '#access/store/sessions.ts';

/** The outcome for one collaborator. `status` is the status after the move, and `was` the one before. */
export type MoveOutcome =
  | {
      readonly kind: 'changed' | 'unchanged' | 'forbidden';
      readonly status: CollaboratorStatus;
      readonly was: CollaboratorStatus;
    }
  | { readonly kind: 'unknown' };

/**
 * Moves many collaborators to one status, under one configuration version. Returns one outcome for each distinct id.
 * Collaborators that can't have the status stay as they are. Approved collaborators are notified by email.
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
    const shutOut = changed.filter((id) => endsPortalSessions(found.get(id) as CollaboratorStatus, to));
    await endPortalSessions(connection, organizationId, shutOut);
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
