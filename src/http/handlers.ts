import type { Operations } from '#contract/operations.ts';
import type { Database } from '#store/database.ts';
import type { SecretBox } from '#store/secret-box.ts';
import type { Handlers } from './handler.ts';
import type { ReportBatches } from './report-batches.ts';
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
import { fulfillmentHandlers } from './routes/fulfillments.ts';
import { ledgerHandlers } from './routes/ledger.ts';
import { obligationHandlers } from './routes/obligations.ts';
import { opportunityHandlers } from './routes/opportunities.ts';
import { organizationHandlers } from './routes/organization.ts';
import { programGroupHandlers } from './routes/program-groups.ts';
import { payoutHandlers } from './routes/payouts.ts';
import { programHandlers } from './routes/programs.ts';
import { statementHandlers } from './routes/statements.ts';
import { transactionHandlers } from './routes/transactions.ts';
import { webhookHandlers } from './routes/webhooks.ts';

/** One handler for each operation; one that is missing does not compile. */
export function handlers({
  database,
  batches,
  secrets,
  privateReceivers,
}: {
  readonly database: Database;
  readonly batches: ReportBatches;
  /** Seals what must be read back. */
  readonly secrets: SecretBox;
  /** Whether webhooks may lead into private networks, and without TLS. */
  readonly privateReceivers: boolean;
}): Handlers<Operations> {
  return {
    ...reportHandlers(batches),
    ...organizationHandlers(database),
    ...apiKeyHandlers(database),
    ...collaboratorHandlers(database),
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
    ...statementHandlers(database),
    ...ledgerHandlers(database),
    ...eventHandlers(database),
    ...auditHandlers(database),
    ...webhookHandlers(database, secrets, privateReceivers),
  };
}
