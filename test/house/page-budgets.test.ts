import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { OpenPage } from '#test/support/browser.ts';
import { openPages, type Pages, type Somebody } from '#test/support/pages.ts';
import { openTill } from '#test/support/payouts.ts';
import { type Collaborator, openMailbox, openPortal } from '#test/support/portal.ts';
import { openShop } from '#test/support/shop.ts';

/**
 * The gzipped bytes of scripts and styles that a browser with an empty cache may load for a console page. People work
 * in the console all day.
 */
const CONSOLE_BYTES = 320_000;
/**
 * The gzipped bytes of scripts and styles that a browser with an empty cache may load for a portal page. A partner may
 * open the portal once a month, on a phone.
 */
const PORTAL_BYTES = 200_000;
/** The budget, in gzipped bytes, of pages that are shown before the login. It equals the budget of portal pages. */
const OPEN_PAGE_BYTES = 200_000;
/** The maximum number of pages that are open concurrently. */
const AT_A_TIME = 6;
/** The maximum number of checks whether a page has loaded all of its imports. */
const LOOKS = 100;
const ROOT = join(import.meta.dirname, '..', '..');

/** The API lists that provide the id for `$id` or `$program` in the path of a page. */
const LISTS: Readonly<Record<string, string>> = {
  '/programs/$id': 'programs',
  '/programs/$id/edit': 'programs',
  '/backtests/$id': 'backtests',
  '/collaborators/$id': 'collaborators',
  '/opportunities/$id': 'opportunities',
  '/sales/$id': 'transactions',
  '/conversions/$id': 'conversions',
  '/payouts/runs/$id': 'fulfillments',
  '/payouts/$id': 'payouts',
  '/connectors/$id': 'connectors',
  '/webhooks/$id': 'webhooks',
  '/sign-up/$program': 'programs',
};

const TEN = { type: 'percent', percent: 10 };

type Route = { readonly path: string; readonly isOpen: boolean };
/** The gzipped size of a file in bytes, and the addresses of its static imports. */
type Asset = { readonly size: number; readonly imports: readonly string[] };

describe('the first load of the pages', () => {
  let pages: Pages;
  let owner: Somebody;
  let ada: Collaborator;
  const known = new Map<string, Promise<Asset>>();

  before(async () => {
    pages = await openPages();
    owner = await pages.person('owner');
    await fill();
  });
  after(() => pages.close());

  it('is below 320 kB for each console page, and below 200 kB before the login', async () => {
    const routes = routesOf('console');
    assert.ok(routes.length > 25);
    await areBelow(CONSOLE_BYTES, routes, async (route) => {
      const open = await pages.open(await addressOf(route), route.isOpen ? undefined : owner);
      if (route.path === '/') await open.page.locator('canvas').waitFor();
      return open;
    });
  });

  it('is below 200 kB for each portal page', async () => {
    const routes = routesOf('portal');
    assert.ok(routes.length > 5);
    await areBelow(PORTAL_BYTES, routes, async (route) => {
      const cookie = route.isOpen ? undefined : ada.cookie;
      return pages.openPortal(`/mugs${await addressOf(route)}`, cookie);
    });
  });

  /** Creates data for every page, because lists, charts and QR codes load only with content. */
  async function fill(): Promise<void> {
    const { service } = pages;
    const shop = openShop(service);
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    await shop.program({ name: 'Friends' });
    await shop.collaborator('ada', { email: 'ada@example.com' });
    ada = await portal.enter('ada@example.com');
    await shop.sell('one', await shop.visit('ada'), { total: 100 });
    const send = (path: string, body?: unknown) => service.request('POST', path, { key: service.secretKey, body });
    assert.equal((await send('/v1/webhooks', { url: 'https://shop.example/heard' })).status, 201);
    assert.equal((await send('/v1/connectors', { kind: 'stripe', name: 'Stripe' })).status, 201);
    await service.settled();
    const [earned] = await shop.earned('one');
    assert.equal((await send(`/v1/conversions/${earned?.id}/approve`)).status, 200);
    await service.settled();
    const backtest = { from: '2026-01-01', until: '2026-02-01', drafts: [{ terms: { name: 'New', reward: TEN } }] };
    assert.equal((await send('/v1/backtests', backtest)).status, 201);
    await openTill(service).runOne();
  }

  async function addressOf({ path }: Route): Promise<string> {
    if (!path.includes('$')) return path;
    const list = LISTS[path];
    assert.ok(list !== undefined, `${path} needs a list in LISTS`);
    const found = await pages.service.request('GET', `/v1/${list}`, { key: pages.service.secretKey });
    const [first] = found.body as readonly { readonly id: number }[];
    assert.ok(first !== undefined, `${list} is not empty`);
    return path.replace(/\$\w+/, String(first.id));
  }

  /**
   * Opens AT_A_TIME routes concurrently, and fails if the files of a page reach its budget. Every requested file
   * counts, even if it is in the browser's cache.
   */
  async function areBelow(
    limit: number,
    routes: readonly Route[],
    open: (route: Route) => Promise<OpenPage>,
  ): Promise<void> {
    const waiting = [...routes];
    const weighed: string[] = [];
    const heavy: string[] = [];
    const weigh = async (): Promise<void> => {
      for (let route = waiting.pop(); route !== undefined; route = waiting.pop()) {
        const page = await open(route);
        const { files, bytes } = await weightOf(page);
        weighed.push(`${bytes} bytes in ${files} files: ${route.path}`);
        assert.ok(files >= 2, route.path);
        if (bytes >= (route.isOpen ? OPEN_PAGE_BYTES : limit))
          heavy.push([`${route.path}: ${bytes} bytes in ${files} files`, ...page.faults].join('; '));
        await page.close();
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, weigh));
    console.log(weighed.sort().reverse().join('\n'));
    assert.deepEqual(heavy, []);
  }

  /**
   * Returns the number of scripts and styles that a page loads, and their total size in gzipped bytes. The bundled font
   * has a budget of its own (test/app/web-pages.test.ts). Waits until every import was requested, because a browser
   * requests the imports of a script only after parsing it.
   */
  async function weightOf({ still, requests }: OpenPage): Promise<{ files: number; bytes: number }> {
    for (let looks = 0; ; looks += 1) {
      await still();
      const assets = [...new Set(requests.filter((request) => /\/assets\/.*\.(?:js|css)$/.test(request)))];
      const urls = assets.map((request) => request.replace('GET ', ''));
      const loaded = await Promise.all(urls.map(assetAt));
      const missing = loaded.flatMap(({ imports }) => imports).filter((url) => !urls.includes(url));
      if (missing.length === 0) return { files: urls.length, bytes: loaded.reduce((sum, { size }) => sum + size, 0) };
      assert.ok(looks < LOOKS, `the page imports ${missing.join(', ')}, but did not fetch it`);
    }
  }

  function assetAt(url: string): Promise<Asset> {
    const asset = known.get(url) ?? fetch(url).then(async (answer) => assetOf(url, await answer.text()));
    known.set(url, asset);
    return asset;
  }
});

function assetOf(url: string, text: string): Asset {
  const imports = [...text.matchAll(/\b(?:from|import)"(?<path>\.\/[\w.-]+\.js)"/g)];
  return {
    size: gzipSync(text).length,
    imports: imports.map(({ groups }) => new URL(groups?.['path'] ?? '', url).href),
  };
}

/** Returns all lazily loaded routes in the source of a router, so that new pages are checked automatically. */
function routesOf(application: 'console' | 'portal'): Route[] {
  const source = readFileSync(join(ROOT, 'web', application, 'router.tsx'), 'utf8');
  const routes = [...source.matchAll(/^ {2}(?<kind>page|openPage)\('(?<path>[^']+)', \(\) => import\(/gm)];
  const lazy = source.matchAll(/'[^']+', \(\) => import\(/g);
  assert.equal(routes.length, [...lazy].length, 'every lazy page is a route in this test');
  return routes.map(({ groups }) => ({ path: groups?.['path'] ?? '', isOpen: groups?.['kind'] === 'openPage' }));
}
