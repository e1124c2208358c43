import type { CollaboratorId } from '#core/ids.ts';
import { approvedEmail } from '../wording/emails.ts';
import { addressOf } from '#access/domain/person.ts';
import { portalUrl } from '#organizations/domain/portal.ts';
import { findCollaboratorAddresses } from '../store/collaborators.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readPortalOf } from '#organizations/store/read/portals.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { queueNotices } from './queue-notices.ts';

/** The dependencies for sending emails to collaborators. */
export type EmailContext = {
  readonly secrets: SecretBox;
  /** The public address of the service. */
  readonly publicUrl: string;
};

/**
 * Queues an email to each given collaborator who has an email address, to report that they are approved. Sends nothing
 * if the portal is closed.
 */
export async function notifyApproved(
  tenant: Tenant<Connection>,
  { secrets, publicUrl }: EmailContext,
  ids: readonly CollaboratorId[],
): Promise<void> {
  if (ids.length === 0) return;
  const portal = await readPortalOf(tenant);
  if (portal === undefined) return;
  const url = portalUrl(publicUrl, portal);
  const recipients = await findCollaboratorAddresses(tenant, ids);
  const emails = recipients.map(({ name, email }) => ({
    to: addressOf(email),
    ...approvedEmail({ portal: portal.name, name, url }),
  }));
  await queueNotices(tenant, secrets, emails);
}
