import { after, before, describe } from 'node:test';
import {
  type DemoPages,
  describeAnswerTimes,
  enterConsole,
  goTo,
  inGroup,
  type Interaction,
  openDemo,
  press,
  says,
  stay,
  there,
  titled,
  type,
  WINDOW,
} from './measure.ts';
import { DESK } from '../../support/pages.ts';
import { Whence } from '#sdk/whence.ts';

/**
 * The number of days of generated traffic. They contain enough visitors for two pages of opportunities. Few of the
 * visitors buy, so FURTHER_SALES sales are added.
 */
const DAYS = 5;
const FURTHER_SALES = 25;

/** The interactions, in an order that avoids reopening pages. */
const INTERACTIONS: readonly Interaction[] = [
  ...['Sales', 'Commissions', 'Partners', 'Payouts', 'Programs', 'Opportunities'].map((list) => ({
    name: `opening the list of ${list.toLowerCase()}`,
    at: '/',
    act: goTo(list),
    answer: titled(list),
  })),
  { name: 'going back to the overview', at: '/sales', act: goTo('Overview'), answer: titled('Overview') },
  {
    name: 'choosing another measure for the chart',
    at: '/',
    goOn: stay,
    act: inGroup('Chart measure', 'Clicks'),
    answer: says('[role=group][aria-label="Chart measure"] [aria-pressed=true]', 'Clicks'),
  },
  {
    name: 'choosing another measure for the ranking',
    at: '/',
    goOn: stay,
    act: inGroup('Ranked by', 'Clicks'),
    answer: says('[role=group][aria-label="Ranked by"] [aria-pressed=true]', 'Clicks'),
  },
  { name: 'opening the search of the whole console', at: '/', goOn: stay, act: type('Control+k'), answer: WINDOW },
  { name: 'opening a filter', at: '/sales', act: press('button', 'Status'), answer: WINDOW },
  {
    name: 'changing a filter',
    at: '/sales',
    first: press('button', 'Status'),
    goOn: stay,
    act: press('button', 'Refunded'),
    answer: says('[role=group] button', 'Status Refunded'),
  },
  {
    name: 'removing a filter',
    at: '/sales?status=refunded',
    goOn: stay,
    act: press('button', 'Remove the filter Status'),
    answer: `!${says('[role=group] button', 'Status Refunded')}`,
  },
  {
    name: 'sorting a list',
    at: '/sales',
    goOn: stay,
    // A filter is also called “When”, so click only in the table’s head.
    act: (page) => page.locator('thead').getByRole('button', { name: 'When', exact: true }).click(),
    answer: says('th[aria-sort]', 'When'),
  },
  {
    name: 'opening a row with a key',
    at: '/sales',
    first: type('j'),
    goOn: type('j'),
    act: type('Enter'),
    answer: `!${titled('Sales')}`,
  },
  {
    name: 'going to the next page of a list',
    at: '/opportunities',
    act: press('button', 'Next page'),
    answer: there('button[aria-label="Previous page"]:not(:disabled)'),
  },
  {
    name: 'going to the next page of the live events',
    at: '/live',
    act: press('button', 'Next page'),
    answer: there('button[aria-label="Previous page"]:not(:disabled)'),
  },
  {
    name: 'opening an event',
    at: '/live',
    goOn: stay,
    act: (page) => page.locator('tbody tr').first().click(),
    answer: WINDOW,
  },
  { name: 'opening a dialog', at: '/collaborators', act: press('button', 'New partner'), answer: WINDOW },
  { name: 'opening a dialog with a key', at: '/payouts', act: type('n'), answer: WINDOW },
  {
    name: 'switching tabs of a partner',
    at: '/collaborators/1',
    act: press('tab', 'Commissions'),
    answer: says('[role=tab][aria-selected=true]', 'Commissions'),
  },
  {
    name: 'switching tabs of the commissions',
    at: '/conversions',
    act: press('tab', 'All'),
    answer: says('[role=tab][aria-selected=true]', 'All'),
  },
  {
    name: 'moving to the first row with a key',
    at: '/conversions?tab=all',
    goOn: stay,
    act: type('j'),
    answer: there('tr[data-row]:focus'),
  },
  {
    name: 'moving to the second row with a key',
    at: '/conversions?tab=all',
    first: type('j'),
    goOn: stay,
    act: type('j'),
    answer: there('tr[data-row]:nth-child(2):focus'),
  },
  {
    name: 'selecting a row with a key',
    at: '/conversions?tab=all',
    first: type('j'),
    goOn: stay,
    act: type('x'),
    answer: there('[role=toolbar]'),
  },
  {
    name: 'selecting all rows of a page',
    at: '/conversions?tab=all',
    goOn: type('x'),
    act: press('checkbox', 'Select all on this page'),
    answer: there('[role=toolbar]'),
  },
  {
    name: 'opening an explanation',
    at: '/conversions?tab=all',
    goOn: stay,
    act: (page) => page.locator('tbody a').first().click(),
    answer: `!${titled('Commissions')}`,
  },
];

describe('response times in the console', () => {
  let demo: DemoPages;
  before(async () => {
    demo = await openDemo(DAYS, 30);
    await sell(demo);
  });
  after(() => demo.close());

  async function sell({ service, secretKey }: DemoPages): Promise<void> {
    const { report } = new Whence({ baseUrl: service.url, apiKey: secretKey });
    const orders = Array.from({ length: FURTHER_SALES }, async (_, at) => {
      const trackingId = await report.visit({ collaboratorId: 1 });
      await report.sale({ source: 'shop', externalId: `further-${at}`, total: 20 + at, currency: 'USD', trackingId });
    });
    await Promise.all(orders);
    await service.worker?.idle();
  }

  describeAnswerTimes('at 1440 px', {
    demo: () => demo,
    root: '/console',
    enter: enterConsole,
    look: { viewport: DESK },
    interactions: INTERACTIONS,
  });
});
