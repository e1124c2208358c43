import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import { approvedMail } from '#domain/mail.ts';
import { addressOf } from '#domain/person.ts';
import { portalUrl } from '#domain/portal.ts';
import { findCollaboratorAddresses } from '#store/collaborators.ts';
import type { Connection } from '#store/database.ts';
import { readPortalOf } from '#store/read/portals.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { postMails } from './post-mail.ts';

/** What mails to collaborators are written with. */
export type Post = {
  readonly secrets: SecretBox;
  /** Where people reach the service. */
  readonly publicUrl: string;
};

/** Who is away for a week still wants to know that they may begin. */
export const TOLD_SECONDS = 7 * 86_400;

/** Tells collaborators who have waited that they are in, where they have an address and there is a portal to come to. */
export async function tellApproved(
  connection: Connection,
  { secrets, publicUrl }: Post,
  organizationId: OrganizationId,
  ids: readonly CollaboratorId[],
): Promise<void> {
  if (ids.length === 0) return;
  const portal = await readPortalOf(connection, organizationId);
  if (portal === undefined) return;
  const url = portalUrl(publicUrl, portal.slug);
  const told = await findCollaboratorAddresses(connection, organizationId, ids);
  const mails = told.map(({ name, email }) => ({
    to: addressOf(email),
    ...approvedMail({ portal: portal.name, name, url }),
  }));
  await postMails(connection, secrets, organizationId, mails, TOLD_SECONDS);
}
