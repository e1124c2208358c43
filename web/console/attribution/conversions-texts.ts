import { formatCount } from '#web/ui/formats/numbers.ts';

const some = (count: number) => `${formatCount(count)} ${count === 1 ? 'commission' : 'commissions'}`;

export const conversions = {
  title: 'Commissions',
  description: 'What partners earned with sales, leads and renewals. What is approved can be paid.',
  parts: 'Commissions to approve, and all of them',
  queue: 'To approve',
  all: 'All',
  row: (id: number) => `commission ${id}`,

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
  types: { sale: 'Sale', lead: 'Lead', renewal: 'Renewal', manual: 'By hand' } as Readonly<Record<string, string>>,
  statuses: { pending: 'To approve', approved: 'Approved', rejected: 'Rejected' } as Readonly<Record<string, string>>,
  reviews: { held: 'Held', resolved: 'Reviewed', none: 'Not held' } as Readonly<Record<string, string>>,
  holdReasons: {
    'visits-from-address': 'Many clicks from one address',
    'visits-of-collaborator': 'Many clicks in an hour',
    'own-coupon': 'Owner’s coupon',
    'quick-sale': 'Sold very soon',
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
  release: 'Release',
  releaseHelp: 'It goes the way of its program: approved at once, after its days, or by a person.',
  reject: 'Reject',
  rejectMore: 'Reject …',
  keys: {
    hint: 'Press J and K to go from row to row, X to select, A to approve, R to reject, L to release what is held.',
    open: 'All shortcuts',
  },
  undoable: {
    approve: 'Being approved',
    reject: 'Being rejected',
    release: 'Being released',
  } as Readonly<Record<'approve' | 'reject' | 'release', string>>,
  underWay: {
    approve: (count: number) => `Approving ${some(count)}`,
    reject: (count: number) => `Rejecting ${some(count)}`,
    release: (count: number) => `Releasing ${some(count)}`,
  },
  changing: 'Changing commissions',
  done: {
    approve: (count: number) => `${some(count)} approved`,
    reject: (count: number) => `${some(count)} rejected`,
    release: (count: number) => `${some(count)} released`,
  },

  refused: {
    title: (count: number, of: number) =>
      of === 1 ? 'This one could not be changed' : `${formatCount(count)} of ${formatCount(of)} could not be changed`,
    approve: 'was rejected, or its sale was refunded, or a refund of it is being worked in.',
    reject: 'can’t be rejected any more.',
    release: 'was rejected, or its sale was refunded, or a refund of it is being worked in.',
    missing: 'is not there any more.',
    more: (count: number) => `And ${formatCount(count)} more.`,
    dismiss: 'Dismiss',
  },

  rejection: {
    title: (count: number) => (count === 1 ? 'Reject this commission?' : `Reject ${some(count)}?`),
    words: (count: number) =>
      `Nothing is owed for ${count === 1 ? 'it' : 'them'} from then on, and that is for good. Where the money is in a payout already, that payout goes to review.`,
    reason: 'Reason',
    reasonHelp: 'The partner reads it.',
    usual: 'Usual reasons',
    reasons: ['Order was a test', 'Order was cancelled', 'Own purchase', 'Not a valid referral'],
  },

  empty: {
    queue: 'Nothing to approve',
    queueHelp: 'What is earned from now on appears here, unless its program approves it by itself.',
    all: 'No commissions yet',
    allHelp: 'Report a sale of a visitor whom a partner has brought, and what it earns appears here:',
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
    approves: 'Approved by itself',
    reason: 'Rejected because',
    heldFor: 'Held because',
    wasHeldFor: 'Was held because',
    by: 'Credited by',
    note: 'Note',
    journeyLink: 'See the journey',

    why: 'Why this amount',
    whyHelp: 'Decided when the sale was reported; the numbers never change.',
    money: 'Where the money is',
    moneyHelp: 'Every entry of the ledger for it.',
    notYet: 'Nothing is written yet.',
  },
  /** Ledger entries as sentences. */
  entries: {
    award: 'Earned',
    approve: 'Approved: it can be paid',
    reject: 'Rejected: nothing is owed',
    reduce: 'Less is owed: part of the order went back',
    fulfil: 'Put into',
    release: 'Taken out, since it became void, of',
    pay: 'Paid by',
    unpay: 'Marked as not paid:',
    'claw-back': 'Taken back',
  } as Readonly<Record<string, string>>,
  payout: (id: number) => `Payout ${id}`,
};
