import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  countReports,
  NO_NAVIGATION_API,
  type ShopSite,
  startShopSite,
  waitForSnippet,
} from '../../support/shop-site.ts';

describe('the script in a hostile environment', () => {
  let site: ShopSite;
  before(async () => {
    site = await startShopSite();
  });
  after(() => site.stop());

  it('reports a visit under a strict Content-Security-Policy that allows the service', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    const policy = `default-src 'none'; script-src ${site.whenceUrl}; connect-src ${site.whenceUrl}; img-src data:; require-trusted-types-for 'script'`;
    const headers = { 'content-security-policy': policy, 'cross-origin-embedder-policy': 'require-corp' };
    site.page = { body: `${site.tag()}<a id="pay" href="#pay" data-whence>Pay</a>`, headers };
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    // The page's Content-Security-Policy forbids evaluating code in the page, so the test checks the cookies from
    // outside the page.
    const cookies = await until(
      () => opened.context.cookies(),
      ([cookie]) => cookie !== undefined,
    );
    assert.deepEqual(await site.visits(ref), { [cookies[0]?.value as string]: 1 });
    await page.click('#pay');
    await page.waitForURL(/trackingId=\d+#pay$/);
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  it('the page has no script errors while the service is down', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    site.page = { body: `${site.tag(`data-url="http://127.0.0.1:9"`)}<a id="next" href="/next" data-whence>Next</a>` };
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    await page.click('#next');
    await page.waitForURL(`${site.shopUrl}/next`);
    assert.ok(opened.faults.length > 0, 'the browser logs the failed request');
    assert.deepEqual(opened.scriptFaults(), []);
    await opened.close();
  });

  it('the page is not blocked while the script is loading or its report has no response', async () => {
    const opened = await site.open();
    const { page } = opened;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/whence.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.route('**/site-visited', () => {});
    site.page = { body: `${site.tag()}<button onclick="this.textContent = 'Bought'">Buy</button>` };
    await page.goto(`${site.shopUrl}/?ref=${await site.ref()}`, { waitUntil: 'domcontentloaded' });
    await page.click('button');
    assert.equal(await page.textContent('button'), 'Bought');
    release();
    await waitForSnippet(page);
    await page.waitForLoadState('load');
    assert.equal(await page.evaluate('whence.id()'), undefined);
    await opened.close();
  });

  it('keeps the tracking id in memory if access to cookies and storage throws', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    // A sandboxed page has an opaque origin, in which any access to cookies or storage throws.
    site.page = { body: site.tag(), headers: { 'content-security-policy': 'sandbox allow-scripts' } };
    for (const storage of ['cookie', 'local']) {
      site.page.body = site.tag(`data-storage="${storage}"`);
      await page.goto(`${site.shopUrl}/?ref=${ref}`);
      const id = await site.ready(page);
      assert.equal((await site.visits(ref))[id], 1);
      await page.evaluate('whence.withdraw()');
      assert.equal(await page.evaluate('whence.id()'), undefined);
      assert.notEqual(await page.evaluate('whence.grant()'), undefined);
    }
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  it('keeps the tracking id in memory if cookies are silently dropped', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    await page.addInitScript(
      `Object.defineProperty(Document.prototype, 'cookie', { get: () => 'theme=dark', set: () => {} })`,
    );
    site.page = { body: site.tag() };
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(page);
    await page.evaluate(`history.pushState(null, '', '/cart')`);
    assert.equal(await page.evaluate('whence.id()'), id);
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  for (const [what, script] of [
    ['no fetch', 'delete window.fetch'],
    ['no crypto', `Object.defineProperty(window, 'crypto', { value: undefined })`],
    ['a history that can’t be changed', `${NO_NAVIGATION_API}; Object.freeze(history)`],
    [
      'frozen prototypes',
      '[Object, Function, Array, String, Promise, URL].forEach((each) => Object.freeze(each.prototype))',
    ],
    ['storage that is full', `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }`],
    ['no navigation timing', 'performance.getEntriesByType = undefined'],
    [
      'malformed values in storage and in the cookie',
      `try { sessionStorage.whence_landings = '{"a":'; document.cookie = 'whence_oid=<b>' } catch {}`,
    ],
    ['stored landings of the wrong types', `try { sessionStorage.whence_landings = '[null, 7, {"0": "x"}]' } catch {}`],
    ['stored landings that are not a list', `try { sessionStorage.whence_landings = '"text"' } catch {}`],
    ['another global variable named whence', 'window.whence = { mine: true }'],
  ] as const) {
    it(`throws no error in a page with ${what}`, async () => {
      const opened = await site.open();
      const { page } = opened;
      await page.addInitScript(script);
      site.page = { body: `${site.tag(`data-links="a:::b"`)}<a id="next" href="#next">Next</a>` };
      await page.goto(`${site.shopUrl}/?ref=${await site.ref()}`);
      await page.waitForLoadState('load');
      await page.evaluate(`history.pushState({ at: 1 }, '', '/cart?ref=nobody')`);
      await page.click('#next');
      await page.waitForURL('**/cart?ref=nobody#next');
      await page.evaluate('Promise.resolve(window.whence.ready)');
      assert.deepEqual(opened.scriptFaults(), []);
      await opened.close();
    });
  }

  it('reports a visit even if an element has the id "whence"', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    site.page = { body: `<p id="whence"></p>${site.tag('id="whence"')}` };
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });

  it('passes the page’s own history errors on to the page', async () => {
    const opened = await site.open();
    const { page } = opened;
    site.page = { body: site.tag() };
    await page.addInitScript(NO_NAVIGATION_API);
    await page.goto(site.shopUrl);
    await waitForSnippet(page);
    await assert.rejects(page.evaluate(`history.pushState(null, '', 'https://other.test/')`), /SecurityError/);
    assert.equal(
      await page.evaluate(`history.pushState.length + String(history.pushState({ a: 1 }, '', '#a'))`),
      '0undefined',
    );
    assert.deepEqual(await page.evaluate('history.state'), { a: 1 });
    assert.equal(countReports(opened), 0);
    await opened.close();
  });

  it('with a missing or wrong key, the script throws no error and does not retry', async () => {
    for (const tag of [site.tag().replace(/data-key="\S+"/, ''), site.tag().replace('pk_live_', 'pk_live_x')]) {
      const opened = await site.open();
      site.page = { body: tag };
      await opened.page.goto(`${site.shopUrl}/?ref=${await site.ref()}`);
      await waitForSnippet(opened.page);
      assert.equal(await opened.page.evaluate('whence.ready'), undefined);
      assert.equal(countReports(opened), 1);
      assert.deepEqual(opened.scriptFaults(), []);
      await opened.close();
    }
  });

  it('the module does nothing on a server', async (context) => {
    const built: string = '../../../packages/browser/dist/whence.mjs';
    const { createWhence } = (await import(built)) as {
      createWhence: (options: object) => {
        id: () => unknown;
        ready: Promise<unknown>;
        grant: () => Promise<unknown>;
        withdraw: () => void;
        forget: () => void;
        decorate: (link: string) => string;
      };
    };
    // Node.js has a global `navigator` only since version 21. The test removes it, as in an older version.
    const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator') as PropertyDescriptor;
    context.after(() => Object.defineProperty(globalThis, 'navigator', navigator));
    Reflect.deleteProperty(globalThis, 'navigator');
    const whence = createWhence({ key: 'pk_live_x', url: 'https://whence.example' });
    assert.deepEqual([whence.id(), await whence.ready, await whence.grant()], [undefined, undefined, undefined]);
    whence.withdraw();
    whence.forget();
    assert.equal(whence.decorate('/pay'), '/pay');
  });
});

/** Calls `look` until `isThere` accepts its result, and returns the result. Fails after ten seconds. */
async function until<Value>(look: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
    assert.ok(performance.now() < deadline, 'the value appears within ten seconds');
  }
}
