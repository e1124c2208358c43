import type { Operations } from '#contract/operations.ts';
import type { Database } from '#store/database.ts';
import type { Handlers } from './handler.ts';
import type { ReportBatches } from './report-batches.ts';
import { accountHandlers } from './routes/accounts.ts';
import { aliasHandlers } from './routes/aliases.ts';
import { auditHandlers } from './routes/audit-entries.ts';
import { apiKeyHandlers } from './routes/api-keys.ts';
import { balanceHandlers } from './routes/balances.ts';
import { collaboratorHandlers } from './routes/collaborators.ts';
import { creditHandlers } from './routes/credits.ts';
import { conversionHandlers } from './routes/conversions.ts';
import { customEventHandlers } from './routes/custom-events.ts';
import { engagementHandlers } from './routes/engagements.ts';
import { enrollmentHandlers } from './routes/enrollments.ts';
import { reportHandlers } from './routes/reports.ts';
import { eventHandlers } from './routes/events.ts';
import { explanationHandlers } from './routes/explanations.ts';
import { figureHandlers } from './routes/figures.ts';
import { fulfillmentHandlers } from './routes/fulfillments.ts';
import { invitationHandlers } from './routes/invitations.ts';
import { ledgerHandlers } from './routes/ledger.ts';
import { obligationHandlers } from './routes/obligations.ts';
import { opportunityHandlers } from './routes/opportunities.ts';
import { organizationHandlers } from './routes/organization.ts';
import { passkeyHandlers } from './routes/passkeys.ts';
import { passwordResetHandlers } from './routes/password-resets.ts';
import { peopleHandlers } from './routes/people.ts';
import { programGroupHandlers } from './routes/program-groups.ts';
import { payoutHandlers } from './routes/payouts.ts';
import { portalEarningsHandlers } from './routes/portal-earnings.ts';
import { portalPageHandlers } from './routes/portal-pages.ts';
import { portalPasskeyHandlers } from './routes/portal-passkeys.ts';
import { portalSettingsHandlers } from './routes/portal-settings.ts';
import { openPortalHandlers } from './routes/portals.ts';
import { privacyHandlers } from './routes/privacy.ts';
import { programHandlers } from './routes/programs.ts';
import { sessionHandlers } from './routes/sessions.ts';
import { statementHandlers } from './routes/statements.ts';
import { transactionHandlers } from './routes/transactions.ts';
import { webhookHandlers } from './routes/webhooks.ts';
import type { Site } from './session-answers.ts';

/** One handler for each operation; one that is missing does not compile. */
export function handlers({
  database,
  batches,
  secrets,
  privateReceivers,
  publicUrl,
  cookies,
}: Site & {
  readonly database: Database;
  readonly batches: ReportBatches;
  /** Whether webhooks may lead into private networks, and without TLS. */
  readonly privateReceivers: boolean;
}): Handlers<Operations> {
  const site = { secrets, cookies, publicUrl };
  return {
    ...reportHandlers(batches),
    ...organizationHandlers(database),
    ...apiKeyHandlers(database),
    ...collaboratorHandlers(database, site),
    ...aliasHandlers(database),
    ...programHandlers(database),
    ...programGroupHandlers(database),
    ...enrollmentHandlers(database),
    ...customEventHandlers(database),
    ...opportunityHandlers(database),
    ...engagementHandlers(database),
    ...transactionHandlers(database),
    ...conversionHandlers(database),
    ...creditHandlers(database),
    ...explanationHandlers(database),
    ...obligationHandlers(database),
    ...fulfillmentHandlers(database),
    ...payoutHandlers(database),
    ...balanceHandlers(database),
    ...figureHandlers(database),
    ...statementHandlers(database),
    ...ledgerHandlers(database),
    ...eventHandlers(database),
    ...auditHandlers(database),
    ...peopleHandlers(database),
    ...invitationHandlers(database, site),
    ...sessionHandlers(database, site),
    ...passwordResetHandlers(database, site),
    ...accountHandlers(database, site),
    ...passkeyHandlers(database, site),
    ...portalSettingsHandlers(database, site),
    ...openPortalHandlers(database, site),
    ...portalPageHandlers(database, site),
    ...portalPasskeyHandlers(database, site),
    ...portalEarningsHandlers(database),
    ...privacyHandlers(database, site),
    ...webhookHandlers(database, secrets, privateReceivers),
  };
}
