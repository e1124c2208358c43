import type { InvitationId, OrganizationId } from '#core/ids.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { revokeInvitation as revoke } from '../store/invitations.ts';
import { type InvitationResource, invitations } from '../store/read/invitations.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

export type InvitationRevoking =
  | { readonly kind: 'revoked'; readonly invitation: InvitationResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'accepted' };

/** Revokes an invitation, so that its link is void. */
export function revokeInvitation(
  database: Database,
  organizationId: OrganizationId,
  id: InvitationId,
): Promise<InvitationRevoking> {
  return inTransaction(database, async (connection) => {
    const before = await revoke(connection, organizationId, id);
    if (before === undefined) return { kind: 'unknown' };
    if (before === 'accepted') return { kind: 'accepted' };
    const invitation = (await readOne(connection, organizationId, invitations, { id })) as InvitationResource;
    return { kind: 'revoked', invitation };
  });
}
