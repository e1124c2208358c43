import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, type OpenPage } from '#test/support/browser.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';

/**
 * A shop whose pages can load the snippet, on a different site than the service. CORS, cookies and CSP work as in
 * production.
 */
export type ShopSite = {
  readonly service: TestService;
  /** The URL of the shop. `shop.test` and `whence.test` are two sites on one machine. */
  readonly shopUrl: string;
  /** The URL of the service. */
  readonly whenceUrl: string;
  /** The body and the headers of every shop page. */
  page: { body: string; headers?: Readonly<Record<string, string>> };
  /** Returns the snippet's script tag with the given attributes, in addition to its address and key. */
  readonly tag: (attributes?: string) => string;
  /** Creates a collaborator and returns the code for their links. */
  readonly ref: () => Promise<string>;
  /** Returns the number of visits through the collaborator's links, by the opportunity's public number. */
  readonly visits: (ref: string) => Promise<Readonly<Record<string, number>>>;
  /** Waits until the snippet has an opportunity number, and returns it. */
  readonly ready: (page: Page) => Promise<string>;
  readonly open: (options?: BrowserContextOptions) => Promise<OpenPage>;
  readonly stop: () => Promise<void>;
};

export async function startShopSite(settings: Readonly<Record<string, string>> = {}): Promise<ShopSite> {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', '..', 'scripts', 'build.mjs'), 'browser']);
  const service = await startService(settings);
  const browser = await launchBrowser();
  const whenceUrl = service.url.replace('127.0.0.1', 'whence.test');
  const owners = new Map<string, number>();
  const [shop, port] = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...site.page.headers });
    // Without an icon, the browser would request /favicon.ico.
    response.end(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">${site.page.body}`);
  });
  const { program, collaborator, get } = openShop(service);
  // The program gives one point for each visit, so an engagement's score is its number of visits.
  await program();
  const site: ShopSite = {
    service,
    shopUrl: `http://shop.test:${port}`,
    whenceUrl,
    page: { body: '' },
    tag: (attributes = '') =>
      `<script async src="${whenceUrl}/whence.js" data-key="${service.publishableKey}" ${attributes}></script>`,
    ref: async () => {
      const code = `friend-${owners.size + 1}`;
      owners.set(code, await collaborator(code));
      return code;
    },
    visits: async (ref) => {
      const path = `/v1/engagements?collaboratorId=${owners.get(ref)}`;
      const engagements = await get<{ opportunityId: number; score: number }[]>(path);
      return Object.fromEntries(engagements.map(({ opportunityId, score }) => [opportunityId, score]));
    },
    ready: async (page) => {
      await waitForSnippet(page);
      const id = await page.evaluate('whence.ready');
      assert.equal(typeof id, 'string', 'the visit was answered');
      return id as string;
    },
    open: async (options) => {
      const opened = await browser.open(options);
      opened.page.setDefaultTimeout(10_000);
      return opened;
    },
    stop: async () => {
      await browser.close();
      await closeServer(shop);
      await service.stop();
    },
  };
  return site;
}

/** A script for `addInitScript` that removes the Navigation API, as in an older browser. */
export const NO_NAVIGATION_API = `Object.defineProperty(window, 'navigation', { value: undefined })`;

/** Waits until the snippet has started. */
export async function waitForSnippet(page: Page): Promise<void> {
  await page.waitForFunction('window.whence?.id');
}

/** Returns how many reports the page has sent. */
export function countReports({ requests }: OpenPage): number {
  return requests.filter((request) => request.startsWith('POST ')).length;
}

/** Starts a server on a free port of this machine, and returns the server and the port. */
export async function startServer(listener: RequestListener): Promise<readonly [Server, number]> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, (server.address() as AddressInfo).port];
}

/** Closes a server, even if a browser still has open connections to it. */
export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
