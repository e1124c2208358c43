type FraudFacts = { readonly nthFromAddress?: number | undefined; readonly nthOfCollaborator?: number | undefined };

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

  partners: 'Partners',
  partnersHelp: 'Always or never review individual partners, regardless of signals. A change applies to later sales.',
  lists: { always: 'Always reviewed', never: 'Never reviewed' },
  listLabel: 'List',
  partner: 'Partner',
  email: 'Email',
  rowPartner: (name: string) => `partner ${name}`,
  add: 'Partner',
  addTo: { always: 'Always review', never: 'Never review' },
  added: {
    always: (name: string) => `All commissions of ${name} will be reviewed`,
    never: (name: string) => `No commission of ${name} will be reviewed`,
  },
  removed: (name: string) => `${name} is reviewed by signals again`,
  remove: (name: string) => `Remove ${name} from the list`,
  emptyList: {
    always: 'No partner is always reviewed',
    never: 'No partner is exempt from review',
  },

  facts: (reason: string, sentence: string, hold: FraudFacts): string => {
    const limit = sentence.split(': ').at(-1) ?? '';
    switch (reason) {
      case 'visits-from-address':
        return `This click was number ${hold.nthFromAddress} from one address within an hour.`;
      case 'visits-of-collaborator':
        return `This click was number ${hold.nthOfCollaborator} of the partner within an hour.`;
      case 'quick-sale':
        return `The first click was less than ${limit} before the sale.`;
      case 'own-coupon':
        return 'The buyer has, or had, the partner’s user ID.';
      case 'watched-collaborator':
        return 'All commissions of this partner are reviewed.';
      default:
        return sentence;
    }
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
      text: 'One address opened the partner’s links very often in an hour. The cause can be a script, the partner, or an office that shares one address.',
    },
    {
      term: 'Many clicks in an hour',
      text: 'The partner had far more clicks than usual. The cause can be bought clicks, a script, or a newsletter.',
    },
    {
      term: 'Sold very soon',
      text: 'The sale followed the first click within seconds. The cause can be an extension or a redirect that adds the link at checkout.',
    },
    {
      term: 'Owner’s coupon',
      text: 'The buyer used a coupon of a partner and has, or had, the partner’s user ID.',
    },
  ],
};
