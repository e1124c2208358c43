import { type CollaboratorStatus, canEnterPortal } from '../domain/collaborator.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { collaboratorInvitationEmail } from '../wording/emails.ts';
import { addressOf, mailboxOf } from '#access/domain/person.ts';
import { portalUrl } from '#organizations/domain/portal.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { lockCollaboratorShared } from '../store/collaborators.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { readPortalOf } from '#organizations/store/read/portals.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { NOTICE_SECONDS } from './queue-notices.ts';
import type { EmailContext } from './notify-approved.ts';

export type CollaboratorInvitationOutcome =
  | { readonly kind: 'invited' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'kept-out'; readonly status: CollaboratorStatus }
  | { readonly kind: 'no-address' }
  | { readonly kind: 'no-portal' }
  | Throttled;

/**
 * Queues an email that invites a collaborator to the portal. The email names `invitedBy` and the portal, or only the
 * portal if `invitedBy` is null. Sends nothing if the collaborator is unknown, has no email address or can't log in.
 * Also sends nothing if the portal is closed or a rate limit is exceeded.
 */
export function inviteCollaborator(
  tenant: Tenant<Database>,
  { secrets, publicUrl }: EmailContext,
  id: CollaboratorId,
  invitedBy: string | null,
): Promise<CollaboratorInvitationOutcome> {
  const { organizationId } = tenant;
  return inTenantTransaction(tenant, async (tenant) => {
    const collaborator = await lockCollaboratorShared(tenant, id);
    if (collaborator === undefined) return { kind: 'unknown' };
    const { name, email, status } = collaborator;
    if (!canEnterPortal(status)) return { kind: 'kept-out', status };
    if (email === null) return { kind: 'no-address' };
    const portal = await readPortalOf(tenant);
    if (portal === undefined) return { kind: 'no-portal' };
    const to = addressOf(email);
    const throttled = await takeThrottles(
      tenant.connection,
      attemptsOf(secrets, 'invitation of an address', `${organizationId} ${mailboxOf(to)}`),
      attemptsOf(secrets, 'invitation of a collaborator', `${organizationId} ${id}`),
      attemptsOf(secrets, 'collaborators invited by an organization', String(organizationId)),
    );
    if (throttled !== undefined) return throttled;
    const url = portalUrl(publicUrl, portal);
    const written = collaboratorInvitationEmail({ portal: portal.name, name, invitedBy, url });
    await queueEmail(tenant, secrets, { to, ...written }, NOTICE_SECONDS);
    return { kind: 'invited' };
  });
}
