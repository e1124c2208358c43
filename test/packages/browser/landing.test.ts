import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  countReports,
  NO_NAVIGATION_API,
  type ShopSite,
  startShopSite,
  waitForSnippet,
} from '../../support/shop-site.ts';

describe('a visitor who arrives through a partner link', () => {
  let site: ShopSite;
  before(async () => {
    site = await startShopSite();
    site.page = { body: `${site.tag()}<h1>Mugs</h1>` };
  });
  after(() => site.stop());

  it('a visit is reported across origins, and the page gets the tracking id', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(opened.page);
    assert.match(id, /^[1-9]\d+$/);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    assert.equal(await opened.page.evaluate('whence.id()'), id);
    assert.deepEqual(opened.faults, []);
    assert.deepEqual(opened.requestsBeyond(site.shopUrl, site.whenceUrl), []);
    await opened.close();
  });

  it('keeps the tracking id on later pages, which report no visit', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(opened.page);
    await opened.page.goto(`${site.shopUrl}/cart`);
    assert.equal(await site.ready(opened.page), id);
    assert.equal(countReports(opened), 1);
    await opened.close();
  });

  it('keeps the same opportunity after following another collaborator’s link', async () => {
    const [opened, first, second] = [await site.open(), await site.ref(), await site.ref()];
    await opened.page.goto(`${site.shopUrl}/?ref=${first}`);
    const id = await site.ready(opened.page);
    await opened.page.goto(`${site.shopUrl}/mugs?color=blue&ref=${second}`);
    assert.equal(await site.ready(opened.page), id);
    assert.deepEqual([await site.visits(first), await site.visits(second)], [{ [id]: 1 }, { [id]: 1 }]);
    await opened.close();
  });

  it('another visit is counted when the visitor arrives through the same link again', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    await site.ready(opened.page);
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 2 });
    await opened.close();
  });

  it('a visit is counted once despite reloads, back navigation and links with the same referral code', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    site.page = { body: `${site.tag()}<a href="/mugs?ref=${ref}">Mugs</a>` };
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(opened.page);
    await page.reload();
    await site.ready(opened.page);
    await page.click('a');
    await page.waitForURL('**/mugs*');
    await site.ready(opened.page);
    await page.goBack();
    await page.waitForURL(`${site.shopUrl}/?*`);
    assert.equal(await site.ready(opened.page), id);
    assert.equal(countReports(opened), 1);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });

  for (const [browser, script] of [
    ['this browser', ''],
    ['a browser without the Navigation API', NO_NAVIGATION_API],
  ] as const) {
    it(`a visit is counted once per referral code in a single-page shop (${browser})`, async () => {
      const [opened, first, second] = [await site.open(), await site.ref(), await site.ref()];
      const { page } = opened;
      await page.addInitScript(script);
      await page.goto(`${site.shopUrl}/?ref=${first}`);
      const id = await site.ready(opened.page);
      for (const move of ['pushState', 'replaceState']) {
        await page.evaluate(`history.${move}({ at: 1 }, '', '/mugs?ref=${first}')`);
        await page.evaluate(`history.${move}({ at: 2 }, '', '/cart')`);
      }
      assert.equal(await page.evaluate('location.pathname + history.state.at'), '/cart2');
      await page.evaluate(`history.pushState(null, '', '/plates?ref=${second}')`);
      await site.ready(opened.page);
      for (const _ of [1, 2, 3]) await page.goBack();
      assert.equal(await site.ready(opened.page), id);
      assert.equal(countReports(opened), 2);
      assert.deepEqual([await site.visits(first), await site.visits(second)], [{ [id]: 1 }, { [id]: 1 }]);
      await opened.close();
    });
  }

  it('opening a page with the Navigation API counts a visit for its referral code', async () => {
    const [opened, first, second] = [await site.open(), await site.ref(), await site.ref()];
    const { page } = opened;
    await page.goto(`${site.shopUrl}/?ref=${first}`);
    const id = await site.ready(page);
    await page.evaluate(`navigation.addEventListener('navigate', (event) => event.intercept());
      navigation.navigate('/plates?ref=${second}').finished.then(() => {})`);
    assert.equal(await site.ready(page), id);
    assert.deepEqual(await site.visits(second), { [id]: 1 });
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  // The test's Chromium has no back/forward cache, so the test dispatches the `pageshow` event itself.
  it('a visit is counted once if its page returns from the back/forward cache after forget()', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page, context } = opened;
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(page);
    const other = await context.newPage();
    await other.goto(`${site.shopUrl}/cart`);
    assert.equal(await site.ready(other), id);
    await other.evaluate('whence.forget()');
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    assert.equal(countReports(opened), 1);
    await opened.close();
  });

  it('a visit is not reported from a prerendered page until the page is shown', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    await page.addInitScript(`Object.defineProperty(document, 'prerendering', { value: true })`);
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    assert.equal(countReports(opened), 0);
    await page.evaluate(`document.dispatchEvent(new Event('prerenderingchange'))`);
    const id = await site.ready(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });

  it('a visit is counted once if the response was lost and the next page retries', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    let lost = 0;
    await page.route('**/site-visited', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
      const request = route.request();
      const url = request.url().replace('whence.test', '127.0.0.1');
      await fetch(url, { method: 'POST', headers: request.headers(), body: request.postData() });
      return route.abort();
    });
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    await page.goto(`${site.shopUrl}/cart`);
    const id = await site.ready(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    assert.ok(countReports(opened) > 1);
    await opened.close();
  });

  it('a visit is reported later if the service was unavailable, and only once', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    await page.clock.install();
    let refused = 0;
    await page.route('**/site-visited', async (route) => {
      refused += 1;
      if (refused === 1) return route.abort('connectionrefused');
      if (refused === 2) return route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } });
      return route.continue();
    });
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    await page.clock.fastForward(2_000);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    await page.clock.fastForward(4_000);
    const id = await site.ready(opened.page);
    await page.clock.fastForward(600_000);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    assert.equal(refused, 3);
    assert.deepEqual(opened.scriptFaults(), []);
    await opened.close();
  });

  it('a visit with an unknown referral code is refused, is not reported again, and gets no tracking id', async () => {
    const opened = await site.open();
    await opened.page.goto(`${site.shopUrl}/?ref=nobody`);
    await waitForSnippet(opened.page);
    assert.equal(await opened.page.evaluate('whence.ready'), undefined);
    await opened.page.reload();
    await waitForSnippet(opened.page);
    assert.equal(await opened.page.evaluate('whence.ready'), undefined);
    assert.equal(countReports(opened), 1);
    assert.deepEqual(await opened.context.cookies(), []);
    assert.deepEqual(opened.scriptFaults(), []);
    await opened.close();
  });

  it('a visit’s referral code is read from the parameter named in data-param', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    site.page = { body: site.tag('data-param="via"') };
    await opened.page.goto(`${site.shopUrl}/?via=${ref}&ref=nobody`);
    const id = await site.ready(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });

  it('a visit is reported once if the page has two script tags or calls createWhence twice', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { service, whenceUrl } = site;
    // An option that is undefined must get its default value.
    const options = `{ key: '${service.publishableKey}', url: '${whenceUrl}', param: undefined, headerPrefix: undefined }`;
    site.page = {
      body: `<script type="module">
        import { createWhence } from '${whenceUrl}/whence.mjs';
        window.shop = createWhence(${options});
        window.same = createWhence(${options}) === window.shop;
      </script>`,
    };
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    await opened.page.waitForFunction('window.shop');
    const id = (await opened.page.evaluate('shop.ready')) as string;
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    assert.equal(await opened.page.evaluate('same'), true);
    site.page = { body: site.tag() + site.tag() };
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    await opened.page.waitForLoadState();
    assert.equal(await site.ready(opened.page), id);
    assert.deepEqual(await site.visits(ref), { [id]: 2 });
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  it('the tracking id is available to callbacks pushed before the script was loaded', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const ask = `<script>(window.whence ||= []).push((whence) => whence.ready.then((id) => (window.known = id)));
      whence.push(() => { throw new Error('the shop’s own'); });
      whence.push(() => (window.last = true));</script>`;
    site.page = { body: ask + site.tag() };
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    await opened.page.waitForFunction('window.known && window.last');
    const id = (await opened.page.evaluate('known')) as string;
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    assert.deepEqual(await opened.page.evaluate('new Promise((known) => whence.push((it) => known(it.id())))'), id);
    await opened.close();
  });
});
