import { z } from 'zod';
import { list, object, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownFlag,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';
import { OUTCOMES } from '../domain/reconciliation/comparison.ts';
import {
  LIST_FORMATS,
  MAX_LISTED_ROWS,
  MAX_RECORDED_ORDERS,
  MIN_LISTED_AGE_HOURS,
  OBSTACLES,
} from '../domain/reconciliation/listed-order.ts';
import { connectorParams, getConnector } from './connector.ts';

const operation = operationsOf('Connectors');

/** The maximum length of a list, in UTF-16 units. The body of the request must also not exceed `MAX_BODY_BYTES`. */
export const MAX_LIST_CHARACTERS = 1_000_000;

const csv = text(1, MAX_LIST_CHARACTERS, {
  description: `The CSV file as the system exports it, with at most ${MAX_LISTED_ROWS} rows below its header.`,
  example:
    'order_id,order_date,paid_date,status,order_total,order_currency,refund_items\n727,2026-11-20 16:28:02,2026-11-20T16:28:08+00:00,processing,29.35,USD,\n',
});

const amountsShape = {
  currency: shownCurrency(),
  total: shownAmount({ description: 'The total.', example: 2935 }),
  refunded: shownAmount({
    description: 'The refunded amount. Null if the list doesn’t contain it.',
    example: 0,
  }).nullable(),
};

const order = z
  .strictObject({
    externalId: shownText({
      description: 'The `externalId` under which the order is or would be recorded.',
      example: '727',
    }),
    number: shownText({ description: 'The order number that customers see.', example: '#1001' }).nullable(),
    outcome: shownChoice(OUTCOMES, {
      description:
        '`missing-here`: the order is not recorded. `missing-there`: the order is recorded in the list’s period, but ' +
        'is not in the list.',
    }),
    occurredAt: shownTime({ description: 'When the order was paid.' }),
    listed: z.strictObject(amountsShape).nullable().meta({ description: 'The amounts in the list.' }),
    booked: z.strictObject(amountsShape).nullable().meta({ description: 'The recorded amounts.' }),
    obstacle: shownChoice(OBSTACLES, {
      description:
        'For `missing-here`: why the order can’t be recorded from the list. Null if it can be recorded, and for all other ' +
        'outcomes.',
    }).nullable(),
  })
  .meta({ id: 'ComparedOrder', description: 'An order in a list, compared with the recorded orders.' });

const reconciliation = z
  .strictObject({
    format: shownChoice(LIST_FORMATS, { description: 'The export that the header identifies.' }),
    from: shownTime({ description: 'The time of the list’s first payment.' }).nullable(),
    until: shownTime({ description: 'The time of the list’s last payment.' }).nullable(),
    skipped: shownInteger({
      description:
        'The number of orders that were not compared, because nothing was paid, or because they were paid before ' +
        'the list’s period.',
      example: 0,
    }),
    orders: z.array(order).meta({ description: 'The orders of the list, then the orders that it lacks.' }),
  })
  .meta({ id: 'Reconciliation', description: 'A list of a system, compared with the recorded orders.' });

export const reconcileConnector = operation({
  method: 'POST',
  path: '/v1/connectors/{id}/reconciliation',
  summary: 'Compare a list with the recorded orders',
  description:
    'Compares an order list that the connector’s system exported with the recorded sales and renewals. The ' +
    'supported exports are Stripe’s payments and itemized balance report, Shopify’s orders, and the orders of a ' +
    'plugin for WooCommerce. See docs/reference/connectors.md. Nothing is stored or changed.',
  scope: 'resources:read',
  params: connectorParams,
  body: object({ csv }),
  repeats: 'none',
  isLong: true,
  success: { description: 'The comparison.', body: reconciliation },
});

const RECORDING_OUTCOMES = ['recorded', 'already-recorded', 'refused'] as const;

export const recordListedOrders = operation({
  method: 'POST',
  path: '/v1/connectors/{id}/reconciliation/record',
  reader: getConnector,
  summary: 'Record orders from a list',
  description:
    'Records orders of an exported list that are missing from Whence, as the connector would have reported them. ' +
    `The list must be a Shopify or WooCommerce export. The orders must be at least ${MIN_LISTED_AGE_HOURS} ` +
    'hours old, not refunded, and not older than `LATE_REPORT_DAYS`. Returns one outcome for each id. A ' +
    'repeated id counts once.',
  scope: 'events:write',
  fresh: true,
  // The list has names and addresses of buyers, which the audit log must not keep.
  takesSecret: ['csv'],
  params: connectorParams,
  body: object({
    csv,
    externalIds: list(text(1, 255, { description: 'The `externalId` of an order in the list.', example: '727' }), {
      min: 1,
      max: MAX_RECORDED_ORDERS,
      description: 'The orders to record.',
    }),
  }),
  success: {
    description: 'The outcome for each id.',
    body: z.array(
      z
        .strictObject({
          externalId: shownText({ description: 'The `externalId` of the order.', example: '727' }),
          outcome: shownChoice(RECORDING_OUTCOMES, { description: 'Whether the order was recorded.' }),
          isAttributed: shownFlag({ description: 'Whether the recorded sale has an opportunity.' }).nullable(),
          reason: shownText({
            description: 'Why the order was refused.',
            example: 'The order has a refund.',
          }).nullable(),
        })
        .meta({ id: 'ListedOrderOutcome', description: 'The outcome of recording an order of a list.' }),
    ),
  },
  problems: ['invalid-transition'],
});
