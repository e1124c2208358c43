import type { FraudSignal } from '@whence/sdk';
import { formatCount } from '#web/ui/formats/numbers.ts';

/**
 * Returns `words` with the measured number and the limit of a fraud signal. A renewal has no numbers, so its sentence
 * says that the renewed sale had the signal.
 */
function measured(
  value: number | undefined,
  limit: number | undefined,
  words: (value: string, limit: string) => string,
): string {
  if (value === undefined || limit === undefined) return 'The renewed sale had this signal.';
  return words(formatCount(value), formatCount(limit));
}

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

  facts: ({ reason, value, limit }: FraudSignal): string => {
    switch (reason) {
      case 'visits-from-address':
        return measured(
          value,
          limit,
          (clicks, most) => `Click number ${clicks} from one address within an hour. The limit is ${most}.`,
        );
      case 'visits-of-collaborator':
        return measured(
          value,
          limit,
          (clicks, most) => `Click number ${clicks} of the partner within an hour. The limit is ${most}.`,
        );
      case 'quick-sale':
        return measured(
          value,
          limit,
          (after, least) => `Seconds from the first click to the sale: ${after}. The limit is ${least}.`,
        );
      case 'own-coupon':
        return 'The buyer has, or had, the partner’s user ID.';
      case 'watched-collaborator':
        return 'All commissions of this partner are reviewed.';
      default:
        return reason satisfies never;
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
