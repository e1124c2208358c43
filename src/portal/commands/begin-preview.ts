import { randomBytes } from 'node:crypto';
import { tokenHash, tokenOf } from '#access/domain/session.ts';
import { insertPreview } from '#access/store/sessions.ts';
import { canEnterPortal, type CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import { lockCollaboratorShared } from '#collaborators/store/collaborators.ts';
import type { CollaboratorId, PersonId, SessionId } from '#core/ids.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { readPortalOf } from '#organizations/store/read/portals.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';

export type PreviewOutcome =
  | { readonly kind: 'begun'; readonly token: string; readonly slug: string; readonly expiresAt: Date }
  | { readonly kind: 'unknown' }
  /** The person's session has ended in the meantime. */
  | { readonly kind: 'ended' }
  /** The collaborator can't log in to the portal because of their status, so they have no preview. */
  | { readonly kind: 'kept-out'; readonly status: CollaboratorStatus }
  | { readonly kind: 'no-portal' };

/**
 * Begins a session in which a person sees the portal as a collaborator, and records it in the audit log. The session
 * can't change anything, and ends with the person's session. Ends the person's other previews.
 */
export function beginPreview(
  tenant: Tenant<Database>,
  person: { readonly personId: PersonId; readonly sessionId: SessionId },
  id: CollaboratorId,
  userAgent: string | undefined,
): Promise<PreviewOutcome> {
  return inTenantTransaction(tenant, async (tenant): Promise<PreviewOutcome> => {
    const collaborator = await lockCollaboratorShared(tenant, id);
    if (collaborator === undefined) return { kind: 'unknown' };
    const { status } = collaborator;
    if (!canEnterPortal(status)) return { kind: 'kept-out', status };
    const portal = await readPortalOf(tenant);
    if (portal === undefined) return { kind: 'no-portal' };
    const token = tokenOf(randomBytes(32));
    const expiresAt = await insertPreview(tenant, id, person, { hash: tokenHash(token), userAgent });
    if (expiresAt === undefined) return { kind: 'ended' };
    await insertAuditEntry(tenant, {
      author: `person ${person.personId}`,
      operation: 'previewPortal',
      path: `/v1/collaborators/${id}/portal-preview`,
      request: null,
      before: null,
      after: null,
    });
    return { kind: 'begun', token, slug: portal.slug, expiresAt };
  });
}
