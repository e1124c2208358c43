import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Whence } from '@whence/sdk';
import { launchBrowser, type OpenPage, screenshot, type TestBrowser } from '#test/support/browser.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { verify } from '#store/verify.ts';
import { Orders } from '../../examples/storefront/orders.ts';
import { createShop } from '../../examples/storefront/shop.ts';

describe('the storefront', () => {
  let service: TestService;
  let whence: Whence;
  let orders: Orders;
  let shop: Server;
  let browser: TestBrowser;
  let shopUrl: string;

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
    orders = new Orders(whence);
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

  it('pays who sent the buyer, and takes it back with the refund', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await buy(page, '?ref=ada');
    await service.settled();
    const [conversion] = (await whence.conversions.list()).data;
    assert.equal(conversion?.status, 'approved');
    assert.equal(conversion.amount, 149);
    await page.reload();
    assert.match(await page.textContent('pre').then(String), /Ada/);
    await screenshot(page, 'storefront-order');

    await page.click('text=Refund');
    await service.settled();
    assert.equal((await whence.conversions.get(conversion.id)).status, 'rejected');
    await page.reload();
    assert.equal(await page.textContent('.state'), 'Refunded');
    await close(opened);
  });

  it('reports nothing of a buyer whom nobody sent', async () => {
    const before = (await whence.transactions.list()).estimatedCount;
    const opened = await browser.open();
    await buy(opened.page, '');
    assert.match(String(await opened.page.textContent('pre')), /Nobody/);
    assert.equal((await whence.transactions.list()).estimatedCount, before);
    await close(opened);
  });

  it('fits a phone, in the dark as well', async () => {
    const opened = await browser.open({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
    const { page } = opened;
    for (const path of ['/', '/products/mug', '/cart', '/orders', '/nothing']) {
      await page.goto(shopUrl + path);
      const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      assert.equal(wide, false, `${path} is no wider than the phone`);
      await screenshot(page, `storefront${path.replaceAll('/', '-')}-phone`);
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

  /** The console stayed free of errors, and nobody else was asked for anything. */
  async function close(opened: OpenPage): Promise<void> {
    assert.deepEqual(opened.faults, []);
    await opened.close();
  }
});
