import { mailboxOf } from '#access/domain/person.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Email } from '#platform/email/email.ts';
import { queueEmails } from '#platform/email/queue-email.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { takeThrottles } from '#platform/throttles/take-throttles.ts';
import { throttleBucket, THROTTLES } from '#platform/throttles/throttle.ts';

/** How long an email to a collaborator is retried before it expires, in seconds. */
export const NOTICE_SECONDS = 7 * 86_400;

const OF_ADDRESS = 'notice to an address';
const OF_ORGANIZATION = 'notices of an organization';

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
      [throttleBucket(secrets.hashKey, OF_ADDRESS, `${organizationId} ${mailboxOf(mail.to)}`), THROTTLES[OF_ADDRESS]],
      [throttleBucket(secrets.hashKey, OF_ORGANIZATION, String(organizationId)), THROTTLES[OF_ORGANIZATION]],
    );
    if (throttled === undefined) allowed.push(mail);
  }
  if (allowed.length > 0) await queueEmails(tenant, secrets, allowed, NOTICE_SECONDS);
}
