import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { loaded, reports, type ShopSite, startShopSite } from '../../support/shop-site.ts';

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
    await loaded(page);
    return page.evaluate('whence.id()');
  }

  it('a second domain adopts the tracking id in the address of a followed link, and stores it', async () => {
    const { opened, page, id } = await visitShop();
    site.page = { body: site.tag('data-adopt') };
    await page.click('#deals');
    await page.waitForURL(`${dealsUrl}/mugs?trackingId=${id}`);
    assert.equal(await idOf(page), id);
    await page.goto(`${dealsUrl}/cart`);
    assert.equal(await idOf(page), id);
    assert.equal(reports(opened), 1, 'only the visit in the shop is reported');
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  it('a second domain adopts no tracking id without data-adopt', async () => {
    const { opened, page, id } = await visitShop();
    site.page = { body: site.tag() };
    await page.goto(`${dealsUrl}/?trackingId=${id}`);
    assert.equal(await idOf(page), undefined);
    await opened.close();
  });

  it('a second domain reports a visit under the adopted tracking id if the same address has a referral code', async () => {
    const { opened, page, id } = await visitShop();
    const ref = await site.ref();
    site.page = { body: site.tag('data-adopt') };
    await page.goto(`${dealsUrl}/?trackingId=${id}&ref=${ref}`);
    assert.equal(await site.ready(page), id);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    await opened.close();
  });

  it('a second domain keeps its own tracking id, and ignores values that are not 1 to 16 digits', async () => {
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
    await loaded(page);
    await page.evaluate('whence.forget()');
    await page.reload();
    assert.equal(await idOf(page), undefined);
    await opened.close();
  });

  it('adoption waits for required consent, and does not happen after consent is withdrawn', async () => {
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
