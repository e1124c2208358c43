import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { countReports, type ShopSite, startShopSite, waitForSnippet } from '../../support/shop-site.ts';

let site: ShopSite;
before(async () => {
  site = await startShopSite();
});
after(() => site.stop());

describe('with required consent', () => {
  before(() => {
    site.page = { body: site.tag('data-consent="required"') };
  });

  it('nothing is sent or stored before consent is granted', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    await page.evaluate(`history.pushState(null, '', '/cart')`);
    assert.equal(countReports(opened), 0);
    assert.deepEqual(await stored(page), []);
    // The snippet keeps the landing in memory, even after a script has changed the address of the page.
    const id = (await page.evaluate('whence.grant()')) as string;
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    assert.deepEqual(await stored(page), ['whence_consent', 'whence_landings', 'whence_oid']);
    await opened.close();
  });

  it('consent stays valid on later pages until it is withdrawn, which deletes all stored data', async () => {
    const [opened, first, second] = [await site.open(), await site.ref(), await site.ref()];
    const { page } = opened;
    await page.goto(`${site.shopUrl}/?ref=${first}`);
    await waitForSnippet(page);
    const id = await page.evaluate('whence.grant()');
    await page.goto(`${site.shopUrl}/?ref=${second}`);
    assert.equal(await site.ready(page), id);
    await page.evaluate('whence.withdraw()');
    assert.equal(await page.evaluate('whence.id()'), undefined);
    assert.deepEqual(await stored(page), []);
    await page.goto(`${site.shopUrl}/?ref=${first}`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    assert.equal(countReports(opened), 2);
    assert.deepEqual(await stored(page), []);
    await opened.close();
  });
});

describe('with implied consent', () => {
  before(() => {
    site.page = { body: site.tag() };
  });

  it('a refusal deletes all stored data, and stores a marker that stops reports from later pages', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    await site.ready(page);
    await page.evaluate('whence.withdraw()');
    assert.deepEqual(await stored(page), ['whence_consent']);
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    assert.equal(countReports(opened), 1);
    await opened.close();
  });

  it('granting consent after a refusal reports the current page’s visit under a new tracking id', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    const before = await site.ready(page);
    await page.evaluate('whence.withdraw()');
    const id = (await page.evaluate('whence.grant()')) as string;
    assert.notEqual(id, before);
    assert.deepEqual(await site.visits(ref), { [before]: 1, [id]: 1 });
    assert.deepEqual(await stored(page), ['whence_landings', 'whence_oid']);
    await opened.close();
  });

  it('a response that arrives after withdraw() or forget() is not stored', async () => {
    for (const refusal of ['withdraw', 'forget']) {
      const [opened, ref] = [await site.open(), await site.ref()];
      const { page } = opened;
      let answer = (): void => {};
      const asked = new Promise<void>((resolve) => {
        void page.route('**/site-visited', async (route) => {
          resolve();
          await new Promise<void>((go) => (answer = go));
          await route.continue();
        });
      });
      await page.goto(`${site.shopUrl}/?ref=${ref}`);
      await asked;
      await page.evaluate(`whence.${refusal}(); window.settled = whence.ready; null`);
      answer();
      assert.equal(await page.evaluate('settled'), undefined);
      assert.equal(await page.evaluate('whence.id()'), undefined);
      assert.deepEqual(await stored(page), refusal === 'withdraw' ? ['whence_consent'] : []);
      await opened.close();
    }
  });
});

describe('the privacy signals of a browser', () => {
  for (const [signal, value] of [
    ['globalPrivacyControl', true],
    ['doNotTrack', '1'],
  ] as const) {
    it(`a visit is not reported if ${signal} is set, even with consent, and the stored data is deleted`, async () => {
      const [opened, ref] = [await site.open(), await site.ref()];
      const { page } = opened;
      site.page = { body: site.tag() };
      await page.goto(`${site.shopUrl}/?ref=${ref}`);
      await site.ready(page);
      await page.addInitScript(saying(signal, value));
      for (const attributes of ['', 'data-consent="required"']) {
        site.page = { body: site.tag(attributes) };
        await page.goto(`${site.shopUrl}/?ref=${ref}`);
        await waitForSnippet(page);
        assert.equal(await page.evaluate('whence.ready'), undefined);
        assert.equal(await page.evaluate('whence.grant()'), undefined);
        assert.deepEqual(await stored(page), []);
      }
      assert.equal(countReports(opened), 1);
      await opened.close();
    });
  }

  it('a visit is reported despite the signal if data-signals is "ignore"', async () => {
    site.page = { body: site.tag('data-signals="ignore"') };
    const [opened, ref] = [await site.open(), await site.ref()];
    await opened.page.addInitScript(saying('globalPrivacyControl', true));
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });

  it('a visit is reported if all of the browser’s privacy signals are off', async () => {
    site.page = { body: site.tag() };
    const [opened, ref] = [await site.open(), await site.ref()];
    await opened.page.addInitScript(saying('globalPrivacyControl', false) + saying('doNotTrack', '0'));
    await opened.page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });
});

describe('the tracking id', () => {
  it('is in a cookie that lasts data-days days (30 by default, or the session if it is 0), with the domain in data-domain', async () => {
    const opened = await site.open();
    const { page, context } = opened;
    const cases: readonly [attributes: string, days: number, domain: string][] = [
      ['', 30, 'www.shop.test'],
      ['data-days="7"', 7, 'www.shop.test'],
      ['data-days="0"', 0, 'www.shop.test'],
      ['data-domain="shop.test"', 30, '.shop.test'],
    ];
    for (const [attributes, days, domain] of cases) {
      await context.clearCookies();
      site.page = { body: site.tag(attributes) };
      await page.goto(`${site.shopUrl.replace('shop', 'www.shop')}/?ref=${await site.ref()}`);
      const id = await site.ready(page);
      const [cookie, ...others] = await context.cookies();
      assert.ok(cookie);
      assert.deepEqual([cookie.name, cookie.value, cookie.domain, others], ['whence_oid', id, domain, []]);
      assert.deepEqual([cookie.path, cookie.sameSite, cookie.secure], ['/', 'Lax', false]);
      if (days === 0) assert.equal(cookie.expires, -1);
      else assert.ok(Math.abs(cookie.expires - Date.now() / 1000 - days * 86_400) < 600, `${days} days`);
    }
    // The last case of the loop set a cookie for the whole domain, so only a snippet with that `data-domain` can delete
    // it.
    const known = await page.evaluate('whence.id()');
    site.page = { body: site.tag('data-domain="shop.test"') };
    await page.goto(`${site.shopUrl}/cart`);
    assert.equal(await site.ready(page), known);
    await page.evaluate('whence.forget()');
    assert.deepEqual(await context.cookies(), []);
    await opened.close();
  });

  it('moves to a cookie of the whole domain when data-domain is added', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page, context } = opened;
    const shopUrl = site.shopUrl.replace('shop', 'www.shop');
    site.page = { body: site.tag() };
    await page.goto(`${shopUrl}/?ref=${ref}`);
    const id = await site.ready(page);
    site.page = { body: site.tag('data-domain="shop.test"') };
    await page.goto(`${shopUrl}/?ref=${ref}`);
    assert.equal(await site.ready(page), id);
    const [cookie, ...others] = await context.cookies();
    assert.deepEqual([cookie?.value, cookie?.domain, others], [id, '.shop.test', []]);
    await page.evaluate('whence.forget()');
    assert.deepEqual(await stored(page), []);
    await opened.close();
  });

  it('is kept in a Secure cookie on a secure page', async () => {
    const opened = await site.open({ ignoreHTTPSErrors: true });
    const { page, context } = opened;
    site.page = { body: site.tag().replaceAll(site.whenceUrl, 'https://whence.test') };
    // The test relays requests to both sites from https to http, as a TLS proxy does in production.
    await page.route('https://*.test/**', async (route) => {
      const request = route.request();
      const { hostname, pathname, search } = new URL(request.url());
      const to = hostname === 'shop.test' ? site.shopUrl : site.whenceUrl;
      const url = to.replace(/\/\/[^:]+/, '//127.0.0.1') + pathname + search;
      const { status, headers, body } = await relayed(url, request.method(), request.headers(), request.postData());
      await route.fulfill({ status, headers, body });
    });
    await page.goto(`https://shop.test/?ref=${await site.ref()}`);
    await site.ready(page);
    const [cookie] = await context.cookies('https://shop.test');
    assert.equal(cookie?.secure, true);
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  it('with data-storage="local", is in local storage for data-days days, or in session storage if data-days is 0', async () => {
    const opened = await site.open();
    const { page, context } = opened;
    site.page = { body: site.tag('data-storage="local" data-days="7" data-prefix="acme."') };
    await page.goto(`${site.shopUrl}/?ref=${await site.ref()}`);
    const id = await site.ready(page);
    assert.deepEqual(await stored(page), ['acme.landings', 'acme.oid']);
    await page.goto(`${site.shopUrl}/cart`);
    assert.equal(await site.ready(page), id);
    await page.clock.install({ time: Date.now() + 8 * 86_400_000 });
    await page.goto(`${site.shopUrl}/cart`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.id()'), undefined);
    site.page = { body: site.tag('data-storage="local" data-days="0" data-prefix="tab."') };
    await page.goto(`${site.shopUrl}/?ref=${await site.ref()}`);
    await site.ready(page);
    assert.match(String(await page.evaluate('sessionStorage["tab.oid"]')), /^\d+$/);
    assert.deepEqual(await context.cookies(), []);
    await opened.close();
  });

  it('is kept only in memory with data-storage="memory"', async () => {
    const opened = await site.open();
    const { page } = opened;
    const ref = await site.ref();
    site.page = { body: site.tag('data-storage="memory"') };
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    const id = await site.ready(page);
    await page.evaluate(`history.pushState(null, '', '/cart')`);
    assert.equal(await page.evaluate('whence.id()'), id);
    assert.deepEqual(await stored(page), []);
    await page.goto(`${site.shopUrl}/cart`);
    await waitForSnippet(page);
    assert.equal(await page.evaluate('whence.id()'), undefined);
    await opened.close();
  });

  it('is replaced on the next visit after forget()', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page } = opened;
    site.page = { body: site.tag() };
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    const first = await site.ready(page);
    await page.evaluate('whence.forget()');
    assert.deepEqual(await stored(page), []);
    await page.evaluate(`history.pushState(null, '', '/mugs?ref=${ref}')`);
    assert.equal(await page.evaluate('whence.ready'), undefined);
    await page.goto(`${site.shopUrl}/?ref=${ref}`);
    const second = await site.ready(page);
    assert.notEqual(second, first);
    assert.deepEqual(await site.visits(ref), { [first]: 1, [second]: 1 });
    await opened.close();
  });
});

/** Returns the sorted names of the browser's cookies, and of the page's items in local and session storage. */
async function stored(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies();
  const names = (await page.evaluate('[...Object.keys(localStorage), ...Object.keys(sessionStorage)]')) as string[];
  return [...cookies.map(({ name }) => name), ...names].sort();
}

function saying(signal: string, value: unknown): string {
  return `Object.defineProperty(navigator, '${signal}', { value: ${JSON.stringify(value)} });`;
}

async function relayed(url: string, method: string, headers: Record<string, string>, body: string | null) {
  const answer = await fetch(url, { method, headers, ...(body === null ? {} : { body }) });
  const { 'content-encoding': _, 'content-length': __, ...sent } = Object.fromEntries(answer.headers);
  return { status: answer.status, headers: sent, body: await answer.text() };
}
