import type { CollaboratorSignal } from '@whence/sdk';
import { formatCount } from '#web/ui/formats/numbers.ts';

/** The facts of a fraud signal about a partner, or about a partner’s sign-up. */
type SignalFacts = Pick<CollaboratorSignal, 'reason' | 'value' | 'limit' | 'collaborators'>;

const nameOf = ({ name }: { readonly name: string }): string => name;

export const fraudResults = {
  tab: 'Partners',
  label: 'Partners with unusual results or sign-ups',
  help: 'Partners whose results or sign-ups of the last 30 days are beyond a limit of their program. These signals don’t send commissions to review. To review all commissions of a partner, add the partner to the deny list.',
  partner: 'Partner',
  program: 'Program',
  signal: 'Signal',
  row: (name: string) => `partner ${name}`,
  empty: 'No partner has unusual results or sign-ups',
  reasons: {
    'low-conversion-rate': 'Few sales per click',
    'high-conversion-rate': 'Many sales per click',
    'high-refund-rate': 'Many refunds',
    'sign-ups-from-network': 'Many sign-ups from one network',
  },
  facts: ({ reason, value, limit, collaborators }: SignalFacts): string => {
    const [share, most] = [`${formatCount(value)}%`, `${formatCount(limit)}%`];
    switch (reason) {
      case 'low-conversion-rate':
        return `Conversion rate: ${share}. The program expects at least ${most}.`;
      case 'high-conversion-rate':
        return `Conversion rate: ${share}. The program expects at most ${most}.`;
      case 'high-refund-rate':
        return `${share} of the revenue was refunded. The program expects at most ${most}.`;
      case 'sign-ups-from-network': {
        const others = collaborators.length === 0 ? '' : ` The others: ${collaborators.map(nameOf).join(', ')}.`;
        return `${formatCount(value)} applications from one network within 7 days.${others}`;
      }
      default:
        return reason satisfies never;
    }
  },
};
