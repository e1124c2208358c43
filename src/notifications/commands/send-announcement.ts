import { type Announcement, MAX_RECIPIENTS, type NewAnnouncement } from '../domain/announcement.ts';
import { countAudience, insertAnnouncement } from '../store/announcements.ts';
import { announcementTestEmail } from '../wording/announcements.ts';
import { mailboxOf } from '#access/domain/person.ts';
import { lockPerson } from '#access/store/people.ts';
import type { EmailContext } from '#collaborators/commands/notify-approved.ts';
import { PersonGone } from '#core/failures.ts';
import type { PersonId } from '#core/ids.ts';
import { portalUrl } from '#organizations/domain/portal.ts';
import { readPortalOf } from '#organizations/store/read/portals.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { findCurrentProgram } from '#programs/store/programs.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';

/** How long a test email can wait to be sent, in seconds. After that, it is not sent. */
const TEST_SECONDS = 3_600;

export type AnnouncementOutcome =
  | { readonly kind: 'sent'; readonly announcement: Announcement }
  /** The portal is closed, so partners would get no email. */
  | { readonly kind: 'no-portal' }
  | { readonly kind: 'unknown-program' }
  /** The audience contains no partners. */
  | { readonly kind: 'nobody' }
  /** The audience has more than MAX_RECIPIENTS partners. */
  | { readonly kind: 'too-many' }
  | Throttled;

/**
 * Records an announcement with a notice for each of its recipients. The worker emails the notices as fast as the mail
 * server accepts them.
 */
export function sendAnnouncement(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  announcement: NewAnnouncement,
): Promise<AnnouncementOutcome> {
  return inTenantTransaction(tenant, async (tenant): Promise<AnnouncementOutcome> => {
    if ((await readPortalOf(tenant)) === undefined) return { kind: 'no-portal' };
    const { programId } = announcement;
    const program = programId === null ? null : await findCurrentProgram(tenant, programId);
    if (program === undefined || program?.fields.status === 'deleted') return { kind: 'unknown-program' };
    const count = await countAudience(tenant, announcement, MAX_RECIPIENTS + 1);
    if (count === 0) return { kind: 'nobody' };
    if (count > MAX_RECIPIENTS) return { kind: 'too-many' };
    const sent = attemptsOf(secrets, 'announcements of an organization', String(tenant.organizationId));
    const throttled = await takeThrottles(tenant.connection, sent);
    if (throttled !== undefined) return throttled;
    return { kind: 'sent', announcement: await insertAnnouncement(tenant, announcement) };
  });
}

export type AnnouncementTestOutcome = { readonly kind: 'queued' } | { readonly kind: 'no-portal' } | Throttled;

/** Queues an announcement as an email to the person who writes it. */
export function testAnnouncement(
  tenant: Tenant<Database>,
  { secrets, publicUrl }: EmailContext,
  personId: PersonId,
  written: { readonly subject: string; readonly text: string },
): Promise<AnnouncementTestOutcome> {
  return inTenantTransaction(tenant, async (tenant): Promise<AnnouncementTestOutcome> => {
    const portal = await readPortalOf(tenant);
    if (portal === undefined) return { kind: 'no-portal' };
    const person = await lockPerson(tenant, personId);
    if (person === undefined) throw new PersonGone(`person ${personId}`);
    const mailbox = `${tenant.organizationId} ${mailboxOf(person.email)}`;
    const tests = attemptsOf(secrets, 'tests of announcements to a mailbox', mailbox);
    const throttled = await takeThrottles(tenant.connection, tests);
    if (throttled !== undefined) return throttled;
    const to = { name: person.name, portal: portal.name, url: portalUrl(publicUrl, portal) };
    await queueEmail(tenant, secrets, { to: person.email, ...announcementTestEmail(to, written) }, TEST_SECONDS);
    return { kind: 'queued' };
  });
}
