import type { OrganizationId } from '#domain/ids.ts';
import type { Mail } from '#domain/mail.ts';
import type { Connection } from '#store/database.ts';
import { insertMails } from '#store/mails.ts';
import type { SecretBox } from '#store/secret-box.ts';

/**
 * Leaves a mail to be sent, in the transaction of what it tells: it is sent if and only if that is committed. Sealed, since
 * it may hold a link that lets somebody in. After `expiresInSeconds` it would tell nothing any more.
 */
export async function postMail(
  connection: Connection,
  secrets: SecretBox,
  organizationId: OrganizationId,
  mail: Mail,
  expiresInSeconds: number,
): Promise<void> {
  await postMails(connection, secrets, organizationId, [mail], expiresInSeconds);
}

/** The same of many at once. */
export async function postMails(
  connection: Connection,
  secrets: SecretBox,
  organizationId: OrganizationId,
  mails: readonly Mail[],
  expiresInSeconds: number,
): Promise<void> {
  const messages = mails.map((mail) => secrets.seal(JSON.stringify(mail)));
  await insertMails(connection, organizationId, messages, expiresInSeconds);
}
