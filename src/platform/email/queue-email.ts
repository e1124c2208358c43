import type { Email } from './email.ts';
import type { Connection } from '../postgres/database.ts';
import type { Tenant } from '../postgres/tenant.ts';
import { insertEmails } from './outgoing-emails.ts';
import type { SecretBox } from '../crypto/secret-box.ts';

/**
 * Queues an email in the transaction of the change that it reports. If the transaction is rolled back, the email is
 * never sent. Encrypts the email, because it may contain a login link. It expires after `expiresInSeconds`.
 */
export async function queueEmail(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  mail: Email,
  expiresInSeconds: number,
): Promise<void> {
  await queueEmails(tenant, secrets, [mail], expiresInSeconds);
}

export async function queueEmails(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  emails: readonly Email[],
  expiresInSeconds: number,
): Promise<void> {
  const messages = emails.map((mail) => secrets.seal(JSON.stringify(mail)));
  await insertEmails(tenant, messages, expiresInSeconds);
}
