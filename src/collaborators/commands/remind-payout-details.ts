import type { CollaboratorId } from '#core/ids.ts';
import { addressOf, mailboxOf } from '#access/domain/person.ts';
import { portalUrl } from '#organizations/domain/portal.ts';
import { readPortalOf } from '#organizations/store/read/portals.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Email } from '#platform/email/email.ts';
import { queueEmails } from '#platform/email/queue-email.ts';
import { takeThrottles } from '#platform/throttles/take-throttles.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { canEnterPortal } from '../domain/collaborator.ts';
import { type PayeeToRemind, findPayeesToRemind } from '../store/payout-details.ts';
import { payoutDetailsMissingEmail } from '../wording/emails.ts';
import type { EmailContext } from './notify-approved.ts';
import { NOTICE_SECONDS } from './queue-notices.ts';

export type ReminderOutcome = 'reminded' | 'has-details' | 'unreachable' | 'throttled' | 'unknown';

/** The outcome for each distinct id, or `no-portal` if the portal is closed. */
export type Reminders =
  | { readonly kind: 'done'; readonly outcomes: ReadonlyMap<CollaboratorId, { readonly kind: ReminderOutcome }> }
  | { readonly kind: 'no-portal' };

/**
 * Queues an email to each given collaborator without payout details. The email asks them to enter the details in the
 * portal. Skips collaborators who have no email address, can't log in, or exceed a rate limit.
 */
export function remindPayoutDetails(
  tenant: Tenant<Database>,
  { secrets, publicUrl }: EmailContext,
  ids: readonly CollaboratorId[],
): Promise<Reminders> {
  return inTenantTransaction(tenant, async (tenant) => {
    const portal = await readPortalOf(tenant);
    if (portal === undefined) return { kind: 'no-portal' };
    const url = `${portalUrl(publicUrl, portal)}settings`;
    const payees = await findPayeesToRemind(tenant, ids);
    const outcomes = new Map<CollaboratorId, { kind: ReminderOutcome }>();
    const emails: Email[] = [];
    for (const id of ids) {
      if (outcomes.has(id)) continue;
      const payee = payees.get(id);
      const kind = await outcomeOf(tenant, secrets, payee);
      outcomes.set(id, { kind });
      if (kind === 'reminded') {
        const { name, email } = payee as Reachable;
        emails.push({ to: addressOf(email), ...payoutDetailsMissingEmail({ portal: portal.name, name, url }) });
      }
    }
    if (emails.length > 0) await queueEmails(tenant, secrets, emails, NOTICE_SECONDS);
    return { kind: 'done', outcomes };
  });
}

type Reachable = PayeeToRemind & { readonly email: string };

async function outcomeOf(
  { connection, organizationId }: Tenant<Connection>,
  secrets: SecretBox,
  payee: PayeeToRemind | undefined,
): Promise<ReminderOutcome> {
  if (payee === undefined) return 'unknown';
  if (payee.hasDetails) return 'has-details';
  if (payee.email === null || !canEnterPortal(payee.status)) return 'unreachable';
  const throttled = await takeThrottles(
    connection,
    attemptsOf(secrets, 'payout reminder to an address', `${organizationId} ${mailboxOf(payee.email)}`),
    attemptsOf(secrets, 'payout reminders of an organization', String(organizationId)),
  );
  return throttled === undefined ? 'reminded' : 'throttled';
}
