import { formatCount } from '#web/ui/formats/numbers.ts';

export const sales = {
  title: 'Sales',
  description: 'All reported sales, leads and renewals, with their commissions.',
  row: (order: string) => `order ${order}`,
  columns: {
    order: 'Order',
    type: 'Kind',
    source: 'From',
    total: 'Total',
    refunded: 'Refunded',
    status: 'Status',
    occurred: 'When',
  },
  types: { sale: 'Sale', lead: 'Lead', renewal: 'Renewal' } as Readonly<Record<string, string>>,
  statuses: { complete: 'Complete', refunded: 'Refunded', cancelled: 'Canceled' } as Readonly<Record<string, string>>,
  filters: {
    order: 'Order number',
    type: 'Kind',
    status: 'Status',
    source: 'From',
    currency: 'Currency',
    occurred: 'When',
  },
  sourceHelp: 'The source in your shop’s reports.',
  empty: 'No sales yet',
  emptyHelp: 'Report a sale, and it appears here with its commissions:',

  oneTitle: 'Sale',
  one: {
    title: { lead: 'Lead', renewal: 'Renewal' } as Readonly<Record<string, string>>,
    named: (what: string, order: string) => `${what} ${order}`,
    total: 'Total',
    refunded: 'Refunded',
    left: 'Left',
    source: 'From',
    occurred: 'When',
    journey: 'See the journey',
    renews: 'Renews',
    renewal: (number: number) => `renewal ${formatCount(number)}`,
    credit: 'Credit manually',

    lines: 'Items',
    linesLabel: 'Lines of the order',
    noLines: 'The report has no lines.',
    pieces: (count: string, price: string) => `${count} × ${price}`,
    lineTypes: {
      product: 'Product',
      shipping: 'Shipping',
      tax: 'Tax',
      fee: 'Fee',
      discount: 'Discount',
    } as Readonly<Record<string, string>>,

    refunds: 'Refunds',
    refundKinds: { full: 'The remaining amount', amount: 'An amount', items: 'Items' } as Readonly<
      Record<string, string>
    >,
    refundNamed: (name: string) => `Refund “${name}”`,
    refundReversed: ', reversed',

    earned: 'What it earned',
    earnedLabel: 'Commissions of this sale',
    nothingEarned: 'No one earned anything on this sale.',
    why: 'Explanation',
    undecided: 'This sale is being decided. That takes a moment.',
    renewals: 'Renewals',
    collaborator: 'Partner',
    program: 'Program',
    status: 'Status',
    amount: 'Amount',
  },

  credit: {
    title: 'Credit this sale manually',
    description:
      'For a partner without a tracked click, such as a mention by phone or a forgotten code. The audit log records who credited it.',
    collaborator: 'Who gets it',
    program: 'By the rules of',
    amount: 'Amount',
    amountHelp: 'The default is what the program pays a single partner for this sale.',
    note: 'Note',
    noteHelp: 'The reason, for the record.',
    submit: 'Credit',
    done: 'Credited',
    choose: 'Choose one.',
  },
};
