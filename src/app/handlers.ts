import type { Operations } from './operations.ts';
import type { Handlers } from '#platform/http/handler.ts';
import type { ReportBatches } from '#sales/routes/report-batches.ts';
import { accountHandlers } from '#access/routes/accounts.ts';
import { aliasHandlers } from '#collaborators/routes/aliases.ts';
import { auditHandlers } from '#organizations/routes/audit-entries.ts';
import { agreementHandlers } from '#portal/routes/agreements.ts';
import { apiKeyHandlers } from '#access/routes/api-keys.ts';
import { backtestHandlers } from '#backtest/routes/backtests.ts';
import { balanceHandlers } from '#ledger/routes/balances.ts';
import { collaboratorNoteHandlers } from '#collaborators/routes/collaborator-notes.ts';
import { collaboratorHandlers } from '#collaborators/routes/collaborators.ts';
import { creditHandlers } from '#attribution/routes/credits.ts';
import { conversionHandlers } from '#attribution/routes/conversions.ts';
import { customEventHandlers } from '#programs/routes/custom-events.ts';
import { fraudListHandlers } from '#programs/routes/fraud-list.ts';
import { engagementHandlers } from '#tracking/routes/engagements.ts';
import { enrollmentHandlers } from '#programs/routes/enrollments.ts';
import { reportHandlers } from '#sales/routes/reports.ts';
import { eventHandlers } from '#tracking/routes/events.ts';
import { testSaleHandlers } from '#attribution/routes/test-sales.ts';
import { decideSales } from '#attribution/reactions/decide-sales.ts';
import { explanationHandlers } from '#attribution/routes/explanations.ts';
import { collaboratorSignalHandlers } from '#reporting/routes/collaborator-signals.ts';
import { exchangeRateHandlers } from '#reporting/routes/exchange-rates.ts';
import { collaboratorFigureHandlers } from '#reporting/routes/collaborator-figures.ts';
import { figureHandlers } from '#reporting/routes/figures.ts';
import { fulfillmentHandlers } from '#payouts/routes/fulfillments.ts';
import { invitationLinkHandlers } from '#portal/routes/invitation-links.ts';
import { invitationHandlers } from '#access/routes/invitations.ts';
import { ledgerHandlers } from '#ledger/routes/ledger.ts';
import { obligationHandlers } from '#ledger/routes/obligations.ts';
import { journeyHandlers } from '#reporting/routes/journeys.ts';
import { opportunityHandlers } from '#tracking/routes/opportunities.ts';
import { organizationHandlers } from '#organizations/routes/organization.ts';
import { passkeyHandlers } from '#access/routes/passkeys.ts';
import { passwordResetHandlers } from '#access/routes/password-resets.ts';
import { peopleHandlers } from '#access/routes/people.ts';
import { programGroupHandlers } from '#programs/routes/program-groups.ts';
import { paymentFileHandlers } from '#payouts/routes/payment-files.ts';
import { payoutRequestHandlers } from '#payouts/routes/payout-requests.ts';
import { portalPayoutRequestHandlers } from '#portal/routes/portal-payout-requests.ts';
import { payoutResultHandlers } from '#payouts/routes/payout-results.ts';
import { payoutHandlers } from '#payouts/routes/payouts.ts';
import { portalTaxDetailsHandlers } from '#portal/routes/portal-tax-details.ts';
import { taxDetailsHandlers } from '#collaborators/routes/tax-details.ts';
import { yearExportHandlers } from '#payouts/routes/year-export.ts';
import { portalEarningsHandlers } from '#portal/routes/portal-earnings.ts';
import { portalPageHandlers } from '#portal/routes/portal-pages.ts';
import { portalPasskeyHandlers } from '#portal/routes/portal-passkeys.ts';
import { portalSettingsHandlers } from '#portal/routes/portal-settings.ts';
import { materialHandlers } from '#materials/routes/materials.ts';
import { announcementHandlers } from '#notifications/routes/announcements.ts';
import { digestHandlers } from '#notifications/routes/digests.ts';
import { partnerEmailHandlers } from '#notifications/routes/partner-emails.ts';
import { readSignUpSignals } from '#portal/store/read/sign-up-signals.ts';
import { portalPreviewHandlers } from '#portal/routes/portal-preview.ts';
import { openPortalHandlers } from '#portal/routes/portals.ts';
import { privacyHandlers } from '#privacy/routes/privacy.ts';
import { programExampleHandlers } from '#attribution/routes/program-examples.ts';
import { programHandlers } from '#programs/routes/programs.ts';
import { sessionHandlers } from '#access/routes/sessions.ts';
import { statementHandlers } from '#ledger/routes/statements.ts';
import { transactionHandlers } from '#sales/routes/transactions.ts';
import { connectorHandlers } from '#connectors/routes/connectors.ts';
import { reconciliationHandlers } from '#connectors/routes/reconciliation.ts';
import { webhookHandlers } from '#webhooks/routes/webhooks.ts';
import type { CustomDomains } from '#organizations/domain/custom-domains.ts';
import type { Site } from '#access/routes/session-answers.ts';
import type { UnknownCodes } from '#collaborators/routes/unknown-codes.ts';

/** Returns one handler for each operation. A missing handler is a type error. */
export function createHandlers({
  batches,
  unknownCodes,
  secrets,
  lateReportDays,
  privateReceivers,
  publicUrl,
  cookies,
  customDomains,
  canBacktest,
}: Site & {
  readonly batches: ReportBatches;
  readonly unknownCodes: UnknownCodes;
  /** The maximum age of a report's `occurredAt`, in days. */
  readonly lateReportDays: number;
  /** Whether webhooks may use private addresses and plain HTTP. */
  readonly privateReceivers: boolean;
  /** The domains that the operator allows for short links and portals. */
  readonly customDomains: CustomDomains;
  /** Whether the database connections keep their sessions, which backtests need. */
  readonly canBacktest: boolean;
}): Handlers<Operations> {
  const site = { secrets, cookies, publicUrl };
  return {
    ...reportHandlers(batches, unknownCodes, lateReportDays),
    ...organizationHandlers,
    ...apiKeyHandlers,
    ...collaboratorHandlers(site),
    ...collaboratorNoteHandlers,
    ...taxDetailsHandlers(secrets),
    ...aliasHandlers(site),
    ...programHandlers,
    ...programExampleHandlers,
    ...programGroupHandlers,
    ...backtestHandlers(canBacktest),
    ...enrollmentHandlers,
    ...customEventHandlers,
    ...fraudListHandlers,
    ...opportunityHandlers,
    ...journeyHandlers,
    ...engagementHandlers,
    ...transactionHandlers,
    ...conversionHandlers,
    ...creditHandlers,
    ...explanationHandlers,
    ...testSaleHandlers((tenant, transactionIds) => decideSales(tenant, transactionIds, new Map())),
    ...obligationHandlers,
    ...fulfillmentHandlers,
    ...payoutHandlers,
    ...payoutResultHandlers,
    ...payoutRequestHandlers,
    ...portalPayoutRequestHandlers,
    ...portalTaxDetailsHandlers(secrets),
    ...paymentFileHandlers(secrets),
    ...yearExportHandlers(secrets),
    ...balanceHandlers,
    ...figureHandlers,
    ...collaboratorFigureHandlers,
    ...collaboratorSignalHandlers(readSignUpSignals),
    ...exchangeRateHandlers,
    ...statementHandlers,
    ...ledgerHandlers,
    ...eventHandlers,
    ...auditHandlers,
    ...peopleHandlers,
    ...invitationHandlers(site),
    ...sessionHandlers(site),
    ...passwordResetHandlers(site),
    ...accountHandlers(site),
    ...passkeyHandlers(site),
    ...portalSettingsHandlers(site, customDomains),
    ...invitationLinkHandlers(site),
    ...agreementHandlers,
    ...portalPreviewHandlers(site),
    ...partnerEmailHandlers(site),
    ...digestHandlers(site),
    ...announcementHandlers(site),
    ...materialHandlers(site),
    ...openPortalHandlers(site),
    ...portalPageHandlers(site),
    ...portalPasskeyHandlers(site),
    ...portalEarningsHandlers,
    ...privacyHandlers(site),
    ...webhookHandlers(secrets, privateReceivers),
    ...connectorHandlers(site),
    ...reconciliationHandlers(lateReportDays),
  };
}
