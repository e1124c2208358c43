import { formatCount } from '#web/ui/formats/numbers.ts';

const some = (count: number) => `${formatCount(count)} ${count === 1 ? 'commission' : 'commissions'}`;

export const conversions = {
  title: 'Commissions',
  description: 'What partners earned from sales, leads and renewals. Approved commissions can be paid.',
  parts: 'Commissions to approve, and all commissions',
  queue: 'To approve',
  all: 'All',
  row: (id: number) => `commission ${id}`,
  search: 'Search orders',

  columns: {
    collaborator: 'Partner',
    order: 'Order',
    program: 'Program',
    type: 'For',
    amount: 'Amount',
    status: 'Status',
    earned: 'Earned',
    approves: 'Auto-approved',
  },
  types: { sale: 'Sale', lead: 'Lead', renewal: 'Renewal', manual: 'Manual' } as Readonly<Record<string, string>>,
  statuses: { pending: 'To approve', approved: 'Approved', paid: 'Paid', rejected: 'Rejected' } as Readonly<
    Record<string, string>
  >,
  reviews: { held: 'Held', resolved: 'Reviewed', none: 'Not held' } as Readonly<Record<string, string>>,
  holdReasons: {
    'visits-from-address': 'Many clicks from one address',
    'visits-of-collaborator': 'Many clicks in an hour',
    'own-coupon': 'Owner’s coupon',
    'quick-sale': 'Sold very soon',
    'ad-referrer': 'Click from a search engine',
    'buyer-details': 'Buyer matches the partner',
    'deny-list': 'On the deny list',
    'watched-collaborator': 'Partner always reviewed',
  } as Readonly<Record<string, string>>,
  filters: {
    review: 'Review',
    status: 'Status',
    type: 'For',
    program: 'Program',
    collaborator: 'Partner',
    currency: 'Currency',
    earned: 'Earned',
  },

  approve: 'Approve',
  approveSome: (count: number, of: number) => `Approve ${formatCount(count)} of ${formatCount(of)}`,
  release: 'Clear from review',
  releaseHelp: 'The rules of its program then apply: it is approved at once, after some days, or by a person.',
  reject: 'Reject',
  rejectMore: 'Reject …',
  keys: {
    hint: 'Press J and K to move between rows, X to select, A to approve, and R to reject.',
    open: 'All shortcuts',
  },
  undoable: {
    approve: 'Being approved',
    reject: 'Being rejected',
    release: 'Being cleared from review',
  } as Readonly<Record<'approve' | 'reject' | 'release', string>>,
  underWay: {
    approve: (count: number) => `Approving ${some(count)}`,
    reject: (count: number) => `Rejecting ${some(count)}`,
    release: (count: number) => `Clearing ${some(count)} from review`,
  },
  noneApproved: 'No commission was approved',
  staying: (count: number) =>
    count === 1
      ? '1 commission is held for review and stays. Decide it under Fraud.'
      : `${some(count)} are held for review and stay. Decide them under Fraud.`,
  changing: 'Changing commissions',
  done: {
    approve: (count: number) => `${some(count)} approved`,
    reject: (count: number) => `${some(count)} rejected`,
    release: (count: number) => `${some(count)} cleared from review`,
  },

  refused: {
    title: (count: number, of: number) =>
      of === 1 ? 'This commission could not be changed' : `${formatCount(count)} of ${some(of)} could not be changed`,
    approve: 'was rejected, its sale was refunded, or a refund is being processed.',
    reject: 'can no longer be rejected.',
    release: 'was rejected, its sale was refunded, or a refund is being processed.',
    missing: 'no longer exists.',
    more: (count: number) => `And ${formatCount(count)} more.`,
    dismiss: 'Dismiss',
  },

  rejection: {
    title: (count: number) => (count === 1 ? 'Reject this commission?' : `Reject ${some(count)}?`),
    words: (count: number) =>
      `Nothing will be owed for ${count === 1 ? 'it' : 'them'}, and this can’t be undone. Payouts that already include the money are flagged for review.`,
    reason: 'Reason',
    reasonHelp: 'The partner can read it.',
    usual: 'Usual reasons',
    reasons: ['Order was a test', 'Order was canceled', 'Own purchase', 'Not a valid referral'],
  },

  empty: {
    queue: 'Nothing to approve',
    queueHelp: 'New commissions appear here, unless their program approves them automatically.',
    all: 'No commissions yet',
    allHelp: 'Report a sale of a referred visitor, and its commission appears here:',
    programs: 'See the programs',
  },

  oneTitle: 'Commission',
  one: {
    tab: (id: number) => `Commission ${id}`,
    title: (amount: string, name: string) => `${amount} for ${name}`,
    awarded: 'Awarded',
    worth: 'Worth now',
    collaborator: 'Partner',
    order: 'Order',
    program: 'Program',
    type: 'For',
    earned: 'Earned',
    approves: 'Auto-approved',
    paid: 'Paid',
    payout: 'Payout',
    reason: 'Rejected because',
    heldFor: 'Held because',
    wasHeldFor: 'Was held because',
    by: 'Credited by',
    note: 'Note',
    journeyLink: 'See the journey',

    why: 'Why this amount',
    whyHelp: 'Decided when the sale was reported. These numbers never change.',
    money: 'Where the money is',
    moneyHelp: 'All ledger entries of this commission, and its payment.',
    notYet: 'No ledger entries yet.',
  },
  /**
   * The timeline titles of ledger entries, by kind. A link to the payout follows a title if the ledger entry has a
   * payout.
   */
  entries: {
    award: 'Earned',
    approve: 'Approved: it can be paid',
    reject: 'Rejected: nothing is owed',
    reduce: 'Less is owed: part of the order was refunded',
    fulfil: 'Added to',
    release: 'Released from the void',
    pay: 'Paid by',
    unpay: 'Marked as unpaid:',
    'claw-back': 'Clawed back',
  } as Readonly<Record<string, string>>,
  payout: (id: number) => `payout ${id}`,
  /** Texts about an amount that is in a payout but no longer owed, for example after a refund. */
  paid: {
    paid: 'was paid in',
    unpaid: 'is in',
    removed: 'was in',
    older: 'See the reviews of',
    decide: 'Decide whether to keep it or claw it back.',
    decided: { keep: 'It was kept.', 'claw-back': 'It was clawed back.' } as Readonly<Record<string, string>>,
  },
};
