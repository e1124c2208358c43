import type { Mail } from './mail.ts';
import type { Connection } from '../postgres/database.ts';
import type { Tenant } from '../postgres/tenant.ts';
import { insertMails } from './mails.ts';
import type { SecretBox } from '../crypto/secret-box.ts';

/**
 * Queues an email in the transaction of the change that it reports. It is sent if and only if that transaction commits.
 * It is encrypted, since it may contain a login link. It expires after `expiresInSeconds`.
 */
export async function postMail(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  mail: Mail,
  expiresInSeconds: number,
): Promise<void> {
  await postMails(tenant, secrets, [mail], expiresInSeconds);
}

/** Queues several emails. */
export async function postMails(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  mails: readonly Mail[],
  expiresInSeconds: number,
): Promise<void> {
  const messages = mails.map((mail) => secrets.seal(JSON.stringify(mail)));
  await insertMails(tenant, messages, expiresInSeconds);
}
