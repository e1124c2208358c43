import { faultAt, type Problem, problem } from '#core/contract/problem.ts';
import { type Answer, answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { type CsvTable, MAX_COLUMNS, MAX_ROW_BYTES, readCsv } from '#platform/http/read-csv.ts';
import { answerLongJson, slicesOf } from '#platform/http/streams.ts';
import { type ListedOutcome, recordListedOrders } from '../commands/record-listed-orders.ts';
import { reconcile } from '../commands/reconcile.ts';
import type * as contract from '../contract/reconciliation.ts';
import { MAX_LISTED_ROWS, MIN_LISTED_AGE_HOURS, type Obstacle } from '../domain/reconciliation/listed-order.ts';
import type { UnreadList } from '../domain/reconciliation/lists.ts';
import { DELETED } from './connectors.ts';

/**
 * Returns the handlers that compare and record exported lists of orders. Lists are parsed in memory and never stored.
 */
export function reconciliationHandlers(lateReportDays: number): HandlersFor<typeof contract> {
  return {
    reconcileConnector: ({ tenant, params: { id }, body: { csv } }) =>
      withTable(csv, async (table) =>
        answerOutcome(await reconcile(tenant, id, table, lateReportDays), {
          compared: ({ format, period, comparison: { skipped, orders } }) => {
            const { from = null, until = null } = period ?? {};
            const shown = { format, from, until, skipped, orders: slicesOf(orders) };
            return answerLongJson(shown, () => Promise.resolve());
          },
          unknown: problem('not-found'),
          'too-many-others': listProblem('too-many', TOO_MANY_OTHERS),
          unread: ({ reading }) => answerUnread(reading),
        }),
      ),

    recordListedOrders: ({ tenant, params: { id }, body: { csv, externalIds } }) =>
      withTable(csv, async (table) =>
        answerOutcome(await recordListedOrders(tenant, id, { table, externalIds }, lateReportDays), {
          recorded: ({ outcomes }) =>
            answer(
              200,
              outcomes.map((outcome) => shownOutcome(outcome, lateReportDays)),
            ),
          unknown: problem('not-found'),
          deleted: DELETED,
          unread: ({ reading }) => answerUnread(reading),
        }),
      ),
  };
}

async function withTable(csv: string, work: (table: CsvTable) => Promise<Answer | Problem>): Promise<Answer | Problem> {
  const reading = await readCsv(csv, 1 + MAX_LISTED_ROWS);
  switch (reading.kind) {
    case 'table':
      return work(reading.table);
    case 'malformed':
      return listProblem('malformed-csv', `Line ${reading.line} is not CSV. Export the file again, and don’t edit it.`);
    case 'too-wide':
      return listProblem('too-many', `The list has more than ${MAX_COLUMNS} columns. Export fewer columns.`);
    case 'too-long-row':
      return listProblem(
        'row-too-long',
        `A row of the list has more than ${MAX_ROW_BYTES} bytes. Export fewer columns.`,
      );
    default:
      return reading satisfies never;
  }
}

const TOO_MANY_OTHERS =
  `Whence has more than ${MAX_LISTED_ROWS} orders in the list’s period that are missing from the list. Check that ` +
  'the list is from this connector’s system, or export a shorter period.';

function answerUnread(reading: UnreadList): Answer | Problem {
  return answerOutcome(reading, {
    unsupported: listProblem(
      'unsupported',
      'Lists of this connector’s system can’t be compared. Use a connector for Stripe, Shopify or WooCommerce.',
    ),
    'too-long': listProblem(
      'too-many',
      `The list has more than ${MAX_LISTED_ROWS} rows. Export shorter periods, and compare them one by one.`,
    ),
    'other-columns': ({ format, missing }) =>
      listProblem(
        'missing-columns',
        `The list lacks these columns of ${FORMATS[format]}: ${missing.join(', ')}. Export the list with them.`,
      ),
    'unreadable-row': ({ row, reason }) =>
      listProblem('invalid-format', `Row ${row}: ${reason} Correct the cell, or export the list again.`),
  });
}

const FORMATS = {
  'stripe-payments': 'Stripe’s export of payments with all columns',
  'stripe-balance': 'Stripe’s itemized report “Balance change from activity”',
  'shopify-orders': 'Shopify’s export of orders',
  'woocommerce-orders': 'the plugin “Order Export & Order Import for WooCommerce”',
} as const;

function listProblem(code: string, detail: string): Problem {
  return faultAt('/csv', code, detail);
}

function shownOutcome(outcome: ListedOutcome, lateReportDays: number) {
  const { externalId } = outcome;
  const refusedOutcome = (reason: string) => ({ externalId, outcome: 'refused', isAttributed: null, reason });
  switch (outcome.kind) {
    case 'recorded':
      return { externalId, outcome: 'recorded', isAttributed: outcome.report.isAttributed ?? false, reason: null };
    case 'already-recorded':
      return { externalId, outcome: 'already-recorded', isAttributed: null, reason: null };
    case 'not-listed':
      return refusedOutcome('The list doesn’t contain this order. Check its id.');
    case 'obstacle':
      return refusedOutcome(obstacleText(outcome.obstacle, lateReportDays));
    case 'refused':
      return refusedOutcome(outcome.reason);
    default:
      return outcome satisfies never;
  }
}

function obstacleText(obstacle: Obstacle, lateReportDays: number): string {
  switch (obstacle) {
    case 'unsupported':
      return 'This list lacks the data to record orders. Send the events again from the connected system.';
    case 'refunded':
      return 'The order has a refund. Send the order again from the connected system.';
    case 'no-time':
      return 'The list doesn’t say when the order was paid. Send the order again from the connected system.';
    case 'too-recent':
      return `The order is younger than ${MIN_LISTED_AGE_HOURS} hours, so its message can still arrive. If the order is still missing later, record it then.`;
    case 'too-old':
      return `The order is older than ${lateReportDays} days, the maximum age of a late report. Report the order with the API, without occurredAt.`;
    default:
      return obstacle satisfies never;
  }
}
