import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { countReports, type ShopSite, startShopSite, waitForSnippet } from '../../support/shop-site.ts';

/** The user agent of a normal browser. The service doesn't count the visits of headless browsers. */
const PERSON = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

describe('a page that a short link opens', () => {
  let site: ShopSite;
  let goUrl: string;
  before(async () => {
    site = await startShopSite({ CUSTOM_DOMAINS: 'go.shop.test' });
    goUrl = site.whenceUrl.replace('whence.test', 'go.shop.test');
    const body = { landingUrl: `${site.shopUrl}/mugs`, linkDomain: 'go.shop.test' };
    const set = await site.service.request('PATCH', '/v1/portal-settings', { key: site.service.secretKey, body });
    assert.equal(set.status, 200);
  });
  after(() => site.stop());

  it('uses the tracking id in the page’s address, and doesn’t report the visit again', async () => {
    const ref = await site.ref();
    site.page = { body: site.tag() };
    const opened = await site.open(PERSON);
    await opened.page.goto(`${goUrl}/${ref}?utm_source=mail`);
    const id = await site.ready(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    assert.equal(opened.page.url(), `${site.shopUrl}/mugs?utm_source=mail&ref=${ref}`);
    await opened.page.reload();
    await waitForSnippet(opened.page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });

  it('continues the opportunity of a visitor whom another collaborator has referred', async () => {
    const [first, second] = [await site.ref(), await site.ref()];
    site.page = { body: site.tag() };
    const opened = await site.open(PERSON);
    await opened.page.goto(`${site.shopUrl}/?ref=${first}`);
    const id = await site.ready(opened.page);
    await opened.page.goto(`${goUrl}/${second}`);
    await opened.page.waitForURL(`${site.shopUrl}/mugs?ref=${second}`);
    assert.equal(await site.ready(opened.page), id);
    assert.equal((await site.visits(second))[id], 1);
    await opened.close();
  });

  it('reports nothing for a visitor who refuses tracking', async () => {
    const ref = await site.ref();
    site.page = { body: site.tag('data-consent="required"') };
    const opened = await site.open({ ...PERSON, extraHTTPHeaders: { 'sec-gpc': '1' } });
    await opened.page.goto(`${goUrl}/${ref}`);
    await waitForSnippet(opened.page);
    assert.equal(opened.page.url(), `${site.shopUrl}/mugs?ref=${ref}`);
    assert.deepEqual(await site.visits(ref), {});
    await opened.close();
  });
});

describe('a page on a second domain', () => {
  let site: ShopSite;
  let dealsUrl: string;
  before(async () => {
    site = await startShopSite();
    dealsUrl = site.shopUrl.replace('shop.test', 'deals.test');
  });
  after(() => site.stop());

  /** Opens the shop through a partner link. Returns the page and the visitor's tracking id. */
  async function visitShop() {
    site.page = { body: `${site.tag()}<a id="deals" href="${dealsUrl}/mugs" data-whence>Deals</a>` };
    const opened = await site.open();
    await opened.page.goto(`${site.shopUrl}/?ref=${await site.ref()}`);
    return { opened, page: opened.page, id: await site.ready(opened.page) };
  }

  async function idOf(page: Page): Promise<unknown> {
    await waitForSnippet(page);
    return page.evaluate('whence.id()');
  }

  it('adopts the tracking id in the address of a followed link, and stores it', async () => {
    const { opened, page, id } = await visitShop();
    site.page = { body: site.tag('data-adopt') };
    await page.click('#deals');
    await page.waitForURL(`${dealsUrl}/mugs?trackingId=${id}`);
    assert.equal(await idOf(page), id);
    await page.goto(`${dealsUrl}/cart`);
    assert.equal(await idOf(page), id);
    assert.equal(countReports(opened), 1, 'only the visit in the shop is reported');
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  it('adopts no tracking id without data-adopt', async () => {
    const { opened, page, id } = await visitShop();
    site.page = { body: site.tag() };
    await page.goto(`${dealsUrl}/?trackingId=${id}`);
    assert.equal(await idOf(page), undefined);
    await opened.close();
  });

  it('reports a visit under the adopted tracking id if the same address has a referral code', async () => {
    const { opened, page, id } = await visitShop();
    const ref = await site.ref();
    site.page = { body: site.tag('data-adopt') };
    await page.goto(`${dealsUrl}/?trackingId=${id}&ref=${ref}`);
    assert.equal(await site.ready(page), id);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });

  it('keeps its own tracking id, and ignores values that are not 1 to 16 digits', async () => {
    const opened = await site.open();
    const { page } = opened;
    site.page = { body: site.tag('data-adopt') };
    for (const no of ['abc', '-1', '1e9', '12345678901234567', '%00', '']) {
      await page.goto(`${dealsUrl}/?trackingId=${no}`);
      assert.equal(await idOf(page), undefined, no);
    }
    await page.goto(`${dealsUrl}/?trackingId=11`);
    await page.goto(`${dealsUrl}/?trackingId=22`);
    assert.equal(await idOf(page), '11');
    await opened.close();
  });

  it('forget() deletes an adopted tracking id, and a reload does not adopt it again', async () => {
    const opened = await site.open();
    const { page } = opened;
    site.page = { body: site.tag('data-adopt') };
    await page.goto(`${dealsUrl}/?trackingId=11`);
    await waitForSnippet(page);
    await page.evaluate('whence.forget()');
    await page.reload();
    assert.equal(await idOf(page), undefined);
    await opened.close();
  });

  it('adopts a tracking id only after required consent, and not after consent is withdrawn', async () => {
    const opened = await site.open();
    const { page } = opened;
    site.page = { body: site.tag('data-adopt data-consent="required"') };
    await page.goto(`${dealsUrl}/?trackingId=11`);
    assert.equal(await idOf(page), undefined);
    assert.equal(await page.evaluate('document.cookie'), '');
    await page.evaluate('whence.grant()');
    assert.equal(await idOf(page), '11');
    await page.evaluate('whence.withdraw()');
    await page.goto(`${dealsUrl}/?trackingId=22`);
    assert.equal(await idOf(page), undefined);
    await opened.close();
  });
});
