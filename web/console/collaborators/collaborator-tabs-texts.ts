import { formatCount } from '#web/ui/formats/numbers.ts';

/** The texts of the tabs whose code loads when the tab is first shown on the page of a partner. */
export const collaboratorTabs = {
  tax: {
    help: 'Stored encrypted, with masked numbers here. The year-end export has them in full. The partner gets an email about each change.',
    none: 'This partner has no tax details yet. They can enter them in the portal if you ask for them in Settings › Payouts.',
    add: 'Add tax details',
    change: 'Change tax details',
    remove: 'Remove …',
    removeTitle: 'Remove the tax details?',
    removeDetail:
      'They are deleted permanently. If you may have to report a past year, download its year-end export first.',
    removeConfirm: 'Remove tax details',
    removed: 'The tax details are removed',
  },

  statement: {
    title: 'Statement',
    help: 'Amounts that became payable, were clawed back, or were paid.',
    csv: 'Export CSV',
    when: 'When',
    what: 'What',
    effect: 'Change',
    after: 'Balance',
    opening: 'Balance before',
    closing: 'Balance after',
    noEntries: 'Nothing in this period.',
    all: 'Include entries that don’t change the balance',
    more: (count: number) => `The CSV has ${formatCount(count)} more.`,
    kinds: {
      award: 'Earned',
      approve: 'Approved',
      reject: 'Rejected',
      reduce: 'Less after a refund',
      fulfil: 'Added to a payout',
      release: 'Released from a void payout',
      pay: 'Paid',
      unpay: 'Payment reversed',
      'claw-back': 'Clawed back after a refund',
    } as Readonly<Record<string, string>>,
    payout: (id: number) => `payout ${id}`,
  },

  signUps: {
    label: 'Sign-ups',
    help: 'Applications in the portal, with their answers.',
    program: 'Program',
    signals: 'Signals',
    answer: 'Answers',
    at: 'Applied',
    none: 'No portal applications',
    noneHelp: 'Portal applications appear here. You can also enroll this partner manually.',
    toPrograms: 'See the programs',
    noAnswer: 'No answers.',
    statuses: { waiting: 'Waiting', accepted: 'Accepted', 'turned-away': 'Rejected' } as Readonly<
      Record<string, string>
    >,
    asked: (program: string) => `Applied to ${program}`,
  },
};
