// npm run screenshots [-- --data-dir <folder> --days <n> --reset --only <part of a name> --into <folder>]: takes
// pictures of every page of the console and the portal on the demo. Each page is shown at desktop and phone width,
// light and dark. The script writes the pictures to screenshots/ and, unless --only is given, the pictures of the
// documentation to docs/images/. Fails if a page has a fault, such as a failed request or an accessibility violation.
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { InvitationPreview } from '@whence/sdk';
import type { Page } from 'playwright-core';
import { type App, missingPictures, type Picture, PICTURES } from './pictures.ts';
import { type ShownDemo, startDemo } from './shown-demo.ts';
import { launchBrowser, type OpenPage } from '#test/support/browser.ts';
import { buildPages } from '#test/support/built-pages.ts';
import { DESK, findViolations, PHONE } from '#test/support/pages.ts';

const { values: options } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data/demo' },
    days: { type: 'string', default: '90' },
    reset: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    into: { type: 'string', default: './screenshots' },
  },
});

const DOCS_IMAGES = join(import.meta.dirname, '..', 'docs', 'images');
const MOST_IMAGE_BYTES = 200_000;
const IMAGE_QUALITY = 88;
const WIDTHS = [
  { named: 'desk', viewport: DESK },
  { named: 'phone', viewport: PHONE },
] as const;
/**
 * The maximum height of a picture, as a multiple of the window's height. A longer page is cut off, because further rows
 * of its lists show nothing new.
 */
const MOST_SCREENS = 4;
const QUIET_MS = 400;
const LONGEST_MS = 20_000;
const NOT_SIGNED_IN = /^401 GET \S+\/v1\/(portal\/)?session$/;

/** A row of the final report. */
type Outcome = {
  readonly name: string;
  readonly at: string;
  readonly made: number;
  readonly faults: readonly string[];
};

const missing = missingPictures();
if (missing.length > 0) throw new Error(`Correct scripts/pictures.ts: ${missing.join(', ')}.`);
await buildPages();
const into = resolve(options.into);
if (options.only === '') await rm(into, { recursive: true, force: true });
await mkdir(into, { recursive: true });
const outcomes: Outcome[] = [];
const browser = await launchBrowser();
try {
  const demo = await startDemo(browser, { dataDir: options['data-dir'], days: options.days, reset: options.reset });
  try {
    for (const app of ['console', 'portal'] as const) {
      for (const [route, pictures] of Object.entries(PICTURES[app])) {
        for (const picture of pictures) {
          const name = nameOf(app, route, picture);
          if (name.includes(options.only)) outcomes.push(await takeAll(demo, { app, route, picture, name }));
        }
      }
    }
  } finally {
    await demo.end();
  }
} finally {
  await browser.close();
}
report();

/** Returns the name of a picture, such as `console-programs-id-edit`. */
function nameOf(app: App, route: string, { named }: Picture): string {
  return [app, ...route.replaceAll('$', '').split('/'), named ?? ''].filter((part) => part !== '').join('-');
}

type Taken = { readonly app: App; readonly route: string; readonly picture: Picture; readonly name: string };

async function takeAll(demo: ShownDemo, taken: Taken): Promise<Outcome> {
  const { app, route, picture, name } = taken;
  const at = (await picture.at?.(demo.whence)) ?? route;
  const each = await Promise.all(
    WIDTHS.map(async (width) => {
      const faults = await take(demo, { ...taken, at, ...width }).catch((error: unknown) => [String(error)]);
      return faults.map((fault) => `${width.named}: ${fault}`);
    }),
  );
  const faults = each.flat();
  process.stdout.write(faults.length === 0 ? '.' : '!');
  const shown = new URL(demo.roots[app]).pathname + at.replace(/#.*/, '#…');
  return { name, at: shown, made: each.length * 2, faults };
}

/** Takes pictures of a page at one width, light and dark. Returns the faults of the page. */
async function take(
  { roots, signedIn }: ShownDemo,
  { app, picture, name, at, named, viewport }: Taken & { at: string } & (typeof WIDTHS)[number],
): Promise<string[]> {
  const open = await browser.open({
    viewport,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    ...(picture.seenBy !== 'nobody' && { storageState: signedIn[app] }),
  });
  try {
    const { page } = open;
    if (picture.invitation !== undefined) await invite(page, picture.invitation);
    const traffic = watch(page, picture);
    await page.goto(roots[app] + at);
    await traffic.quiet();
    const faults = await faultsOf(open);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await waitUntilDrawn(page);
      faults.push(...(await findViolations(page)).map((violation) => `${colorScheme}: ${violation}`));
      if (picture.inDocs !== undefined && named === 'desk' && colorScheme === 'light' && options.only === '') {
        faults.push(...(await takeForDocs(page, picture.inDocs)));
      }
      await writeFile(join(into, `${name}-${named}-${colorScheme}.png`), await wholePage(page, viewport));
    }
    return [...faults, ...traffic.failed, ...open.scriptFaults()];
  } finally {
    await open.close();
  }
}

async function invite(page: Page, preview: InvitationPreview): Promise<void> {
  await page.route('**/v1/invitations/preview', (route) => route.fulfill({ json: preview }));
}

/** Takes a picture with the window as high as the page, so that sticky elements are at the edges of the picture. */
async function wholePage(page: Page, { width, height }: typeof DESK): Promise<Buffer> {
  const whole = await page.evaluate<number>(
    // A page behind a dialog does not scroll, so the picture has only the height of the window.
    `document.querySelector('[role=dialog]') ? 0 : document.documentElement.scrollHeight`,
  );
  await page.setViewportSize({ width, height: Math.min(Math.max(whole, height), MOST_SCREENS * height) });
  await waitUntilDrawn(page);
  const picture = await page.screenshot({ animations: 'disabled' });
  await page.setViewportSize({ width, height });
  return picture;
}

async function waitUntilDrawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/**
 * Takes a picture of the visible window as WebP, which is a third of the size of a PNG. Returns a fault if the picture
 * is larger than MOST_IMAGE_BYTES.
 */
async function takeForDocs(page: Page, name: string): Promise<string[]> {
  await mkdir(DOCS_IMAGES, { recursive: true });
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: IMAGE_QUALITY });
  const path = join(DOCS_IMAGES, `${name}.webp`);
  await writeFile(path, Buffer.from(data, 'base64'));
  const { size } = await stat(path);
  return size > MOST_IMAGE_BYTES ? [`${name}.webp has ${size} bytes, but the limit is ${MOST_IMAGE_BYTES}`] : [];
}

/**
 * Records failed requests and error responses. `quiet` resolves once the page has a heading and no request has been
 * under way for QUIET_MS. After LONGEST_MS, `quiet` throws if there is no heading, and otherwise records a fault.
 */
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
    // A page without a login requests its session and gets a 401, which is expected.
    if (response.status() >= 400 && !(seenBy === 'nobody' && NOT_SIGNED_IN.test(line))) failed.push(line);
  });
  const quiet = async (): Promise<void> => {
    await page.locator('h1').first().waitFor({ timeout: LONGEST_MS });
    const deadline = performance.now() + LONGEST_MS;
    while (underWay.size > 0 || performance.now() - last < QUIET_MS) {
      if (performance.now() > deadline) return void failed.push('requests are still running');
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
    ...requestsBeyond(new URL(page.url()).origin).map((request) => `request to another host: ${request}`),
  ];
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
