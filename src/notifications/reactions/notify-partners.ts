import {
  applicationRejectedEmail,
  approvedSalesEmail,
  type Addressed,
  firstClickEmail,
  firstSaleEmail,
  paidEmail,
  payoutFailedEmail,
  rateChangedEmail,
  rejectedSalesEmail,
} from '../wording/partner-emails.ts';
import { readNoticedAnnouncements } from '../store/announcements.ts';
import { announcementEmail } from '../wording/announcements.ts';
import { isMutable, NOTICE_DAYS, type NoticeKind } from '../domain/partner-email.ts';
import { unsubscribeToken } from '../domain/unsubscribe-token.ts';
import {
  findNotifying,
  lockPartnerEmails,
  noteClicks,
  noteConfiguration,
  noteEntries,
} from '../store/partner-emails.ts';
import {
  dropWaitingNotices,
  type DueNotices,
  findDueNotices,
  markNoticesSent,
  readFailedPayouts,
  readNoticedConversions,
  readNoticedPayouts,
  readNoticedPrograms,
  readNoticedRejections,
} from '../store/partner-notices.ts';
import { addressOf, mailboxOf } from '#access/domain/person.ts';
import { canEnterPortal } from '#collaborators/domain/collaborator.ts';
import type { EmailContext } from '#collaborators/commands/notify-approved.ts';
import { NOTICE_SECONDS } from '#collaborators/commands/queue-notices.ts';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import { partnerSiteUrl, portalUrl } from '#organizations/domain/portal.ts';
import { readTimeZone } from '#organizations/store/read/organizations.ts';
import { type OpenPortal, readPortalOf } from '#organizations/store/read/portals.ts';
import { type Email, type EmailText, withUnsubscribeLink } from '#platform/email/email.ts';
import { hasWaitingEmails } from '#platform/email/outgoing-emails.ts';
import { queueEmails } from '#platform/email/queue-email.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { throttleBucket, THROTTLES } from '#platform/throttles/throttle.ts';
import { takeEachThrottle } from '#platform/throttles/throttles.ts';
import { type ChoreOutcome, servingInTurn } from '#platform/worker/chores.ts';
import { summarizeTerms } from '#programs/wording/program-words.ts';

/**
 * The maximum number of groups of notices that are emailed in one step. A group contains the due notices of one kind
 * for one partner. A step is one transaction.
 */
const EMAILS_A_STEP = 50;
/**
 * The number of an organization's waiting emails at which no further notices or digests are emailed. Without this
 * limit, thousands of notices could delay a login link.
 */
export const MAX_WAITING_EMAILS = 200;
const OF_MAILBOX = 'partner emails to a mailbox';

export type NotifierContext = EmailContext & {
  /** Called with the number of emails in a step that are not sent, because their mailboxes already got too many. */
  readonly onLimited?: (organizationId: OrganizationId, emails: number) => void;
};

/**
 * Returns a maintenance task that writes notices to partners and emails them. Each call does one step for one
 * organization.
 */
export function createPartnerNotifier(database: Database, context: NotifierContext): () => Promise<ChoreOutcome> {
  return servingInTurn(
    async (previous) => {
      const organizationId = await findNotifying(database, previous, NOTICE_DAYS);
      return organizationId === undefined ? undefined : { organizationId };
    },
    ({ organizationId }) => notifyPartners({ connection: database, organizationId }, context),
  );
}

/**
 * Writes the next notices of an organization, and queues emails about due notices, in one transaction. Returns whether
 * another step should follow immediately. Does nothing if another process is working on the organization.
 */
function notifyPartners(tenant: Tenant<Database>, context: NotifierContext): Promise<boolean> {
  return inTenantTransaction(tenant, async (tenant) => {
    const emails = await lockPartnerEmails(tenant);
    if (emails === undefined) return false;
    const portal = await readPortalOf(tenant);
    const kinds = portal === undefined ? [] : emails.kinds;
    const hasEntries = await noteEntries(tenant, emails, kinds);
    const hasVersions = await noteConfiguration(tenant, emails, kinds);
    const isMore = hasEntries || hasVersions;
    if (kinds.includes('first-click')) await noteClicks(tenant, NOTICE_DAYS);
    if (portal === undefined) await dropWaitingNotices(tenant);
    else if (await sendDue(tenant, context, portal)) return true;
    return isMore;
  });
}

/**
 * Queues emails about up to EMAILS_A_STEP groups of due notices, except emails that a partner doesn't want and emails
 * beyond the limit of a mailbox. Does nothing while MAX_WAITING_EMAILS emails are waiting. Marks all notices of these
 * groups as sent. Returns whether the step was full, in which case more notices may be due.
 */
async function sendDue(tenant: Tenant<Connection>, context: NotifierContext, portal: OpenPortal): Promise<boolean> {
  if (await hasWaitingEmails(tenant, MAX_WAITING_EMAILS)) return false;
  const due = await findDueNotices(tenant, EMAILS_A_STEP);
  if (due.length === 0) return false;
  const wanted = due.filter(
    ({ kind, email, status, isMuted }) =>
      email !== null && !isMuted && (canEnterPortal(status) || kind === 'application-rejected'),
  );
  const texts = await writeTexts(tenant, portal, portalUrl(context.publicUrl, portal), wanted);
  const emails = wanted.flatMap((notices): Email[] => {
    const { kind, collaboratorId } = notices;
    const to = addressOf(notices.email ?? '');
    const written = texts(notices);
    if (!isMutable(kind)) return written.map((text) => ({ to, ...text }));
    const subscription = { organizationId: tenant.organizationId, collaboratorId, kind };
    const token = unsubscribeToken(context.secrets.hashKey, subscription);
    const url = `${partnerSiteUrl(context.publicUrl, portal.portalDomain)}/unsubscribe/${token}`;
    return written.map((text) => ({ to, ...withUnsubscribeLink(text, url) }));
  });
  await markNoticesSent(tenant, due);
  const allowed = await withinLimit(tenant, context, emails);
  if (allowed.length > 0) await queueEmails(tenant, context.secrets, allowed, NOTICE_SECONDS);
  return due.length === EMAILS_A_STEP;
}

/** Counts emails for each mailbox, and returns the emails within the limit. */
async function withinLimit(
  { connection, organizationId }: Tenant<Connection>,
  { secrets, onLimited }: NotifierContext,
  emails: readonly Email[],
): Promise<readonly Email[]> {
  if (emails.length === 0) return emails;
  const mailboxes = emails.map(({ to }) =>
    throttleBucket(secrets.hashKey, OF_MAILBOX, `${organizationId} ${mailboxOf(to)}`),
  );
  const areAllowed = await takeEachThrottle(connection, mailboxes, THROTTLES[OF_MAILBOX]);
  const allowed = emails.filter((_, index) => areAllowed[index]);
  if (allowed.length < emails.length) onLimited?.(organizationId, emails.length - allowed.length);
  return allowed;
}

/**
 * Loads the data for the emails about all groups of notices. Returns a function that returns the email texts for a
 * group. The function returns no text if the data of the group no longer applies.
 */
async function writeTexts(
  tenant: Tenant<Connection>,
  { name: portal, supportEmail }: OpenPortal,
  url: string,
  groups: readonly DueNotices[],
): Promise<(group: DueNotices) => readonly EmailText[]> {
  const idsOf = (kind: NoticeKind): CollaboratorId[] =>
    groups.filter((group) => group.kind === kind).map(({ collaboratorId }) => collaboratorId);
  const timeZone = await readTimeZone(tenant);
  const firstSales = groupByCollaborator(await readNoticedConversions(tenant, 'first-sale', idsOf('first-sale')));
  const approved = groupByCollaborator(await readNoticedConversions(tenant, 'approved', idsOf('approved')));
  const rejected = groupByCollaborator(await readNoticedConversions(tenant, 'rejected', idsOf('rejected')));
  const turnedAway = groupByCollaborator(await readNoticedRejections(tenant, idsOf('application-rejected')));
  const payouts = groupByCollaborator(await readNoticedPayouts(tenant, idsOf('paid')));
  const failed = groupByCollaborator(await readFailedPayouts(tenant, idsOf('payout-failed')));
  const announced = groupByCollaborator(await readNoticedAnnouncements(tenant, idsOf('announcement')));
  const programs = groupByCollaborator(await readNoticedPrograms(tenant, idsOf('rate-changed')));
  return ({ kind, collaboratorId: id, name }) => {
    const to: Addressed = { name, portal, url };
    switch (kind) {
      case 'application-rejected':
        return turnedAway(id).map(({ reason }) => applicationRejectedEmail(to, reason, supportEmail));
      case 'first-click':
        return [firstClickEmail(to)];
      case 'first-sale':
        return writeIfAny(firstSales(id), (facts) => firstSaleEmail(to, facts));
      case 'approved':
        return writeIfAny(approved(id), (facts) => approvedSalesEmail(to, facts));
      case 'rejected':
        return writeIfAny(rejected(id), (facts) => rejectedSalesEmail(to, facts));
      case 'paid':
        return writeIfAny(payouts(id), (facts) => paidEmail(to, timeZone, facts));
      case 'payout-failed':
        return writeIfAny(failed(id), (facts) => payoutFailedEmail(to, facts));
      case 'rate-changed': {
        const reader = { kind: 'collaborator', id } as const;
        return writeIfAny(programs(id), (changed) =>
          rateChangedEmail(
            to,
            changed.map(({ fields }) => ({ name: fields.name, words: summarizeTerms(fields, reader) })),
            (changed[0]?.count ?? 0) - changed.length,
          ),
        );
      }
      case 'announcement':
        return announced(id).map((written) => announcementEmail(to, written));
      default:
        return kind satisfies never;
    }
  };
}

function writeIfAny<Fact>(facts: readonly Fact[], write: (facts: readonly Fact[]) => EmailText): readonly EmailText[] {
  return facts.length === 0 ? [] : [write(facts)];
}

function groupByCollaborator<Fact extends { readonly collaboratorId: CollaboratorId }>(
  facts: readonly Fact[],
): (id: CollaboratorId) => readonly Fact[] {
  const grouped = Map.groupBy(facts, ({ collaboratorId }) => collaboratorId);
  return (id) => grouped.get(id) ?? [];
}
