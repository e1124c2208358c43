import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { linkToPortal } from '#tools/demo/portal.ts';
import { visitorOf } from '#tools/demo/visitor.ts';
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
  WINDOW,
} from './measure.ts';
import { DESK, IN_HAND } from '../../support/pages.ts';

/** A third of the time span of `npm run demo`, with its number of visitors a day. A longer span takes minutes to fill. */
const DAYS = 30;
const SHOPPERS = 95;

const SELECTED_TAB = '[role=tab][aria-selected=true]';

const openNavigation = press('button', 'Open navigation');

const PAGES = [
  'Programs',
  'Partners',
  'Materials',
  'Opportunities',
  'Sales',
  'Commissions',
  'Fraud',
  'Payouts',
  'Connect',
  'Webhooks',
  'People',
] as const;

const showsTab = (name: string, at: string, goOn?: Interaction['goOn']): Interaction => ({
  name: `switching to the tab ${name} of ${at}`,
  at,
  ...(goOn && { goOn }),
  act: press('tab', name),
  answer: says(SELECTED_TAB, name),
});

/** Interactions that work with a pointer and with a finger. */
const ANYWHERE: readonly Interaction[] = [
  {
    name: 'choosing another interval for the chart',
    at: '/',
    act: inGroup('Chart interval', 'Week'),
    answer: says('[role=group][aria-label="Chart interval"] [aria-pressed=true]', 'Week'),
  },
  {
    name: 'opening the choice of a period',
    at: '/',
    goOn: stay,
    act: press('button', 'Last 30 days'),
    answer: WINDOW,
  },
  showsTab('Performance', '/collaborators'),
  showsTab('All', '/collaborators?tab=performance', stay),
  {
    name: 'opening the form for a new partner',
    at: '/collaborators',
    goOn: stay,
    act: press('button', 'New partner'),
    answer: WINDOW,
  },
  showsTab('Partners', '/fraud'),
  showsTab('Signals', '/fraud', stay),
  { name: 'opening a filter of sales', at: '/sales', act: press('button', 'Status'), answer: WINDOW },
  { name: 'opening the columns of sales', at: '/sales', act: press('button', 'View'), answer: WINDOW },
  {
    name: 'opening the form for a new payout run',
    at: '/payouts',
    act: press('button', 'New payout run'),
    answer: WINDOW,
  },
  {
    name: 'opening the form for the year-end export',
    at: '/payouts',
    act: press('button', 'Year-end export'),
    answer: WINDOW,
  },
  showsTab('Programs', '/collaborators/1'),
  {
    name: 'opening the form for a partner’s rate',
    at: '/collaborators/1?tab=programs',
    goOn: stay,
    act: (page) =>
      page
        .getByRole('button', { name: /^Change rate in/ })
        .first()
        .click(),
    answer: WINDOW,
  },
  {
    name: 'opening the form for a new material',
    at: '/materials',
    act: press('button', 'New material'),
    answer: WINDOW,
  },
  {
    name: 'opening the form for an invitation',
    at: '/people',
    act: press('button', 'Invite a person'),
    answer: WINDOW,
  },
];

const ON_DESK: readonly Interaction[] = [
  ...PAGES.map((name) => ({ name: `opening ${name}`, at: '/', goOn: stay, act: goTo(name), answer: titled(name) })),
  ...ANYWHERE,
];

const ON_PHONE: readonly Interaction[] = [
  ...PAGES.map((name) => ({
    name: `opening ${name}`,
    at: '/',
    first: openNavigation,
    goOn: openNavigation,
    act: goTo(name),
    answer: titled(name),
  })),
  {
    name: 'opening the navigation',
    at: '/',
    act: openNavigation,
    answer: there('button[aria-label="Close navigation"]'),
  },
  ...ANYWHERE,
];

const IN_PORTAL: readonly Interaction[] = [
  ...['Links', 'Materials', 'Earnings', 'Payouts', 'Settings', 'Overview'].map((name) => ({
    name: `opening ${name}`,
    at: '/teapot',
    goOn: stay,
    act: (page: Page) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click(),
    answer: says('nav [aria-current=page]', name),
  })),
  {
    name: 'opening a link with its QR code',
    at: '/teapot/links',
    act: (page) =>
      page
        .getByRole('button', { name: /^QR code of/ })
        .first()
        .click(),
    answer: WINDOW,
  },
  {
    name: 'opening the payout details',
    at: '/teapot/settings',
    act: press('button', 'Change'),
    answer: there('input[type=radio]'),
  },
];

describe('response times on the data of the demo', () => {
  let demo: DemoPages;
  before(async () => {
    demo = await openDemo(DAYS, SHOPPERS);
  });
  after(() => demo.close());

  /** Logs in the shown partner of the demo to the portal, and returns the session cookie as `name=value`. */
  async function enterPortal({ service, printed }: DemoPages): Promise<string> {
    const link = await linkToPortal(service.url, printed);
    const token = link.slice(link.indexOf('#') + 1);
    const { headers } = await visitorOf(service.url).portals.openSession('teapot', { token }).withResponse();
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  const console = { demo: () => demo, root: '/console', enter: enterConsole };
  const portal = { demo: () => demo, root: '/portal', enter: enterPortal, interactions: IN_PORTAL };
  describeAnswerTimes('console, 1440 px', { ...console, look: { viewport: DESK }, interactions: ON_DESK });
  describeAnswerTimes('console, 390 px', { ...console, look: IN_HAND, interactions: ON_PHONE });
  describeAnswerTimes('portal, 1440 px', { ...portal, look: { viewport: DESK } });
  describeAnswerTimes('portal, 390 px', { ...portal, look: IN_HAND });
});
