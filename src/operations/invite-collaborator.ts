import type { CollaboratorStatus } from '#domain/collaborator.ts';
import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import { collaboratorInvitationMail } from '#domain/mail.ts';
import { addressOf } from '#domain/person.ts';
import { mayEnterPortal, portalUrl } from '#domain/portal.ts';
import { THROTTLES, throttleBucket } from '#domain/throttle.ts';
import { holdCollaborator } from '#store/collaborators.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { readPortalOf } from '#store/read/portals.ts';
import { postMail } from './post-mail.ts';
import { takeThrottles, type Throttled } from './take-throttles.ts';
import { type Post, TOLD_SECONDS } from './tell-approved.ts';

export type CollaboratorInviting =
  | { readonly kind: 'invited' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'kept-out'; readonly status: CollaboratorStatus }
  | { readonly kind: 'no-address' }
  | { readonly kind: 'no-portal' }
  | Throttled;

const OF_ADDRESS = 'invitation of an address';
const OF_COLLABORATOR = 'invitation of a collaborator';

/** Tells a collaborator by mail who has added them, and where the portal is. */
export function inviteCollaborator(
  database: Database,
  { secrets, publicUrl }: Post,
  organizationId: OrganizationId,
  id: CollaboratorId,
  invitedBy: string | null,
): Promise<CollaboratorInviting> {
  return inTransaction(database, async (connection) => {
    const collaborator = await holdCollaborator(connection, organizationId, id);
    if (collaborator === undefined) return { kind: 'unknown' };
    const { name, email, status } = collaborator;
    if (!mayEnterPortal(status)) return { kind: 'kept-out', status };
    if (email === null) return { kind: 'no-address' };
    const portal = await readPortalOf(connection, organizationId);
    if (portal === undefined) return { kind: 'no-portal' };
    const to = addressOf(email);
    const { hashKey } = secrets;
    const throttled = await takeThrottles(
      connection,
      [throttleBucket(hashKey, OF_ADDRESS, `${organizationId} ${to}`), THROTTLES[OF_ADDRESS]],
      [throttleBucket(hashKey, OF_COLLABORATOR, `${organizationId} ${id}`), THROTTLES[OF_COLLABORATOR]],
    );
    if (throttled !== undefined) return throttled;
    const url = portalUrl(publicUrl, portal.slug);
    const written = collaboratorInvitationMail({ portal: portal.name, name, invitedBy, url });
    await postMail(connection, secrets, organizationId, { to, ...written }, TOLD_SECONDS);
    return { kind: 'invited' };
  });
}
