import { type DigestDay, MAX_COUNTED } from '../domain/digest.ts';
import { unsubscribeToken } from '../domain/unsubscribe-token.ts';
import { digestEmail } from '../wording/digests.ts';
import { claimDigests, countWaiting, findDigesting } from '../store/digests.ts';
import { MAX_WAITING_EMAILS } from './notify-partners.ts';
import type { EmailContext } from '#collaborators/commands/notify-approved.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { type Email, withUnsubscribeLink } from '#platform/email/email.ts';
import { hasWaitingEmails } from '#platform/email/outgoing-emails.ts';
import { queueEmails } from '#platform/email/queue-email.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ChoreOutcome, servingInTurn } from '#platform/worker/chores.ts';

/** The maximum number of people of an organization who are emailed in one step. A step is one transaction. */
const PEOPLE_A_STEP = 50;
/** How long a digest can wait to be sent, in seconds. After that, the next daily digest is due. */
const DIGEST_SECONDS = 86_400;

/**
 * Returns a maintenance task that emails digests to people. Each call does one step for one organization, and a round
 * ends after the last organization. A digest that could not be queued on its day is skipped.
 */
export function createDigestSender(
  database: Database,
  context: EmailContext,
  clock: () => Date = () => new Date(),
): () => Promise<ChoreOutcome> {
  return servingInTurn(
    (previous) => findDigesting(database, previous, clock()),
    ({ organizationId, day }) => sendDigests({ connection: database, organizationId }, context, day),
  );
}

/**
 * Queues due digests of an organization and records them as sent, in one transaction. So no digest is queued without
 * being recorded as sent, even if the process is killed. Does nothing while MAX_WAITING_EMAILS emails are waiting.
 * Returns whether the step was full.
 */
function sendDigests(tenant: Tenant<Database>, { secrets, publicUrl }: EmailContext, day: DigestDay): Promise<boolean> {
  return inTenantTransaction(tenant, async (tenant) => {
    if (await hasWaitingEmails(tenant, MAX_WAITING_EMAILS)) return false;
    const readers = await claimDigests(tenant, day, PEOPLE_A_STEP);
    if (readers.length === 0) return false;
    const counts = await countWaiting(tenant, MAX_COUNTED);
    const { name: organization } = await readOrganization(tenant);
    const { organizationId } = tenant;
    const emails = readers.flatMap(({ id, name, email, frequency }): Email[] => {
      const text = digestEmail({ name, organization, frequency, counts, url: publicUrl });
      if (text === undefined) return [];
      const token = unsubscribeToken(secrets.hashKey, { organizationId, personId: id, kind: 'digest' });
      return [{ to: email, ...withUnsubscribeLink(text, `${publicUrl}/unsubscribe/${token}`) }];
    });
    if (emails.length > 0) await queueEmails(tenant, secrets, emails, DIGEST_SECONDS);
    return readers.length === PEOPLE_A_STEP;
  });
}
