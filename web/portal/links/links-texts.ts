import { formatCount } from '#web/ui/formats/numbers.ts';

const plural = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;

export const links = {
  title: 'Links',
  description: 'All of them lead to the same place and count for you. One for each place tells you which works best.',

  make: {
    title: 'A link for each place',
    description: 'Give it the name of where you will share it: a newsletter, a video, a post.',
    name: 'Name of the place',
    nameHelp: 'Letters, digits, “_” and “-”.',
    submit: 'Make link',
    made: 'The link is ready',
    waiting: (portal: string) => `You can make more links as soon as ${portal} has let you in.`,
  },

  list: 'Your links and coupons',
  search: 'Find a link',
  code: 'Link',
  address: 'Address',
  visits: 'Visits',
  conversions: 'Conversions',
  earned: 'Earned',
  first: 'Main link',
  coupon: 'Coupon',
  couponHelp: 'To be given at the till',
  created: 'Since',
  row: (code: string) => `link ${code}`,
  rest: (visits: number, conversions: number) =>
    `Beside these, in the same days: ${plural(visits, 'visit', 'visits')} and ${plural(conversions, 'conversion', 'conversions')} by links that you have retired, or by none.`,
  csvName: 'links',
  qrOf: (code: string) => `QR code of ${code}`,
  retireOf: (code: string) => `Retire ${code}`,

  emptyTitle: 'You have no link yet',
  empty: 'Make one, share it, and see here what comes of it.',
  makeFirst: 'Make your link',

  dialogTitle: (code: string) => `Share “${code}”`,
  dialogDescription: 'Whoever scans or follows it counts for you.',
  fileName: (code: string) => `link-${code}`,

  retireTitle: (code: string) => `Retire “${code}”?`,
  retireDetail: 'It leads nowhere from then on, wherever you have shared it. What came by it stays yours.',
  retireConfirm: 'Retire link',
  retired: 'The link is retired',
};
