import type { Operations } from '#contract/operations.ts';
import type { Database } from '#store/database.ts';
import type { Handlers } from './handler.ts';
import type { ReportBatches } from './report-batches.ts';
import { aliasHandlers } from './routes/aliases.ts';
import { apiKeyHandlers } from './routes/api-keys.ts';
import { collaboratorHandlers } from './routes/collaborators.ts';
import { conversionHandlers } from './routes/conversions.ts';
import { engagementHandlers } from './routes/engagements.ts';
import { enrollmentHandlers } from './routes/enrollments.ts';
import { eventHandlers } from './routes/event.ts';
import { eventListHandlers } from './routes/events.ts';
import { explanationHandlers } from './routes/explanations.ts';
import { obligationHandlers } from './routes/obligations.ts';
import { opportunityHandlers } from './routes/opportunities.ts';
import { organizationHandlers } from './routes/organization.ts';
import { programHandlers } from './routes/programs.ts';
import { transactionHandlers } from './routes/transactions.ts';

/** One handler for each operation; one that is missing does not compile. */
export function handlers({
  database,
  batches,
}: {
  readonly database: Database;
  readonly batches: ReportBatches;
}): Handlers<Operations> {
  return {
    ...eventHandlers(batches),
    ...organizationHandlers(database),
    ...apiKeyHandlers(database),
    ...collaboratorHandlers(database),
    ...aliasHandlers(database),
    ...programHandlers(database),
    ...enrollmentHandlers(database),
    ...opportunityHandlers(database),
    ...engagementHandlers(database),
    ...transactionHandlers(database),
    ...conversionHandlers(database),
    ...explanationHandlers(database),
    ...obligationHandlers(database),
    ...eventListHandlers(database),
  };
}
