import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Whence } from '@whence/sdk';
import { launchBrowser, type OpenPage, saveScreenshot, type TestBrowser } from '../../support/browser.ts';
import { startService, type TestService } from '../../support/service.ts';
import { verify } from '#verify/verify.ts';
import { Orders } from '../../../examples/storefront/orders.ts';
import { createShop } from '../../../examples/storefront/shop.ts';

describe('the example storefront', () => {
  let service: TestService;
  let whence: Whence;
  let orders: Orders;
  let shop: Server;
  let browser: TestBrowser;
  let shopUrl: string;
  let isDown = false;
  let calls = 0;

  before(async () => {
    service = await startService();
    browser = await launchBrowser();
    whence = new Whence({ baseUrl: service.url, apiKey: service.secretKey });
    await whence.programs.create({
      name: 'Friends of the shop',
      reward: { type: 'percent', percent: 10 },
      autoApprove: true,
    });
    await whence.collaborators.create({ name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
    const ofShop = new Whence({
      baseUrl: service.url,
      apiKey: service.secretKey,
      maxRetries: 0,
      fetch: async (url, init) => {
        calls += 1;
        if (isDown) throw new TypeError('fetch failed');
        return fetch(url, init);
      },
    });
    orders = new Orders(ofShop);
    const whenceUrl = service.url.replace('127.0.0.1', 'whence.test');
    shop = createShop({ orders, snippet: { whenceUrl, publishableKey: service.publishableKey } });
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    shopUrl = `http://shop.test:${(shop.address() as AddressInfo).port}`;
  });

  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await browser.close();
    shop.close();
    shop.closeAllConnections();
    await service.stop();
  });

  it('reports a sale that earns the referring collaborator a commission, and a refund that reverses it', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await buy(page, '?ref=ada');
    await orders.reportToWhence();
    await service.settled();
    const [conversion] = (await whence.conversions.list()).data;
    assert.equal(conversion?.status, 'approved');
    assert.equal(conversion.amount, 149);
    await page.reload();
    assert.match(await page.textContent('pre').then(String), /Ada/);
    await saveScreenshot(page, 'storefront-order');

    await page.click('text=Refund');
    await page.waitForSelector('.state:text("Refunded")');
    await orders.reportToWhence();
    await service.settled();
    assert.equal((await whence.conversions.get(conversion.id)).status, 'rejected');
    await page.reload();
    assert.match(await page.textContent('pre').then(String), /refund/i);
    await close(opened);
  });

  it('sells while Whence is down, and reports the order later', async (test) => {
    const before = (await whence.conversions.list()).estimatedCount;
    const opened = await browser.open();
    const { page, context } = opened;
    await page.goto(`${shopUrl}/?ref=ada`);
    await page.waitForFunction('whence.ready.then((id) => id !== undefined)');

    isDown = true;
    test.after(() => (isDown = false));
    const said = test.mock.method(console, 'error', () => {});
    await context.route('**/whence.js', (route) => route.abort('connectionrefused'));
    const asked = calls;
    await buy(page, '');
    assert.equal(await page.textContent('.state'), 'Paid');
    assert.match(await page.textContent('pre').then(String), /not been reported to Whence yet/);
    assert.equal(calls, asked, 'neither the checkout nor its page waits for Whence');
    assert.deepEqual(opened.scriptFaults(), []);
    await opened.close();

    await orders.reportToWhence();
    assert.match(String(said.mock.calls[0]?.arguments[0]), /^Order \d+ will be reported later: /);
    isDown = false;
    await orders.reportToWhence();
    await service.settled();
    const [latest] = await whence.conversions.list().toArray({ limit: 1 });
    assert.equal((await whence.conversions.list()).estimatedCount, before + 1);
    assert.equal(latest?.status, 'approved');
  });

  it('keeps an order whose tracking id Whence rejects, and does not report the order again', async (test) => {
    test.mock.method(console, 'error', () => {});
    const opened = await browser.open();
    await opened.context.addCookies([{ name: 'whence_oid', value: '123', url: shopUrl }]);
    await buy(opened.page, '');
    await orders.reportToWhence();
    assert.equal(await opened.page.textContent('.state'), 'Paid');
    const asked = calls;
    await orders.reportToWhence();
    assert.equal(calls, asked);
    await close(opened);
  });

  it('reports the order of a buyer without a referral, which earns no commission', async () => {
    const opened = await browser.open();
    await buy(opened.page, '');
    await orders.reportToWhence();
    await service.settled();
    const [newest] = await whence.transactions.list().toArray({ limit: 1 });
    assert.equal(newest?.opportunityId, null);
    await opened.page.reload();
    assert.match(String(await opened.page.textContent('pre')), /no touch of a collaborator/);
    await close(opened);
  });

  it('fits a phone in the dark color scheme', async () => {
    const opened = await browser.open({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
    const { page } = opened;
    for (const path of ['/', '/products/mug', '/cart', '/orders', '/nothing']) {
      await page.goto(shopUrl + path);
      const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      assert.equal(wide, false, `${path} is no wider than the phone`);
      await saveScreenshot(page, `storefront${path.replaceAll('/', '-')}-phone`);
    }
    await opened.close();
  });

  async function buy(page: Page, query: string): Promise<void> {
    await page.goto(`${shopUrl}/${query}`);
    if (query !== '') await page.waitForFunction('document.cookie.includes("whence")');
    await page.click('text=Enamel mug');
    await page.click('text=Add to cart');
    await page.click('text=Pay');
    await page.waitForSelector('.state');
  }

  /** Checks that the page caused no errors, and closes it. */
  async function close(opened: OpenPage): Promise<void> {
    assert.deepEqual(opened.faults, []);
    await opened.close();
  }
});
