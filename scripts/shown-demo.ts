import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Whence } from '@whence/sdk';
import type { BrowserContext, Page } from 'playwright-core';
import { OWNER } from '../tools/demo/people.ts';
import { PORTAL } from '../tools/demo/portal.ts';
import { visitorOf } from '../tools/demo/visitor.ts';
import type { App } from './pictures.ts';
import type { TestBrowser } from '#test/support/browser.ts';

export type DemoOptions = { readonly dataDir: string; readonly days: string; readonly reset: boolean };

/** The browser state (cookies and storage) of a logged-in user. */
type Kept = Awaited<ReturnType<BrowserContext['storageState']>>;

export type ShownDemo = {
  /** An SDK client that uses the secret key. */
  readonly whence: Whence;
  /** The root URL of each application. */
  readonly roots: Readonly<Record<App, string>>;
  /** The logged-in browser states: the owner in the console, and the demo's collaborator in the portal. */
  readonly signedIn: Readonly<Record<App, Kept>>;
  readonly end: () => Promise<void>;
};

const SECRET_KEY = /secret key (\S+)/;

/** Starts the demo on a free port. If its data folder is empty, the demo fills it first. */
export async function startDemo(browser: TestBrowser, options: DemoOptions): Promise<ShownDemo> {
  const args = ['tools/demo/run.ts', '--data-dir', options.dataDir, '--days', options.days];
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
    const printed = await readUntil(child, SECRET_KEY);
    const apiKey = requireMatch(printed, SECRET_KEY);
    const entry = requireMatch(printed, /Portal\s+(\S+)/);
    const url = new URL(entry).origin;
    const signedIn = {
      console: await keepOf(browser, `${url}/console/sign-in`, signIn),
      portal: await keepOf(browser, entry, (page) => page.getByRole('link', { name: 'Continue' }).waitFor()),
    };
    const end = async (): Promise<void> => {
      try {
        await visitorOf(url, { cookie: cookieOf(signedIn.console) }).session.close();
        await visitorOf(url, { cookie: cookieOf(signedIn.portal) }).portal.closeSession();
      } finally {
        await stop();
      }
    };
    return {
      whence: new Whence({ baseUrl: url, apiKey }),
      roots: { console: `${url}/console`, portal: `${url}/portal/${PORTAL}` },
      signedIn,
      end,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Logs in through the pages, as people do, and returns the state of the browser's session. */
async function keepOf(browser: TestBrowser, url: string, enter: (page: Page) => Promise<void>): Promise<Kept> {
  const { page, context, close } = await browser.open({ locale: 'en-US' });
  try {
    await page.goto(url);
    await enter(page);
    return await context.storageState();
  } finally {
    await close();
  }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Account of ${OWNER.name}` }).waitFor();
}

function cookieOf({ cookies }: Kept): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/**
 * Reads the child's output, and prints it to standard error, until it matches `pattern` or ends. Returns the output
 * read so far.
 */
async function readUntil({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  if (stdout === null) throw new Error('The demo has no output.');
  let printed = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    process.stderr.write(String(chunk));
    if (pattern.test(printed)) break;
  }
  // The demo continues to print emails. Discard them, so that the pipe doesn't fill up.
  stdout.resume();
  return printed;
}

function requireMatch(printed: string, pattern: RegExp): string {
  const part = pattern.exec(printed)?.[1];
  if (part === undefined)
    throw new Error('The demo did not start. Fix the cause (see above), then run the script again.');
  return part;
}
