import type { InvitationId } from '#core/ids.ts';
import type { InvitationStatus } from '../../domain/person.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Role } from '#core/caller.ts';

export type InvitationResource = {
  readonly id: InvitationId;
  readonly email: string | null;
  readonly role: Role;
  readonly status: InvitationStatus;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
};

export const invitations: Relation<InvitationResource, InvitationResource> = {
  query: `
    select organization_id, id, email, role,
      case when status = 'open' and expires_at <= now() then 'expired' else status end as status,
      invited_by as "invitedBy", created_at as "createdAt", expires_at as "expiresAt", accepted_at as "acceptedAt"
    from invitations`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: (row) => row,
};
