import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Clock,
  type ConsoleMessage,
  type Frame,
  type LaunchOptions,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core';

export type TestBrowser = {
  /** A page in a context of its own: it shares no cookies and no storage with another. */
  readonly open: (options?: BrowserContextOptions) => Promise<OpenPage>;
  /**
   * Contexts for pages of one origin, where `url` is an address of little weight. They are used one after the other, and have forgotten
   * everything each time but the cache: what a new one has to fetch and compile takes a second. One whose clock was taken has that for good, and
   * is not used again.
   */
  readonly contexts: (url: string, options?: BrowserContextOptions) => TestContexts;
  readonly close: () => Promise<void>;
};

export type TestContexts = { readonly open: () => Promise<OpenPage> };

/** A page, and what it said and asked for, also its later tabs and frames. */
export type OpenPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Uncaught exceptions, unhandled rejections, and what was written to the console as an error or a warning. */
  readonly faults: readonly string[];
  /** Of `faults` those that a script is to blame for: without the browser's own lines on requests that failed. */
  readonly scriptFaults: () => readonly string[];
  /** Every request to an origin that is none of these. */
  readonly requestsBeyond: (...origins: readonly string[]) => readonly string[];
  /** Every request in its order, as `POST http://…`. */
  readonly requests: readonly string[];
  /** Resolves once the page has nothing left to fetch: nothing is on its way, and nothing was asked for while it had nothing else to do. */
  readonly still: () => Promise<void>;
  /** Puts the page's clock into the test's hands. It goes on by itself, and every later page of the context has it too. */
  readonly takeClock: () => Promise<Clock>;
  readonly close: () => Promise<void>;
};

/**
 * Starts Chromium: the one that comes as a package (Linux on x64), else an installed Chromium or Chrome. Names below
 * `.test` lead to this machine, so that two services on it can be two sites; every other name leads nowhere.
 */
export async function launchBrowser(): Promise<TestBrowser> {
  const browser = await launch();
  return {
    open: async (options) => {
      const context = await browser.newContext(options);
      return watched(context, await context.newPage(), () => context.close());
    },
    contexts: (url, options) => contextsOf(browser, url, options),
    close: () => browser.close(),
  };
}

/** Writes what the page shows to `<folder of temporary files>/whence-screenshots/<name>.png`, for people to look at. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(tmpdir(), 'whence-screenshots', `${name}.png`);
  await page.screenshot({ path, fullPage: true });
  return path;
}

/** None of the package’s own arguments: they switch the web’s security off, and with it CORS and CSP. */
const ARGUMENTS = [
  '--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  // The pages of a context that are of one site share what has been compiled.
  '--process-per-site',
];

/** The first that starts. */
async function launch(): Promise<Browser> {
  const failures: string[] = [];
  for (const options of await candidates()) {
    try {
      return await chromium.launch({ ...options, args: ARGUMENTS });
    } catch (error) {
      failures.push((error as Error).message.split('\n', 3).join('\n'));
    }
  }
  return assert.fail(`These tests need Chromium or Chrome on this machine.\n${failures.join('\n')}`);
}

async function candidates(): Promise<LaunchOptions[]> {
  const packaged = process.platform === 'linux' && process.arch === 'x64' ? await packagedChromium() : [];
  const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].filter((path) => existsSync(path));
  return [...packaged, ...installed.map((executablePath) => ({ executablePath })), { channel: 'chrome' }];
}

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/** With the machine’s own libraries, and where it has none, with those that come along. */
async function packagedChromium(): Promise<LaunchOptions[]> {
  const folder = await unpackedChromium();
  const executablePath = join(folder, 'chromium');
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined)) as {
    [name: string]: string;
  };
  if (!existsSync('/etc/fonts')) env['FONTCONFIG_PATH'] = join(folder, 'fonts');
  const withLibraries = { ...env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  return [
    { executablePath, env },
    { executablePath, env: withLibraries },
  ];
}

/**
 * The package holds the browser compressed, and its own unpacking lets a second process start a file that is half there.
 * So each unpacks into a folder of its own, and the first to finish gives it its name.
 */
async function unpackedChromium(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(MODULES, '@sparticuz', 'chromium', 'package.json'), 'utf8')) as {
    version: string;
  };
  const cache = join(MODULES, '.cache');
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const own = await mkdtemp(join(cache, 'unpacking-'));
  const unpack = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  // It unpacks into the folder of temporary files, and its libraries only where it believes to run as a Lambda.
  const env = { ...process.env, TMPDIR: own, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' };
  await promisify(execFile)(process.execPath, ['--eval', unpack], { cwd: import.meta.dirname, env });
  try {
    await rename(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    await rm(own, { recursive: true });
  }
  return folder;
}

type Resting = { readonly context: BrowserContext; readonly page: Page };

function contextsOf(browser: Browser, url: string, options?: BrowserContextOptions): TestContexts {
  const resting: Resting[] = [];
  const rest = async (context: BrowserContext): Promise<Resting> => {
    const page = await context.newPage();
    // As long as one page of the origin is open, its process stays.
    await page.goto(url);
    return { context, page };
  };
  return {
    open: async () => {
      const used = resting.pop() ?? (await rest(await browser.newContext(options)));
      return watched(used.context, await used.context.newPage(), async (hasOwnClock) => {
        if (hasOwnClock) return used.context.close();
        await forget(used, new URL(url).origin);
        resting.push(used);
      });
    },
  };
}

/** Closes all pages but the one that rests, and drops what they have left behind. What belongs to a tab is gone with it. */
async function forget({ context, page }: Resting, origin: string): Promise<void> {
  await Promise.all(context.pages().map(async (each) => each === page || (await each.close())));
  const devtools = await context.newCDPSession(page);
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers,websql,file_systems';
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await Promise.all([devtools.detach(), context.clearCookies(), context.clearPermissions()]);
}

/**
 * A moment in which the page has nothing to do, and a frame after it: what is put off to the next tick or moment comes before. Without a limit
 * Chromium now and then has no such moment for many seconds, though nothing runs.
 */
const IDLE = `new Promise((idle) =>
  requestIdleCallback(() => requestAnimationFrame(() => setTimeout(idle)), { timeout: 500 }))`;

/**
 * A page hears of an answer's end a little later than we do, and looks idle until then: on a busy machine for longer than
 * one turn.
 */
const QUIET_TURNS = 3;

/** Until it is closed. */
async function watched(
  context: BrowserContext,
  page: Page,
  close: (hasOwnClock: boolean) => Promise<void>,
): Promise<OpenPage> {
  const faults: string[] = [];
  const requests: string[] = [];
  const underWay = new Set<Request>();
  let hasOwnClock = false;
  const onConsole = (message: ConsoleMessage): void => {
    if (['error', 'warning'].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  };
  const onError = (error: WebError): void => void faults.push(`uncaught: ${String(error.error())}`);
  // Of a page that is left nobody hears what became of its requests.
  let arriving: Request | undefined;
  const onRequest = (request: Request): void => {
    requests.push(`${request.method()} ${request.url()}`);
    underWay.add(request);
  };
  // By the page itself: of what is to be a tab of its own there is no frame yet to be asked for.
  const onDeparture = (request: Request): void => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) arriving = request;
  };
  const onArrival = (frame: Frame): void => {
    if (frame !== page.mainFrame() || arriving === undefined) return;
    for (const request of underWay) if (request !== arriving) underWay.delete(request);
    arriving = undefined;
  };
  const onEnd = (request: Request): void => void underWay.delete(request);
  context.on('console', onConsole).on('weberror', onError);
  context.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd);
  page.on('request', onDeparture).on('framenavigated', onArrival);
  return {
    page,
    context,
    faults,
    scriptFaults: () => faults.filter((fault) => !fault.includes('Failed to load resource')),
    requests,
    still: async () => {
      for (let quiet = 0; quiet < QUIET_TURNS;) {
        const asked = requests.length;
        await page.evaluate(IDLE);
        quiet = underWay.size > 0 || requests.length > asked ? 0 : quiet + 1;
      }
    },
    takeClock: async () => {
      hasOwnClock = true;
      await page.clock.install();
      return page.clock;
    },
    requestsBeyond: (...origins) => requests.filter((request) => ![...origins, 'null'].includes(originOf(request))),
    close: async () => {
      context.off('console', onConsole).off('weberror', onError);
      context.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd);
      page.off('request', onDeparture).off('framenavigated', onArrival);
      await close(hasOwnClock);
    },
  };
}

/** `null` for what is inline, such as `data:`. */
function originOf(request: string): string {
  return new URL(request.slice(request.indexOf(' ') + 1)).origin;
}
