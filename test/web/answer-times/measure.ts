import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { OWNER } from '#tools/demo/people.ts';
import { keepPrinted, type Printed } from '#tools/demo/printed.ts';
import { fillDatabase } from '#tools/demo/stage.ts';
import { DAY } from '#tools/traffic/story.ts';
import { visitorOf } from '#tools/demo/visitor.ts';
import { answerTime } from './answer-time.ts';
import { launchBrowser, type OpenPage, type TestBrowser } from '../../support/browser.ts';
import { buildPages } from '../../support/built-pages.ts';
import { createDatabase } from '../../support/database.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { readConfig } from '#app/config.ts';
import { type Service, startService } from '#app/main.ts';

/**
 * The maximum response time in milliseconds. People perceive a faster response as immediate. A slow or busy machine
 * gets proportionally more time.
 */
const LIMIT_MS = 100;
/** The maximum number of attempts at an interaction. One attempt must be fast enough. */
const ATTEMPTS = 8;
/** The time in milliseconds that two idle cores of a common server need for the work of `slowdownOf`. */
const REFERENCE_MS = 30;
/** The maximum factor by which the time limit is extended on a slow or busy machine. */
const MAX_SLOWDOWN = 4;
const SETTINGS = { WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY, WEBHOOKS_PRIVATE_ADDRESSES: 'true' };
const log = pino({ level: 'silent' });

export type Interaction = {
  readonly name: string;
  /** The page on which the interaction starts. */
  readonly at: string;
  /** Prepares the page. The preparation is not measured. */
  readonly first?: (page: Page) => Promise<void>;
  /** Prepares the interaction on the page that the previous interaction left. If absent, the page is opened again. */
  readonly goOn?: (page: Page) => Promise<void>;
  readonly act: (page: Page) => Promise<void>;
  /** A JavaScript condition that is true once the page has started to respond. */
  readonly answer: string;
};

export const there = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})`;
export const says = (selector: string, text: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.textContent.includes(${JSON.stringify(text)}))`;
export const titled = (title: string): string => says('h1', title);
export const WINDOW = there('[role=dialog]:not([data-toast])');

export const press = (role: 'button' | 'link' | 'tab' | 'checkbox', name: string) => (page: Page) =>
  page.getByRole(role, { name, exact: true }).first().click();
export const type = (keys: string) => (page: Page) => page.keyboard.press(keys);
export const goTo = (name: string) => (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
export const inGroup = (group: string, name: string) => (page: Page) =>
  page.getByRole('group', { name: group }).getByRole('button', { name, exact: true }).click();

/** Does nothing. It is the `goOn` of an interaction that starts where the previous interaction ended. */
export const stay = (): Promise<void> => Promise.resolve();

type Attempt = { readonly timeMs: number; readonly slowdown: number };

const isFast = ({ timeMs, slowdown }: Attempt): boolean => timeMs <= LIMIT_MS * slowdown;

/** Returns the factor by which this machine is slower than the reference machine, from 1 to MAX_SLOWDOWN. */
async function slowdownOf(page: Page): Promise<number> {
  const tookMs = await page.evaluate<number>(`(() => {
    const began = performance.now();
    const table = document.body.appendChild(document.createElement('table'));
    for (let row = 0; row < 250; row += 1)
      for (const cell = table.insertRow(); cell.cells.length < 5; ) cell.insertCell().textContent = 'Row ' + row;
    table.getBoundingClientRect();
    table.remove();
    return performance.now() - began;
  })()`);
  return Math.min(Math.max(tookMs / REFERENCE_MS, 1), MAX_SLOWDOWN);
}

/** A service with the data of the demo, its pages, and a browser. */
export type DemoPages = {
  readonly service: Service;
  readonly url: string;
  readonly secretKey: string;
  /** The output of the service, such as emails. */
  readonly printed: Printed;
  readonly browser: TestBrowser;
  readonly close: () => Promise<void>;
};

/** Fills a database with `days` days of the demo, and starts a service and a browser. */
export async function openDemo(days: number, shoppers: number): Promise<DemoPages> {
  const own = await createDatabase();
  const today = Math.floor(Date.now() / DAY) * DAY;
  const span = { from: today - days * DAY, until: today, shoppers, seed: 5 };
  const [{ secretKey }, browser] = await Promise.all([
    fillDatabase({ databaseUrl: own.url, span, log, settings: SETTINGS }),
    launchBrowser(),
    buildPages(),
  ]);
  const printed = keepPrinted();
  const config = readConfig({ ...SETTINGS, DATABASE_URL: own.url, PORT: '0' });
  const service = await startService(config, log, printed.print);
  return {
    service,
    url: service.url.replace('127.0.0.1', 'localhost'),
    secretKey,
    printed,
    browser,
    close: async () => {
      await browser.close();
      await service.stop();
      await own.drop();
    },
  };
}

/** Logs in the owner of the demo to the console, and returns the session cookie as `name=value`. */
export async function enterConsole({ service }: DemoPages): Promise<string> {
  const { headers } = await visitorOf(service.url).sessions.open(OWNER).withResponse();
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** The pages that are measured, and how the browser shows them. */
export type Measured = {
  /** Starts the service, or returns the running service. */
  readonly demo: () => DemoPages;
  /** The path of the app, such as `/console`. */
  readonly root: string;
  /** Logs in, and returns the session cookie as `name=value`. */
  readonly enter: (demo: DemoPages) => Promise<string>;
  readonly look: BrowserContextOptions;
  /** The interactions, in an order that avoids reopening pages. */
  readonly interactions: readonly Interaction[];
};

/** Declares a test for each interaction. After a login, the browser's page is opened once, and all tests use it. */
export function describeAnswerTimes(name: string, { demo, root, enter, look, interactions }: Measured): void {
  describe(name, () => {
    let open: OpenPage;
    let url: string;
    before(async () => {
      const started = demo();
      url = started.url;
      const [cookie = '', value = ''] = (await enter(started)).split('=');
      open = await started.browser.open({ locale: 'en-US', ...look });
      await open.context.addCookies([{ name: cookie, value, url }]);
    });
    after(() => open.close());

    /** The interaction that has just ended on the open page, if it needed only one attempt. */
    let ended: Interaction | undefined;

    /**
     * Opens a page and moves the pointer on it, then waits until nothing is left to load, including the code of popups.
     */
    async function comeTo(path: string): Promise<Page> {
      const { page } = open;
      ended = undefined;
      await page.goto(`${url}${root}${path}`);
      await page.locator('h1').first().waitFor();
      for (const at of [1, 2]) await page.mouse.move(at, at);
      await open.still();
      return page;
    }

    async function begin({ at, first }: Interaction): Promise<Page> {
      const page = await comeTo(at);
      await first?.(page);
      await open.still();
      return page;
    }

    /** Continues on the page of the previous interaction, or opens a page if that is not possible. */
    async function goOn(interaction: Interaction): Promise<Page> {
      const before = interactions[interactions.indexOf(interaction) - 1];
      if (interaction.goOn === undefined || ended === undefined || ended !== before) return begin(interaction);
      await interaction.goOn(open.page);
      await open.still();
      return open.page;
    }

    /**
     * Repeats the interaction until an attempt is fast enough, at most ATTEMPTS times. After a slow attempt, the page is
     * opened again. Returns all attempts.
     */
    async function attempt(interaction: Interaction): Promise<readonly Attempt[]> {
      const attempts: Attempt[] = [];
      while (attempts.length < ATTEMPTS && !attempts.some(isFast)) {
        const page = await (attempts.length === 0 ? goOn(interaction) : begin(interaction));
        const timeMs = Math.round(await answerTime(page, interaction.answer, () => interaction.act(page)));
        attempts.push({ timeMs, slowdown: timeMs <= LIMIT_MS ? 1 : await slowdownOf(page) });
      }
      if (attempts.length === 1) ended = interaction;
      return attempts;
    }

    for (const interaction of interactions)
      it(`${interaction.name} shows a response within ${LIMIT_MS} ms`, async (test) => {
        const attempts = await attempt(interaction);
        const times = attempts.map(
          ({ timeMs, slowdown }) => `${timeMs} ms (limit ${Math.round(LIMIT_MS * slowdown)} ms)`,
        );
        test.diagnostic(times.join(', '));
        assert.ok(attempts.some(isFast), `it took ${times.join(', ')}`);
      });

    it('the measurement detects an interaction that takes longer than the limit', async () => {
      const page = await comeTo('/');
      await page.evaluate(`addEventListener('keydown', () => {
        const until = performance.now() + ${LIMIT_MS};
        while (performance.now() < until);
        document.title = 'late';
      }, { once: true })`);
      const time = await answerTime(page, `document.title === 'late'`, () => page.keyboard.press('F8'));
      assert.ok(time >= LIMIT_MS, `${time} ms`);
      await page.evaluate(
        `addEventListener('keydown', () => setTimeout(() => (document.title = 'later'), ${LIMIT_MS}), { once: true })`,
      );
      const asynchronous = await answerTime(page, `document.title === 'later'`, () => page.keyboard.press('F8'));
      assert.ok(asynchronous >= LIMIT_MS, `${asynchronous} ms`);
    });
  });
}
