import { formatCount, formatPercent } from '#web/ui/formats/numbers.ts';

const plural = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;

type Came = {
  readonly visits: number | null;
  readonly sales: number;
  readonly shownSales: number;
  readonly leads: number;
};

export const overview = {
  title: 'Overview',
  description: (timeZone: string) => `Partner performance. Dates are in ${timeZone}.`,
  currency: 'Currency',

  figures: 'Figures of the period',
  visits: 'Clicks',
  sales: 'Sales',
  rate: 'Conversion rate',
  revenue: 'Revenue',
  earned: 'Rewards earned',
  owed: 'Owed now',
  owedHint: 'Approved, not paid',
  before: (period: string) => `vs ${period}`,

  byInterval: { day: 'By day', week: 'By week', month: 'By month' },
  interval: 'Chart interval',
  intervals: { day: 'Day', week: 'Week', month: 'Month' },
  measure: 'Chart measure',
  measures: { visits: 'Clicks', sales: 'Sales', revenue: 'Revenue', earned: 'Earned' },
  chart: (measure: string, interval: string) => `${measure} by ${interval}`,
  compareWith: 'Compare with',
  comparisons: { previous: 'Previous period', year: 'Previous year', none: 'No comparison' },

  highest: 'Ranked by',
  orders: {
    revenue: 'Revenue',
    earned: 'Earned',
    visits: 'Clicks',
    leads: 'Leads',
    sales: 'Sales',
    'conversion-rate': 'Conversion rate',
  },
  by: {
    collaborator: { title: 'Partners', label: (what: string) => `${what} by partner`, all: 'All partners' },
    program: { title: 'Programs', label: (what: string) => `${what} by program`, all: 'All programs' },
    source: { title: 'Sources', label: (what: string) => `${what} by source`, all: 'All sales' },
  },
  nothing: 'Nothing in this period.',
  and: ' · ',
  /**
   * Returns counts as a text. If `shownSales`, the sales in the chosen currency, are only some of the sales, the text
   * has both numbers. A source has no visits, so it has no conversion rate either.
   */
  came: ({ visits, sales, shownSales, leads }: Came, rate: number) =>
    [
      ...(visits === null ? [] : [plural(visits, 'click', 'clicks')]),
      ...(leads === 0 ? [] : [plural(leads, 'lead', 'leads')]),
      `${shownSales === sales ? '' : `${formatCount(shownSales)} of `}${plural(sales, 'sale', 'sales')}`,
      ...(visits === null || visits === 0 ? [] : [formatPercent(rate)]),
    ].join(' · '),

  attention: 'Needs attention',
  allDone: 'Nothing needs your attention.',
  conversions: (count: number) => plural(count, 'commission to approve', 'commissions to approve'),
  held: (count: number) => plural(count, 'commission held for review', 'commissions held for review'),
  reviews: (count: number) => plural(count, 'payout to review', 'payouts to review'),
  requests: (count: number) => plural(count, 'payout request', 'payout requests'),
  collaborators: (count: number) => plural(count, 'application to review', 'applications to review'),
  connectors: (count: number) => plural(count, 'connector has failed events', 'connectors have failed events'),
  webhooks: (count: number) => plural(count, 'webhook fails or is paused', 'webhooks fail or are paused'),
  events: (count: number) => plural(count, 'event could not be decided', 'events could not be decided'),

  emptyTitle: 'No reports yet',
  empty: 'With the guided start, your first sale takes a few minutes. This command reports a click:',
  start: 'Open the guided start',
};
