import { formatCount } from '#web/ui/formats/numbers.ts';

export const payouts = {
  title: 'Payouts',
  description: 'Your balance, upcoming payouts, and what you were paid.',

  balance: {
    title: (currency: string) => `Balance in ${currency}`,
    total: 'Approved, not paid yet',
    ready: 'For the next payout',
    inPayout: 'In a payout on its way',
    draft: 'Waiting for approval',
    paid: 'Paid so far',
    debt: 'An order that you were paid for was refunded. The amount is deducted from your next earnings.',
    none: 'Nothing earned yet',
    noneDetail: 'Your earnings appear here, by currency.',
  },

  request: {
    button: 'Request payout',
    buttonIn: (currency: string) => `Request payout in ${currency}`,
    done: 'Your payout is requested',
    requested: 'Payout requested on',
    from: 'You can request a payout from',
  },

  tax: {
    title: 'Enter your tax details',
    detail: (portal: string) => `${portal} can’t pay you without them.`,
    give: 'Add tax details',
  },

  details: {
    title: 'Set your payout method',
    detail: (portal: string) => `${portal} needs to know where to send your money.`,
    give: 'Add payout details',
  },

  list: {
    label: 'Your payouts',
    when: 'Created',
    amount: 'Amount',
    status: 'Status',
    words: 'What happens',
    row: (id: number) => `payout ${id}`,
    csvName: 'payouts',
    emptyTitle: 'No payout yet',
    empty: 'Approved earnings are in the next payout. Start with your link:',
    statuses: { unpaid: 'On its way', paid: 'Paid', void: 'Canceled' },
    underReview: 'Being checked',
    onItsWay: 'It is prepared, and will be paid soon.',
    checked: 'Part of it was refunded, so a person checks it first.',
    paidOn: 'Paid on',
    paid: 'Paid.',
    void: 'It was not paid. Its amount is in a later payout.',
    failed: (reason: string) =>
      `The payment failed: ${reason.endsWith('.') ? reason.slice(0, -1) : reason}. Check your payout details. The amount is in a later payout.`,
  },

  statement: {
    title: 'Statement',
    description: (timeZone: string) => `Every change of your balance, for your books. Dates are in ${timeZone}.`,
    csv: 'Download CSV',
    fileName: (from: string) => `statement-${from}.csv`,
    none: 'Nothing changed your balance in this period.',
    when: 'When',
    what: 'What',
    effect: 'Change',
    after: 'Balance',
    opening: 'Balance before',
    closing: 'Balance after',
    sum: (kind: string, count: number) => `${kind} (${formatCount(count)})`,
    show: (count: number) => (count === 1 ? 'Show the change' : `Show all ${formatCount(count)} changes`),
    hide: 'Hide the changes',
    more: (count: number) => `${formatCount(count)} earlier changes are in the file.`,
    kinds: {
      award: 'Earned',
      approve: 'Approved',
      reject: 'Canceled',
      reduce: 'Part of an order was refunded',
      fulfil: 'Added to a payout',
      release: 'Removed from a payout',
      pay: 'Paid',
      unpay: 'Payment reversed',
      'claw-back': 'Reversed after a refund',
    },
    whatFor: 'See the commission',
    payout: (id: number) => `payout ${id}`,
  },
};
