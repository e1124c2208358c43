import type { CollaboratorSignal } from '@whence/sdk';
import { formatCount } from '#web/ui/formats/numbers.ts';

export const fraudResults = {
  tab: 'Partners',
  label: 'Partners with unusual results',
  help: 'Partners whose results of the last 30 days are beyond a limit of their program. These signals don’t send commissions to review. To review all commissions of a partner, add the partner to the deny list.',
  partner: 'Partner',
  program: 'Program',
  signal: 'Signal',
  row: (name: string) => `partner ${name}`,
  empty: 'No partner has unusual results',
  reasons: {
    'low-conversion-rate': 'Few sales per click',
    'high-conversion-rate': 'Many sales per click',
    'high-refund-rate': 'Many refunds',
  },
  facts: ({ reason, value, limit }: CollaboratorSignal): string => {
    const [share, most] = [`${formatCount(value)}%`, `${formatCount(limit)}%`];
    switch (reason) {
      case 'low-conversion-rate':
        return `${share} of the clicks led to a sale or lead. The program expects at least ${most}.`;
      case 'high-conversion-rate':
        return `${share} of the clicks led to a sale or lead. The program expects at most ${most}.`;
      case 'high-refund-rate':
        return `${share} of the revenue was refunded. The program expects at most ${most}.`;
      default:
        return reason satisfies never;
    }
  },
};
