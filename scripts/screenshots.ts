// npm run screenshots [-- --data-dir <folder> --days <n> --reset --only <part of a name> --into <folder>]: a picture of every
// page of console and portal on the demo, at desk and phone, light and dark, in screenshots/; those of the README in
// docs/images/. It fails where a page has a fault: docs/demo.md.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Whence } from '@whence/sdk';
import type { BrowserContext, Page } from 'playwright-core';
import { OWNER } from '../demo/people.ts';
import { PORTAL } from '../demo/portal.ts';
import { visitorOf } from '../demo/visitor.ts';
import { type App, type Demo, type Picture, PICTURES, unpictured } from './pictures.ts';
import { launchBrowser, type OpenPage, type TestBrowser } from '#test/support/browser.ts';
import { buildPages } from '#test/support/built-pages.ts';
import { DESK, PHONE } from '#test/support/pages.ts';

const { values: options } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data/demo' },
    days: { type: 'string', default: '90' },
    reset: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    into: { type: 'string', default: './screenshots' },
  },
});

const README_IMAGES = join(import.meta.dirname, '..', 'docs', 'images');
const MOST_README_BYTES = 200_000;
const README_QUALITY = 88;
const WIDTHS = [
  { named: 'desk', viewport: DESK },
  { named: 'phone', viewport: PHONE },
] as const;
/** A longer page is cut off: the rest of a list looks as its beginning. */
const MOST_SCREENS = 4;
const QUIET_MS = 400;
const LONGEST_MS = 20_000;
const NOT_SIGNED_IN = /^401 GET \S+\/v1\/(portal\/)?session$/;

/** What a row of the table tells. */
type Outcome = {
  readonly name: string;
  readonly at: string;
  readonly made: number;
  readonly faults: readonly string[];
};

type Running = {
  readonly url: string;
  readonly demo: Demo;
  readonly cookies: Readonly<Record<App, string>>;
  readonly end: () => Promise<void>;
};

const missing = unpictured();
if (missing.length > 0) throw new Error(`scripts/pictures.ts: ${missing.join(', ')}.`);
await buildPages();
const into = resolve(options.into);
if (options.only === '') await rm(into, { recursive: true, force: true });
await mkdir(into, { recursive: true });
const running = await startDemo();
const outcomes: Outcome[] = [];
try {
  const browser = await launchBrowser();
  try {
    for (const app of ['console', 'portal'] as const) {
      for (const [route, pictures] of Object.entries(PICTURES[app])) {
        for (const picture of pictures) {
          const name = nameOf(app, route, picture);
          if (name.includes(options.only)) outcomes.push(await takeAll(browser, { app, route, picture, name }));
        }
      }
    }
  } finally {
    await browser.close();
  }
} finally {
  await running.end();
}
report();

/** `console-programs-id-edit`. */
function nameOf(app: App, route: string, { named }: Picture): string {
  return [app, ...route.replaceAll('$', '').split('/'), named ?? ''].filter((part) => part !== '').join('-');
}

type Taken = { readonly app: App; readonly route: string; readonly picture: Picture; readonly name: string };

async function takeAll(browser: TestBrowser, taken: Taken): Promise<Outcome> {
  const { app, route, picture, name } = taken;
  const at = (await picture.at?.(running.demo)) ?? route;
  const each = await Promise.all(
    WIDTHS.map(async (width) => {
      const faults = await take(browser, { ...taken, at, ...width }).catch((error: unknown) => [String(error)]);
      return faults.map((fault) => `${width.named}: ${fault}`);
    }),
  );
  const faults = each.flat();
  process.stdout.write(faults.length === 0 ? '.' : '!');
  const shown = `${app === 'console' ? '/console' : `/portal/${PORTAL}`}${at.replace(/#.*/, '#…')}`;
  return { name, at: shown, made: each.length * 2, faults };
}

/** A page at one width, light and dark. Answers what is wrong with it. */
async function take(
  browser: TestBrowser,
  { app, picture, name, at, named, viewport }: Taken & { at: string } & (typeof WIDTHS)[number],
): Promise<string[]> {
  const open = await browser.open({
    viewport,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  try {
    const { page, context } = open;
    if (picture.seenBy !== 'nobody') await signIn(context, running.cookies[app]);
    const traffic = watch(page, picture);
    await page.goto(`${running.url}/${app === 'console' ? 'console' : `portal/${PORTAL}`}${at}`);
    await traffic.quiet();
    const faults = await faultsOf(open);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await drawn(page);
      if (picture.inReadme !== undefined && named === 'desk' && colorScheme === 'light' && options.only === '') {
        faults.push(...(await takeForReadme(page, picture.inReadme)));
      }
      await writeFile(join(into, `${name}-${named}-${colorScheme}.png`), await wholePage(page, viewport));
    }
    return [...faults, ...traffic.failed, ...open.scriptFaults()];
  } finally {
    await open.close();
  }
}

async function signIn(context: BrowserContext, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: running.url }]);
}

/** In a window as high as the page: what sticks to the edges of a window stands at the edges of the picture. */
async function wholePage(page: Page, { width, height }: typeof DESK): Promise<Buffer> {
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(Math.max(whole, height), MOST_SCREENS * height) });
  await drawn(page);
  const picture = await page.screenshot({ animations: 'disabled' });
  await page.setViewportSize({ width, height });
  return picture;
}

async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** What the window shows, as WebP, which is a third of the PNG. */
async function takeForReadme(page: Page, name: string): Promise<string[]> {
  await mkdir(README_IMAGES, { recursive: true });
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: README_QUALITY });
  const path = join(README_IMAGES, `${name}.webp`);
  await writeFile(path, Buffer.from(data, 'base64'));
  const { size } = await stat(path);
  return size > MOST_README_BYTES ? [`${name}.webp has ${size} bytes, and ${MOST_README_BYTES} are the limit`] : [];
}

/** Keeps what was asked in vain; `quiet` resolves when nothing has been under way for a moment. */
function watch(page: Page, { seenBy }: Picture): { readonly failed: string[]; readonly quiet: () => Promise<void> } {
  const failed: string[] = [];
  const underWay = new Set<unknown>();
  let last = performance.now();
  const end = (request: unknown): void => {
    underWay.delete(request);
    last = performance.now();
  };
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', (request) => {
    end(request);
    failed.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`);
  });
  page.on('response', (response) => {
    const line = `${response.status()} ${response.request().method()} ${response.url()}`;
    // Whoever comes without a session is asked who they are.
    if (response.status() >= 400 && !(seenBy === 'nobody' && NOT_SIGNED_IN.test(line))) failed.push(line);
  });
  const quiet = async (): Promise<void> => {
    await page.locator('h1').first().waitFor({ timeout: LONGEST_MS });
    const deadline = performance.now() + LONGEST_MS;
    while (underWay.size > 0 || performance.now() - last < QUIET_MS) {
      if (performance.now() > deadline) return void failed.push('it does not come to rest');
      await setTimeout(QUIET_MS / 4);
    }
  };
  return { failed, quiet };
}

async function faultsOf({ page, requestsBeyond }: OpenPage): Promise<string[]> {
  const headings = await page.locator('h1:visible').count();
  const [beyond, width] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  return [
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
    ...(beyond > width ? [`${beyond - width} px wider than the window`] : []),
    ...requestsBeyond(new URL(page.url()).origin).map((request) => `asked of another host: ${request}`),
  ];
}

/** On a free port; where the folder is empty it is filled first. */
async function startDemo(): Promise<Running> {
  const args = ['demo/run.ts', '--data-dir', options['data-dir'], '--days', options.days];
  const child = spawn(process.execPath, [...args, ...(options.reset ? ['--reset'] : [])], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, PORT: '0', HOST: '', PUBLIC_URL: '', BASE_PATH: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    const printed = await readUntil(child, /secret key (\S+)/);
    const secretKey = matched(printed, /secret key (\S+)/);
    const [, url = '', token = ''] = /(http\S+)\/portal\/\S+#(\S+)/.exec(printed) ?? [];
    const whence = new Whence({ baseUrl: url, apiKey: secretKey });
    const invitations: number[] = [];
    const invite: Demo['invite'] = async (role) => {
      const { id, url } = await whence.invitations.create({ email: `${role}@example.com`, role });
      invitations.push(id);
      return new URL(url).hash.slice(1);
    };
    const visitor = visitorOf(url);
    const [owner, collaborator] = await Promise.all([
      visitor.sessions.open({ email: OWNER.email, password: OWNER.password }).withResponse(),
      visitor.portals.openSession(PORTAL, { token }).withResponse(),
    ]);
    const end = async (): Promise<void> => {
      try {
        for (const id of invitations) await whence.invitations.revoke(id);
      } finally {
        await stop();
      }
    };
    return {
      url,
      demo: { whence, invite },
      cookies: { console: cookieOf(owner), portal: cookieOf(collaborator) },
      end,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What the child says until it says this; its progress is passed on. */
async function readUntil({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  if (stdout === null) throw new Error('the demo has no output');
  let printed = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    process.stderr.write(String(chunk));
    if (pattern.test(printed)) break;
  }
  // It goes on printing mails, which nobody reads.
  stdout.resume();
  return printed;
}

function cookieOf({ headers }: { readonly headers: Headers }): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

function matched(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error('The demo did not start (see above).');
  return found;
}

function report(): void {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  process.stdout.write('\n\n');
  for (const { name, at, made, faults } of outcomes) {
    process.stdout.write(`${faults.length === 0 ? '✔' : '✖'} ${name.padEnd(width)}  ${made}  ${at}\n`);
    for (const fault of faults) process.stdout.write(`    ${fault}\n`);
  }
  const made = outcomes.reduce((sum, { made }) => sum + made, 0);
  const faulty = outcomes.filter(({ faults }) => faults.length > 0).length;
  process.stdout.write(`\n${made} pictures of ${outcomes.length} pages in ${into}, ${faulty} pages with faults\n`);
  if (faulty > 0 || outcomes.length === 0) process.exitCode = 1;
}
