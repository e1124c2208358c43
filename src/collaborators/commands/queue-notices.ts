import type { CollaboratorFields } from '../store/collaborators.ts';
import { addressOf, mailboxOf } from '#access/domain/person.ts';
import { readPortalSettings } from '#organizations/store/read/portals.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Email, EmailText } from '#platform/email/email.ts';
import { queueEmail, queueEmails } from '#platform/email/queue-email.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { takeThrottles } from '#platform/throttles/take-throttles.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';

/**
 * How long a security notice is retried before it expires, in seconds. The collaborator should receive it even if it is
 * days late.
 */
const SECURITY_NOTICE_SECONDS = 3 * 86_400;

/**
 * How long a notice, reminder or invitation to a collaborator is retried before it expires, in seconds. Security
 * notices expire earlier.
 */
export const NOTICE_SECONDS = 7 * 86_400;

/**
 * Queues emails to collaborators about a change that the merchant made. Skips emails that exceed the limit of a mailbox
 * or of the organization. Without limits, a merchant could use the service to send spam.
 */
export async function queueNotices(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  emails: readonly Email[],
): Promise<void> {
  const { connection, organizationId } = tenant;
  const allowed: Email[] = [];
  for (const mail of emails) {
    const throttled = await takeThrottles(
      connection,
      attemptsOf(secrets, 'notice to an address', `${organizationId} ${mailboxOf(mail.to)}`),
      attemptsOf(secrets, 'notices of an organization', String(organizationId)),
    );
    if (throttled === undefined) allowed.push(mail);
  }
  if (allowed.length > 0) await queueEmails(tenant, secrets, allowed, NOTICE_SECONDS);
}

/**
 * Queues an email that reports a change of a collaborator's details, because the change may be fraudulent. Queues
 * nothing for a collaborator without an email address.
 */
export async function queueSecurityNotice(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  { email, name }: Pick<CollaboratorFields, 'email' | 'name'>,
  write: (of: { readonly sender: string; readonly name: string; readonly supportEmail: string | null }) => EmailText,
): Promise<void> {
  if (email === null) return;
  const { name: sender, supportEmail } = await readPortalSettings(tenant);
  await queueEmail(
    tenant,
    secrets,
    { to: addressOf(email), ...write({ sender, name, supportEmail }) },
    SECURITY_NOTICE_SECONDS,
  );
}
