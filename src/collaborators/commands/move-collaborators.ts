import {
  COLLABORATOR_ACTIONS,
  type CollaboratorAction,
  type CollaboratorStatus,
  endsPortalSessions,
  isApproval,
  canCollaboratorBecome,
} from '../domain/collaborator.ts';
import type { CollaboratorId } from '#core/ids.ts';
import {
  endPortalAccess,
  findCollaboratorStatuses,
  insertCollaboratorVersions,
  updateCollaboratorStatuses,
} from '../store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type EmailContext, notifyApproved } from './notify-approved.ts';

/**
 * The outcome of a bulk change of status for one collaborator. `status` is the status after the change, and `was` the
 * status before it.
 */
export type MoveOutcome =
  | {
      readonly kind: 'changed' | 'unchanged' | 'forbidden';
      readonly status: CollaboratorStatus;
      readonly was: CollaboratorStatus;
    }
  | { readonly kind: 'unknown' };

/**
 * Changes the status of many collaborators, under one configuration version. Rejected collaborators share one reason.
 * Returns the outcome for each distinct id. A collaborator whose change isn't allowed stays unchanged. Calls
 * `notifyApproved` for approved collaborators. Ends the portal sessions of collaborators whose portal access starts or
 * ends.
 */
export function moveCollaborators(
  tenant: Tenant<Database>,
  emailContext: EmailContext,
  ids: readonly CollaboratorId[],
  { action, rejectionReason }: { readonly action: CollaboratorAction; readonly rejectionReason: string | null },
): Promise<Map<CollaboratorId, MoveOutcome>> {
  const to = COLLABORATOR_ACTIONS[action];
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const found = await findCollaboratorStatuses(tenant, ids);
    const outcomes = new Map(ids.map((id) => [id, outcomeOf(found.get(id), to)]));
    const changed = [...outcomes].flatMap(([id, { kind }]) => (kind === 'changed' ? [id] : []));
    if (changed.length === 0) return outcomes;
    await updateCollaboratorStatuses(tenant, changed, to, rejectionReason);
    const version = await changeConfiguration(tenant);
    await insertCollaboratorVersions(tenant, changed, version);
    const shutOut = changed.filter((id) => endsPortalSessions(found.get(id) as CollaboratorStatus, to));
    await endPortalAccess(tenant, shutOut);
    const approved = changed.filter((id) => isApproval(found.get(id) as CollaboratorStatus, to));
    await notifyApproved(tenant, emailContext, approved);
    return outcomes;
  });
}

function outcomeOf(from: CollaboratorStatus | undefined, to: CollaboratorStatus): MoveOutcome {
  if (from === undefined) return { kind: 'unknown' };
  if (!canCollaboratorBecome(from, to)) return { kind: 'forbidden', status: from, was: from };
  return { kind: from === to ? 'unchanged' : 'changed', status: to, was: from };
}
