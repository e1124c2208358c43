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
  /** Opens a page in its own context, which shares no cookies or storage with other contexts. */
  readonly open: (options?: BrowserContextOptions) => Promise<OpenPage>;
  /**
   * Returns reusable contexts for pages of one origin. `url` is an address of that origin that loads fast.
   *
   * A closed page's context is reused, and everything except its cache is cleared first. In a new context, fetching and
   * compiling the scripts would take a second. A context whose clock a test controlled is not reused.
   */
  readonly contexts: (url: string, options?: BrowserContextOptions) => TestContexts;
  readonly close: () => Promise<void>;
};

export type TestContexts = { readonly open: () => Promise<OpenPage> };

/** A page, with the faults and requests of all pages and frames in its context. */
export type OpenPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Uncaught exceptions, unhandled rejections, and console errors and warnings. */
  readonly faults: readonly string[];
  /** Returns the faults that scripts caused, without the browser's own messages about failed requests. */
  readonly scriptFaults: () => readonly string[];
  /** Returns every request to an origin that is not in `origins`. Inline data such as `data:` is ignored. */
  readonly requestsBeyond: (...origins: readonly string[]) => readonly string[];
  /** All requests in order, as `POST http://…`. */
  readonly requests: readonly string[];
  /** Resolves once the page is idle: no request is pending, and no new request starts. */
  readonly still: () => Promise<void>;
  /**
   * Lets the test control the page's clock. The clock keeps running, and later pages of the context use the same clock.
   */
  readonly takeClock: () => Promise<Clock>;
  readonly close: () => Promise<void>;
};

/**
 * Starts the packaged Chromium on Linux x64, or otherwise an installed Chromium or Chrome. Names below `.test` and
 * `.localhost` resolve to this machine, so two local services can be two sites. Browsers trust `.localhost` without
 * TLS. All other names except `localhost` fail to resolve.
 */
export async function launchBrowser(): Promise<TestBrowser> {
  const browser = await launch();
  return {
    open: async (options) => {
      const context = await browser.newContext(options);
      return watchPage(context, await context.newPage(), () => context.close());
    },
    contexts: (url, options) => contextsOf(browser, url, options),
    close: () => browser.close(),
  };
}

/**
 * Saves a screenshot of the page as `whence-screenshots/<name>.png` in the system's temporary folder. Returns its path.
 */
export async function saveScreenshot(page: Page, name: string): Promise<string> {
  const path = join(tmpdir(), 'whence-screenshots', `${name}.png`);
  await page.screenshot({ path, fullPage: true });
  return path;
}

/** Chromium's arguments. The package's defaults are not used, because they disable CORS, CSP and other security. */
const ARGUMENTS = [
  '--host-resolver-rules=MAP *.test 127.0.0.1, MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  // With this argument, pages of one site in a context share a process and its compiled code.
  '--process-per-site',
];

/** Starts the first candidate that works, and returns the browser. Fails if none starts. */
async function launch(): Promise<Browser> {
  const failures: string[] = [];
  for (const options of await findBrowsers()) {
    try {
      return await chromium.launch({ ...options, args: ARGUMENTS });
    } catch (error) {
      failures.push((error as Error).message.split('\n', 3).join('\n'));
    }
  }
  return assert.fail(`No browser started. Install Chromium or Chrome.\n${failures.join('\n')}`);
}

async function findBrowsers(): Promise<LaunchOptions[]> {
  const packaged = process.platform === 'linux' && process.arch === 'x64' ? await packagedChromium() : [];
  const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].filter((path) => existsSync(path));
  return [...packaged, ...installed.map((executablePath) => ({ executablePath })), { channel: 'chrome' }];
}

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/**
 * Returns launch options for the packaged Chromium: first with the machine's own libraries, then with the packaged
 * libraries.
 */
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
 * Unpacks the compressed browser of the package, unless it is already unpacked, and returns its folder. The package's
 * own unpacking would let a second process start an incomplete file. So each process unpacks into its own folder, and
 * the first process that finishes renames its folder.
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
  // The package unpacks into the temporary folder. It unpacks its libraries only if it detects AWS Lambda.
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

type IdlePage = { readonly context: BrowserContext; readonly page: Page };

function contextsOf(browser: Browser, url: string, options?: BrowserContextOptions): TestContexts {
  const resting: IdlePage[] = [];
  const rest = async (context: BrowserContext): Promise<IdlePage> => {
    const page = await context.newPage();
    // While one page of the origin is open, the renderer process stays alive.
    await page.goto(url);
    return { context, page };
  };
  return {
    open: async () => {
      const used = resting.pop() ?? (await rest(await browser.newContext(options)));
      return watchPage(used.context, await used.context.newPage(), async (hasOwnClock) => {
        if (hasOwnClock) return used.context.close();
        await forget(used, new URL(url).origin);
        resting.push(used);
      });
    },
  };
}

/**
 * Closes all pages of a context except `page`, and deletes the origin's stored data, all cookies and all permissions.
 * Closing a tab also deletes its session storage.
 */
async function forget({ context, page }: IdlePage, origin: string): Promise<void> {
  await Promise.all(context.pages().map(async (each) => each === page || (await each.close())));
  const devtools = await context.newCDPSession(page);
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers,websql,file_systems';
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await Promise.all([devtools.detach(), context.clearCookies(), context.clearPermissions()]);
}

/**
 * An expression for the page. It waits until the page is idle, but at most half a second, and then for another frame,
 * so that deferred work is finished. Without the timeout, Chromium sometimes reports no idle moment for many seconds
 * although nothing runs.
 */
const IDLE = `new Promise((idle) =>
  requestIdleCallback(() => requestAnimationFrame(() => setTimeout(idle)), { timeout: 500 }))`;

/**
 * The number of consecutive idle turns until a page counts as idle. A page can seem idle just before the end of a
 * response arrives. On a busy machine, the end can take more than one turn to arrive.
 */
const QUIET_TURNS = 3;

/** Returns a page whose faults and requests are recorded until it is closed. */
async function watchPage(
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
  // If the page navigates away, the browser never reports the outcome of its pending requests.
  let arriving: Request | undefined;
  const onRequest = (request: Request): void => {
    requests.push(`${request.method()} ${request.url()}`);
    underWay.add(request);
  };
  // Compare the frame with the page's main frame, because a request for a new tab has no frame yet.
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

/** Returns the origin of a request, or the text `null` for inline data such as `data:`. */
function originOf(request: string): string {
  return new URL(request.slice(request.indexOf(' ') + 1)).origin;
}
