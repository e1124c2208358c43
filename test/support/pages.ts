import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Frame, Locator, Page, ViewportSize } from 'playwright-core';
import { launchBrowser, type OpenPage, type TestBrowser } from './browser.ts';
import { buildPages } from './built-pages.ts';
import { startService, type TestService } from './service.ts';

export type Role = 'owner' | 'manager' | 'viewer';

/** A person in the console, with the data to log in. */
export type Somebody = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly cookie: string;
};

type Options = { readonly viewport?: ViewportSize };

export type Pages = {
  readonly service: TestService;
  readonly browser: TestBrowser;
  /** The URL of the console. */
  readonly url: string;
  /** Creates a person with an invitation, as the console does. */
  readonly person: (role: Role, name?: string) => Promise<Somebody>;
  /** Opens a console page (`/sales?sort=occurredAt`). `somebody` is logged in, if given. */
  readonly open: (path: string, somebody?: Somebody, options?: Options) => Promise<OpenPage>;
  /**
   * Opens a portal page (`/mugs/links`). `cookie` is the cookie of a session (`whence-portal=…`, from
   * support/portal.ts).
   */
  readonly openPortal: (path: string, cookie?: string, options?: Options) => Promise<OpenPage>;
  readonly close: () => Promise<void>;
};

export const PASSWORD = 'copper kettle under snow';

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/**
 * The color schemes of desktop and phone. A test run covers desktop in light and phone in dark. With `exchanged`, it
 * covers desktop in dark and phone in light. scripts/test.ts chooses between them at random.
 */
const [AT_DESK, ON_PHONE] =
  process.env['WHENCE_TEST_LOOKS'] === 'exchanged' ? (['dark', 'light'] as const) : (['light', 'dark'] as const);

/** The settings of a phone with touch input. */
export const IN_HAND = { viewport: PHONE, colorScheme: ON_PHONE, hasTouch: true, isMobile: true } as const;

/**
 * Starts a service with its pages, and a browser. Both take a second to start, so call this function once for each test
 * file.
 */
export async function openPages(
  settings: Readonly<Record<string, string>> = {},
  look: BrowserContextOptions & Options = {},
): Promise<Pages> {
  await buildPages();
  const [service, browser] = await Promise.all([startService(settings), launchBrowser()]);
  // Use `localhost`, because a passkey belongs to a host name, and 127.0.0.1 is not a host name.
  const url = service.url.replace('127.0.0.1', 'localhost');
  // Transitions are reduced because a color in transition has a different contrast. Without a locale, the language
  // would be `en-US@posix`, which `Intl` refuses.
  const usual = { viewport: DESK, colorScheme: AT_DESK, reducedMotion: 'reduce', locale: 'en-US', ...look } as const;
  const contexts = browser.contexts(`${url}/healthz`, usual);
  const open = async (
    path: string,
    cookie?: string,
    { viewport = usual.viewport }: Options = {},
  ): Promise<OpenPage> => {
    const open = await contexts.open();
    await open.page.setViewportSize(viewport);
    const [name = '', value = ''] = (cookie ?? '').split('=');
    if (cookie !== undefined) await open.context.addCookies([{ name, value, url }]);
    await open.page.goto(url + path);
    await open.page.locator('h1').first().waitFor();
    return open;
  };
  return {
    service,
    browser,
    url: `${url}/console`,
    person: (role, name) => person(service, role, name),
    open: (path, somebody, options) => open(`/console${path}`, somebody && `whence=${somebody.cookie}`, options),
    openPortal: (path, cookie, options) => open(`/portal${path}`, cookie, options),
    close: async () => {
      await browser.close();
      await service.stop();
    },
  };
}

async function person(
  service: TestService,
  role: Role,
  name = `Somebody ${crypto.randomUUID().slice(0, 8)}`,
): Promise<Somebody> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@people.example`;
  const key = service.secretKey;
  const invited = await service.request('POST', '/v1/invitations', { key, body: { email, role } });
  assert.equal(invited.status, 201, invited.text);
  const token = new URL((invited.body as { readonly url: string }).url).hash.slice(1);
  const accepted = await service.request('POST', '/v1/invitations/accept', {
    body: { token, name, password: PASSWORD },
  });
  assert.equal(accepted.status, 201, accepted.text);
  const cookie = /^whence=([^;]+)/.exec(accepted.headers.get('set-cookie') ?? '')?.[1];
  assert.ok(cookie !== undefined, 'accepting an invitation logs the person in');
  return { name, email, password: PASSWORD, cookie };
}

/** Waits until the page's list shows exactly the given number of rows. `count` must be at least one. */
export async function waitForRows(page: Page, count: number): Promise<void> {
  const row = (at: number): string => `:has(> tr[data-row]:nth-child(${at}))`;
  await page.locator(`tbody${row(count)}:not(${row(count + 1)})`).waitFor();
}

/** Returns the section of a page with the given heading. */
export function card(page: Page, title: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
}

const AXE = join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/** Desktop and phone width, each with its color scheme. Gallery tests cover all four combinations. */
const LOOKS = [
  { name: `desk, ${AT_DESK}`, viewport: DESK, colorScheme: AT_DESK },
  { name: `phone, ${ON_PHONE}`, viewport: PHONE, colorScheme: ON_PHONE },
] as const;

/**
 * Audits the current page at desktop and phone width, each in its color scheme, and then restores the page.
 *
 * axe must find no violation of WCAG 2.2 AA, and nothing may be wider than the window. No script may fail or be
 * blocked, and no other host may be contacted.
 */
export async function audit(open: OpenPage): Promise<void> {
  const { page } = open;
  const before = page.viewportSize() ?? DESK;
  const theme = await page.evaluate<string>("document.documentElement.dataset.theme ?? ''");
  const found: string[] = [];
  for (const { name, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    // Set the theme as the pages' theme switch does.
    await page.evaluate(`document.documentElement.dataset.theme = '${colorScheme}'`);
    found.push(...(await findFaults(page)).map((fault) => `${name}: ${fault}`));
  }
  await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
  await page.setViewportSize(before);
  found.push(...findStrayActivity(open));
  assert.deepEqual(found, [], page.url());
}

/** Audits the current page as `audit` does, but only at its current size and in its current color scheme. */
export async function auditLook(open: OpenPage, station: string): Promise<void> {
  assert.deepEqual(
    [...(await findFaults(open.page)), ...findStrayActivity(open)],
    [],
    `${station}: ${open.page.url()}`,
  );
}

/** Returns axe's findings in the current look, and a fault if the page is wider than the window. */
async function findFaults(page: Page): Promise<string[]> {
  // Colors change through transitions, which take a frame even if their duration is zero.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const found = await findViolations(page);
  const beyond = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return beyond > 0 ? [...found, `${beyond} px wider than the window`] : found;
}

/** Returns the page's script faults, and its requests to other hosts. */
function findStrayActivity(open: OpenPage): string[] {
  return [...open.scriptFaults(), ...open.requestsBeyond(new URL(open.page.url()).origin)];
}

/**
 * Returns axe's findings with the affected elements, for a page or the content of a frame. Base UI's focus guards are
 * excluded, because they move the focus to another element immediately.
 */
export async function findViolations(
  page: Page | Frame,
  runOnly: object = { type: 'tag', values: RULES },
): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate<
    string[]
  >(`axe.run({ exclude: ['[data-base-ui-focus-guard]'] }, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'], preload: false }).then(
    ({ violations }) => violations.map(({ id, help, nodes }) =>
      id + ': ' + help + '\\n' + nodes.map(({ target, failureSummary }) => '  ' + target.join(' ') + ' ' + failureSummary).join('\\n')))`);
}

/** Chooses a file in a file field and deletes it before the page handles the choice, so that reading the file fails. */
export async function chooseDeletedFile(input: Locator, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-deleted-'));
  const file = join(folder, name);
  await writeFile(file, 'content');
  const page = input.page();
  await page.evaluate(`
    globalThis.holdChange = (event) => event.stopImmediatePropagation();
    addEventListener('change', globalThis.holdChange, { capture: true });
  `);
  await input.setInputFiles(file);
  await rm(folder, { recursive: true });
  await page.evaluate("removeEventListener('change', globalThis.holdChange, { capture: true })");
  await input.dispatchEvent('change');
}
