import type { FraudSignal } from '@whence/sdk';
import { formatCount } from '#web/ui/formats/numbers.ts';

const OF_SALE = 'The renewed sale had this signal.';

const DETAILS: Readonly<Record<string, string>> = {
  email: 'email address',
  name: 'name',
  card: 'card',
  address: 'delivery address',
};

/**
 * Returns `words` with the measured number and the limit of a fraud signal. A renewal has no numbers, so its sentence
 * says that the renewed sale had the signal.
 */
function measured(
  value: number | undefined,
  limit: number | undefined,
  words: (value: string, limit: string) => string,
): string {
  if (value === undefined || limit === undefined) return OF_SALE;
  return words(formatCount(value), formatCount(limit));
}

export const fraud = {
  title: 'Fraud',
  description: 'Commissions with fraud signals wait here until a person decides. Honest sales can have fraud signals.',
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

  partners: 'Lists',
  partnersHelp:
    'The deny list always sends commissions to review, and the allow list makes exceptions. A change applies to later clicks and sales.',
  lists: { always: 'Deny list', never: 'Allow list' },
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

  facts: ({ reason, value, limit, matches = [] }: FraudSignal): string => {
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
      case 'ad-referrer':
        return matches.length === 0
          ? OF_SALE
          : `The click came from ${matches.join(', ')}. A link there is usually an ad.`;
      case 'buyer-details':
        return matches.length === 0
          ? OF_SALE
          : `The buyer shares with the partner: ${matches.map((each) => DETAILS[each] ?? each).join(', ')}.`;
      case 'deny-list':
        return matches.length === 0 ? OF_SALE : `Your deny list includes ${matches.join(', ')}.`;
      case 'watched-collaborator':
        return 'All commissions of this partner are reviewed.';
      default:
        return reason satisfies never;
    }
  },

  signalsLabel: 'Signals by program',
  help: 'Each program has its own limits. All recipes except “Royalty” start with all signals on, and programs from the API with none. A change applies to later sales. Signals about partners don’t send commissions to review: the Partners tab lists these partners.',
  program: 'Program',
  edit: 'Edit',
  row: (name: string) => `program ${name}`,
  reviewed: 'Sent to review',
  listed: 'Partners listed',
  noSignals: 'No signals',
  turnOn: 'Turn on default signals',
  turnOnOf: (program: string) => `Turn on default signals of ${program}`,
  turnedOn: (program: string) => `The default signals of ${program} are on`,
  off: 'Off',
  anHour: (count: string) => `over ${count} an hour`,
  seconds: (count: string) => `within ${count} s`,
  under: (percent: string) => `under ${percent}%`,
  over: (percent: string) => `over ${percent}%`,
  fromCount: (count: string) => `${count} or more`,
  hosts: (count: number) => (count === 1 ? '1 host' : `${formatCount(count)} hosts`),
  details: (details: readonly string[]) => details.map((each) => DETAILS[each] ?? each).join(', '),
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
    {
      term: 'Click from a search engine',
      text: 'The click came straight from a search engine. Partner links there are usually ads, for example on your brand’s name.',
    },
    {
      term: 'Buyer matches the partner',
      text: 'The buyer has the partner’s email address, name, card or delivery address. Your shop must report the buyer with the sale.',
    },
    {
      term: 'On the deny list',
      text: 'The buyer’s email domain, the network of a click, or the page with the link is on your deny list.',
    },
    {
      term: 'Few sales per click',
      text: 'In the last 30 days, a partner with at least 100 clicks had fewer sales and leads than expected. The clicks may be bought.',
    },
    {
      term: 'Many sales per click',
      text: 'In the last 30 days, a partner with at least 100 clicks had more sales and leads than expected. The partner may intercept buyers at checkout.',
    },
    {
      term: 'Many refunds',
      text: 'In the last 30 days, a partner with at least 10 sales had a large share of the revenue refunded.',
    },
    {
      term: 'Many sign-ups from one network',
      text: 'Several partners applied from one network within 7 days. The cause can be one person with several accounts, or an office. Further applicants need your approval. The limit is in the Sign-up tab of each program. The Partners tab of this page lists the applicants.',
    },
  ],
};
