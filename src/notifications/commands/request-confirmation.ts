import { confirmationToken } from '../domain/confirmation-token.ts';
import { confirmAddressEmail } from '../wording/digests.ts';
import { canEmailPerson } from '#access/commands/notify-person.ts';
import { lockPerson } from '#access/store/people.ts';
import type { EmailContext } from '#collaborators/commands/notify-approved.ts';
import { PersonGone } from '#core/failures.ts';
import type { PersonId } from '#core/ids.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';

/** How long a confirmation email can wait to be sent, in seconds. After that, it is not sent. */
const EMAIL_SECONDS = 3_600;

/** Queues an email with a link that confirms the address of a person. */
export function requestConfirmation(
  tenant: Tenant<Database>,
  { secrets, publicUrl }: EmailContext,
  personId: PersonId,
): Promise<{ readonly kind: 'queued' } | Throttled> {
  return inTenantTransaction(tenant, async (tenant): Promise<{ readonly kind: 'queued' } | Throttled> => {
    const person = await lockPerson(tenant, personId);
    if (person === undefined) throw new PersonGone(`person ${personId}`);
    const confirmations = attemptsOf(secrets, 'confirmation of a person', `${tenant.organizationId} ${personId}`);
    const throttled = await takeThrottles(tenant.connection, confirmations);
    if (throttled !== undefined) return throttled;
    // Beyond the limit of the mailbox, return the same result without an email.
    const canEmail = await canEmailPerson(tenant, secrets, personId, person.email, 'links to an unconfirmed mailbox');
    if (!canEmail) return { kind: 'queued' };
    const token = confirmationToken(secrets.hashKey, { organizationId: tenant.organizationId, personId });
    const text = confirmAddressEmail({ ...person, url: `${publicUrl}/confirm-address/${token}` });
    await queueEmail(tenant, secrets, { to: person.email, ...text }, EMAIL_SECONDS);
    return { kind: 'queued' };
  });
}
