import type { InvitationId, OrganizationId } from '#domain/ids.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { revokeInvitation as revoke } from '#store/invitations.ts';
import { type InvitationResource, invitations } from '#store/read/invitations.ts';
import { readOne } from '#store/read/page.ts';

export type InvitationRevoking =
  | { readonly kind: 'revoked'; readonly invitation: InvitationResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'accepted' };

/** Makes an invitation's link void. */
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
