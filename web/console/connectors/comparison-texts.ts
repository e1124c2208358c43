import type { ComparedOrder } from '@whence/sdk';

export const comparison = {
  title: (system: string) => `Compare with ${system}`,
  description:
    'Find orders that are missing, or whose amounts differ. The file is read in your browser, compared, and not stored.',
  exports: {
    stripe: 'In Stripe, open Payments → Export, and choose all columns. Or download the itemized balance report.',
    shopify: 'In Shopify, open Orders → Export, and choose a CSV file for spreadsheets.',
    woocommerce: 'Export the orders with the plugin “Order Export & Order Import for WooCommerce”.',
  } as Readonly<Record<string, string>>,
  guide: 'Supported exports',
  choose: 'Choose CSV file',
  another: 'Choose another file',
  tooLarge: 'The file has more than 1,000,000 characters. Export shorter periods, and compare them one by one.',
  label: 'Compared orders',
  row: (order: string) => `order ${order}`,
  columns: { order: 'Order', outcome: 'Result', booked: 'Whence', at: 'Paid' },
  outcome: 'Result',
  outcomes: {
    matched: 'Matches',
    'amount-differs': 'Amount differs',
    'refund-differs': 'Refund differs',
    'missing-here': 'Missing in Whence',
    'missing-there': 'Missing in the file',
  } satisfies Readonly<Record<ComparedOrder['outcome'], string>>,
  refunded: (amount: string) => `${amount} refunded`,
  skipped: (count: number) =>
    count === 1
      ? 'One order was not paid, and is not compared.'
      : `${count} orders were not paid, and are not compared.`,
  emptyTitle: 'No orders to compare',
  empty: 'The file has no paid orders.',
  obstacles: {
    unsupported: 'Send it again from the system',
    refunded: 'Has a refund: send it again',
    'no-time': 'No payment time: send it again',
    'too-recent': 'Less than a day old: may still arrive',
    'too-old': 'Too old to record',
  } satisfies Readonly<Record<NonNullable<ComparedOrder['obstacle']>, string>>,
  record: (count: number) => (count === 1 ? 'Record one missing order' : `Record ${count} missing orders`),
  recordSelected: 'Record selected orders',
  recordTitle: (count: number) => (count === 1 ? 'Record this order?' : `Record ${count} orders?`),
  recordDetail:
    'Each order is recorded as a sale with the tracking id, code or customer in the file, and can earn commissions. Most files lack some of ' +
    'these. If you can, let the system send the orders again instead. This can’t be undone.',
  recorded: (count: number) => (count === 1 ? 'One order is recorded' : `${count} orders are recorded`),
  refused: (count: number, reason: string) =>
    count === 1 ? `One order was refused: ${reason}` : `${count} orders were refused. The first: ${reason}`,
};
