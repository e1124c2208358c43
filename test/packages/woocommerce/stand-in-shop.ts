import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* Runs the stand-in shop in the folder stand-in/, which has the plugin, with PHP's built-in web server. */

const ROUTER = join(import.meta.dirname, 'stand-in/router.php');

export const PLUGIN = join(import.meta.dirname, '../../../packages/woocommerce/whence.php');

/** The reason to skip the tests if PHP isn't installed, or false. */
export const WITHOUT_PHP = spawnSync('php', ['--version']).status === 0 ? false : 'php is not installed';

export const MANAGER = 1;
export const CUSTOMER = 2;

export type Webhook = {
  readonly id: number;
  readonly name: string;
  readonly topic: string;
  readonly delivery_url: string;
  readonly secret: string;
  readonly status: string;
  readonly user_id: number;
  readonly failure_count: number;
};

export type Settings = {
  readonly webhook_url: string;
  readonly secret: string;
  readonly publishable_key?: string;
  readonly needs_consent?: string;
};

type Page = { readonly status: number; readonly text: string };

export type StandInShop = {
  /** Returns the HTML that the plugin adds to the `<head>` of a shop page. */
  readonly head: () => Promise<string>;
  /** Places an order with the given `Cookie` header, and returns the order's metadata. */
  readonly order: (checkout: 'checkout' | 'store-api/checkout', cookie?: string) => Promise<Record<string, string>>;
  /** Returns a valid nonce of a user for the settings page. */
  readonly nonce: (user: number) => Promise<string>;
  readonly settingsPage: (user?: number) => Promise<Page>;
  /** Submits the settings page as `user` (the manager by default), with a valid nonce unless `nonce` is set. */
  readonly save: (settings: Settings, as?: { user?: number; nonce?: string }) => Promise<Page>;
  readonly webhooks: () => Promise<readonly Webhook[]>;
  /** Saves a webhook as a person does in the admin pages. If `fields` has an id, changes the existing webhook. */
  readonly saveWebhook: (fields: Partial<Webhook>) => Promise<void>;
  readonly deleteWebhooks: () => Promise<void>;
  /** Sends an order to each active webhook for updated orders, and returns the status codes of the responses. */
  readonly deliver: (order: unknown) => Promise<readonly number[]>;
  readonly plugin: (action: 'activate' | 'deactivate' | 'uninstall') => Promise<void>;
  readonly features: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
};

export async function openStandInShop(environment: 'local' | 'production' = 'local'): Promise<StandInShop> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-woocommerce-'));
  const server = spawn('php', ['-d', 'display_errors=1', '-S', '127.0.0.1:0', ROUTER], {
    env: { ...process.env, STAND_IN_STATE: join(folder, 'state.json'), STAND_IN_ENVIRONMENT: environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await addressOf(server.stderr);

  const call = async (path: string, init: RequestInit = {}): Promise<Page> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    assert.doesNotMatch(text, /(Warning|Notice|Deprecated|Fatal error)<?\/?b?>?: /, text);
    return { status: response.status, text };
  };
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Page> =>
    call(path, { method: 'POST', headers, body: body === undefined ? null : JSON.stringify(body) });
  const parsed = async <Body>(page: Promise<Page>): Promise<Body> => {
    const { status, text } = await page;
    assert.equal(status, 200, text);
    return JSON.parse(text) as Body;
  };

  const nonceOf = async (user: number): Promise<string> =>
    (await call('/nonce', { headers: { 'x-user': String(user) } })).text;
  return {
    head: async () => (await call('/')).text,
    order: async (checkout, cookie) => {
      // PHP encodes empty metadata as `[]`, so convert it to an object.
      const metadata = await parsed<Record<string, string>>(post(`/${checkout}`, undefined, cookie ? { cookie } : {}));
      return { ...metadata };
    },
    nonce: nonceOf,
    settingsPage: (user = MANAGER) => call(SETTINGS_PATH, { headers: { 'x-user': String(user) } }),
    save: async (settings, { user = MANAGER, nonce } = {}) => {
      const body = new URLSearchParams({ ...settings, _wpnonce: nonce ?? (await nonceOf(user)) });
      return call(SETTINGS_PATH, { method: 'POST', headers: { 'x-user': String(user) }, body });
    },
    webhooks: () => parsed(call('/webhooks')),
    saveWebhook: async (fields) => {
      assert.equal((await post('/webhooks', fields)).text, '');
    },
    deleteWebhooks: async () => {
      assert.equal((await call('/webhooks', { method: 'DELETE' })).text, '');
    },
    deliver: (order) => parsed(post('/deliver', order)),
    plugin: async (action) => {
      assert.equal((await post(`/plugin/${action}`)).text, '');
    },
    features: () => parsed(call('/features')),
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const SETTINGS_PATH = '/wp-admin/admin.php?page=whence';

/**
 * Returns the address that PHP's server prints once it is ready. Rejects if the server ends first. Reads the whole log,
 * because a full pipe would block the server.
 */
function addressOf(log: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  log.on('data', (chunk: Buffer) => {
    if (text.length < 10_000) text += chunk.toString();
    const address = /Server \((http:[^)]+)\) started/.exec(text)?.[1];
    if (address !== undefined) resolve(address);
  });
  log.on('end', () => reject(new Error(`PHP's server ended: ${text}`)));
  return promise;
}
