import type { InvitationId } from '#core/ids.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { revokeInvitation as revoke } from '../store/invitations.ts';
import { type InvitationResource, invitations } from '../store/read/invitations.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';

export type InvitationRevocationOutcome =
  | { readonly kind: 'revoked'; readonly invitation: InvitationResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'accepted' };

/** Revokes an invitation, so that its link no longer works. An accepted invitation stays unchanged. */
export function revokeInvitation(tenant: Tenant<Database>, id: InvitationId): Promise<InvitationRevocationOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const before = await revoke(tenant, id);
    if (before === undefined) return { kind: 'unknown' };
    if (before === 'accepted') return { kind: 'accepted' };
    return { kind: 'revoked', invitation: await readExisting(tenant, invitations, { id }) };
  });
}
