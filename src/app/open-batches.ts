import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import { type ReportBatches, reportBatches } from '#sales/routes/report-batches.ts';
import { createNamedRefundReporter, createRefundReporter } from '#sales/commands/report-refunds.ts';
import { createCorrectionReporter } from '#sales/commands/report-corrections.ts';
import { createReversalReporter } from '#sales/commands/report-reversals.ts';
import { createCouponSaleReporter } from '#sales/commands/report-coupon-sales.ts';
import { createLeadReporter } from '#sales/commands/report-leads.ts';
import { createRenewalReporter } from '#sales/commands/report-renewals.ts';
import { createSaleReporter } from '#sales/commands/report-sales.ts';
import { createSignalReporter } from '#tracking/commands/report-signals.ts';
import { createVisitReporter } from '#tracking/commands/report-visits.ts';
import { isCanceled, isUnavailable, isUnresponsive } from '#platform/postgres/failures.ts';
import type { Worker } from './worker/worker.ts';
import type { Database } from '#platform/postgres/database.ts';

/** Decides whether a failed batch can be written again, and whether the database is unresponsive. */
export const BATCH_FAILURES = {
  // If the connection broke, the statement may have been committed, so the reports of the batch must not be written
  // again. A statement that the server canceled after its time limit was rolled back.
  isHarmless: (error: unknown) => !isUnavailable(error) || isCanceled(error),
  isUnresponsive,
};

/** Creates the batches of the reports. An organization has at most `share` batches in progress. */
export function openBatches(
  database: Database,
  share: number,
  log: Logger,
  metrics: Metrics,
  worker: Worker | undefined,
): ReportBatches {
  const onFailure = (error: unknown): void => log.warn({ err: error }, 'a part of a batch was not written');
  return reportBatches({
    reportVisits: createVisitReporter(database, onFailure),
    reportSignals: createSignalReporter(database, onFailure),
    reportSales: createSaleReporter(database),
    reportCouponSales: createCouponSaleReporter(database),
    reportLeads: createLeadReporter(database),
    reportRenewals: createRenewalReporter(database),
    reportRefunds: createRefundReporter(database),
    reportNamedRefunds: createNamedRefundReporter(database),
    reportReversals: createReversalReporter(database),
    reportCorrections: createCorrectionReporter(database),
    ...BATCH_FAILURES,
    batchesOfOrganization: share,
    onWritten: (type, reports) => {
      metrics.reports.inc({ type }, reports);
      metrics.batchSize.observe({ type }, reports);
      if (type !== 'visit' && type !== 'signal') worker?.wake();
    },
  });
}
