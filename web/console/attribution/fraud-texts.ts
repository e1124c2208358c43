export const fraud = {
  title: 'Fraud',
  description: 'Commissions with a fraud signal wait here until a person decides. Honest sales can have a signal too.',
  parts: 'Commissions in review, past reviews, and signals',
  queue: 'In review',
  past: 'Reviewed',
  signals: 'Signals',

  columns: { signals: 'Signals' },
  release: 'Clear from review',
  empty: {
    queue: 'Nothing to review',
    queueHelp: 'A commission with a fraud signal appears here. Until somebody decides, it is never paid.',
    toSignals: 'See the signals',
    past: 'No reviews yet',
    pastHelp: 'Commissions that were approved, cleared or rejected after a fraud signal.',
  },

  signalsLabel: 'Signals by program',
  help: 'Each program has its own limits. Programs from a recipe start with all signals on. A change applies to later sales.',
  program: 'Program',
  edit: 'Edit',
  row: (name: string) => `program ${name}`,
  off: 'Off',
  on: 'On',
  anHour: (count: string) => `over ${count} an hour`,
  seconds: (count: string) => `within ${count} s`,
  explained: [
    {
      term: 'Many clicks from one address',
      text: 'One address opened the partner’s links very often in an hour: a script, or the partner. An office shares one address too.',
    },
    {
      term: 'Many clicks in an hour',
      text: 'The partner had far more clicks than usual: bought clicks or a script. A newsletter can cause it too.',
    },
    {
      term: 'Sold very soon',
      text: 'The sale followed the first click within seconds: an extension or a redirect that adds the link at checkout.',
    },
    {
      term: 'Owner’s coupon',
      text: 'The buyer used a coupon of a partner and has, or had, the partner’s user ID.',
    },
  ],
};
