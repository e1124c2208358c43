import { mailboxOf } from '../domain/person.ts';
import { isConfirmed } from '../store/people.ts';
import type { PersonId } from '#core/ids.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Email } from '#platform/email/email.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { takeThrottle } from '#platform/throttles/throttles.ts';

/** How long a notice can wait to be sent, in seconds. After that, it is not sent. */
export const NOTICE_S = 86_400;

/**
 * Queues an email that notifies a person of a change of their account. If their address is unconfirmed, the email counts
 * against the limit of its mailbox, and beyond the limit nothing is queued.
 */
export async function notifyPerson(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  id: PersonId,
  notice: Email,
): Promise<void> {
  if (await canEmailPerson(tenant, secrets, id, notice.to, 'notices to an unconfirmed mailbox')) {
    await queueEmail(tenant, secrets, notice, NOTICE_S);
  }
}

/**
 * Returns whether a person can get another email. Emails to an unconfirmed address count against the limit `throttle` of
 * its mailbox.
 */
export async function canEmailPerson(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  id: PersonId,
  address: string,
  throttle: 'notices to an unconfirmed mailbox' | 'links to an unconfirmed mailbox',
): Promise<boolean> {
  if (await isConfirmed(tenant, id)) return true;
  const of = `${tenant.organizationId} ${mailboxOf(address)}`;
  const taking = await takeThrottle(tenant.connection, attemptsOf(secrets, throttle, of));
  return taking.kind === 'taken';
}
