import { formatCount } from '#web/ui/formats/numbers.ts';

const plural = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;

export const links = {
  title: 'Links',
  description: 'All of your links earn. Use one for each place to see which works best.',

  make: {
    title: 'A link for each place',
    description: 'Name each link after the place where you share it, such as a newsletter, a video or a post.',
    page: 'Page',
    pageHelp: 'Paste the address of a page of the shop. Leave it empty for the landing page.',
    name: 'Name of the link',
    nameHelp: 'Letters, digits, “_” and “-”.',
    submit: 'Create link',
    waiting: (portal: string) => `You can create more links when ${portal} approves you.`,
  },

  list: 'Your links and coupons',
  search: 'Find a link',
  code: 'Link',
  address: 'Address',
  visits: 'Clicks',
  conversions: 'Commissions',
  earned: 'Earned',
  first: 'Main link',
  coupon: 'Coupon',
  couponHelp: 'For use at checkout',
  created: 'Since',
  row: (code: string) => `link ${code}`,
  rest: (visits: number, conversions: number) =>
    `Also in this period: ${plural(visits, 'click', 'clicks')} and ${plural(conversions, 'commission', 'commissions')} from retired links or without a link.`,
  csvName: 'links',
  qrOf: (code: string) => `QR code of ${code}`,
  retireOf: (code: string) => `Retire ${code}`,

  emptyTitle: 'You have no link yet',
  empty: 'Create one, share it, and see its results here.',
  makeFirst: 'Create your link',

  dialogTitle: (code: string) => `Share “${code}”`,
  dialogDescription: 'You earn when someone scans or follows it and buys.',
  fileName: (code: string) => `link-${code}`,

  retireTitle: (code: string) => `Retire “${code}”?`,
  retireDetail: 'It stops working everywhere you shared it. What it earned stays yours.',
  retireConfirm: 'Retire link',
  retired: 'The link is retired',
};
