import type { OrganizationId } from '#domain/ids.ts';
import type { Mail } from '#domain/mail.ts';
import type { Connection } from '#store/database.ts';
import { insertMail } from '#store/mails.ts';
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
  await insertMail(connection, organizationId, secrets.seal(JSON.stringify(mail)), expiresInSeconds);
}
