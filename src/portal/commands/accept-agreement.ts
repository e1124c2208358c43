import { canEnterPortal } from '#collaborators/domain/collaborator.ts';
import { lockCollaboratorShared } from '#collaborators/store/collaborators.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { findAgreementInForce, hasAccepted, insertAcceptance } from '../store/agreements.ts';

export type AcceptanceOutcome = 'accepted' | 'already-accepted' | 'outdated' | 'closed';

/**
 * Records that a collaborator accepts a version of the partner agreement. Returns `outdated` if the version is not in
 * force, unless the collaborator accepted it earlier. The configuration lock prevents a new version from being
 * published in the meantime. The collaborator's lock prevents an acceptance during their erasure.
 */
export function acceptAgreement(
  tenant: Tenant<Database>,
  collaboratorId: CollaboratorId,
  version: number,
): Promise<AcceptanceOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const collaborator = await lockCollaboratorShared(tenant, collaboratorId);
    if (collaborator === undefined || !canEnterPortal(collaborator.status)) return 'closed';
    if (await hasAccepted(tenant, collaboratorId, version)) return 'already-accepted';
    if ((await findAgreementInForce(tenant)) !== version) return 'outdated';
    await insertAcceptance(tenant, collaboratorId, version);
    return 'accepted';
  });
}
