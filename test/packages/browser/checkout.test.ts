import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { OpenPage } from '../../support/browser.ts';
import { type ShopSite, startShopSite } from '../../support/shop-site.ts';

const CHECKOUT = 'https://checkout.test/pay';

describe('links and forms to the checkout', () => {
  let site: ShopSite;
  let opened: OpenPage;
  let page: Page;
  let id: string;
  before(async () => {
    site = await startShopSite();
    opened = await site.open();
    page = opened.page;
    // The shop and the service use http. Requests with https are to other sites, so answer them with an empty page.
    await opened.context.route(/^https:/, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    site.page = { body: site.tag() };
    await page.goto(`${site.shopUrl}/?ref=${await site.ref()}`);
    id = await site.ready(page);
  });
  after(async () => {
    assert.deepEqual(opened.faults, []);
    await opened.close();
    await site.stop();
  });

  /** Opens a shop page with the given body, without a referral code. The browser already has a tracking id. */
  async function show(body: string, attributes = ''): Promise<void> {
    site.page = { body: site.tag(attributes) + body };
    await page.goto(site.shopUrl);
    await site.ready(page);
  }

  /** Resolves once any tab requests the URL. Playwright may emit its event for a new tab only after the request. */
  async function inNewTab(url: string): Promise<void> {
    await opened.context.waitForEvent('request', (request) => request.url() === url);
  }

  it('a link marked with data-whence contains the tracking id during a click, and is restored afterwards', async () => {
    await show(`<a id="pay" href="${CHECKOUT}?cart=7#top" data-whence target="_blank"><b>Pay</b></a>`);
    const asked = inNewTab(`${CHECKOUT}?cart=7&trackingId=${id}`);
    await page.click('#pay b');
    await asked;
    await page.waitForFunction(`pay.getAttribute('href') === '${CHECKOUT}?cart=7#top'`);
  });

  it('a link with data-whence that the page adds later contains the tracking id, even if opened with the keyboard or in a new tab', async () => {
    await show('');
    await page.evaluate(`document.body.innerHTML = '<a id="pay" href="/pay" data-whence>Pay</a>'`);
    const asked = inNewTab(`${site.shopUrl}/pay?trackingId=${id}`);
    await page.click('#pay', { button: 'middle' });
    await asked;
    await page.focus('#pay');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.shopUrl}/pay?trackingId=${id}`);
  });

  it('only links that match data-links contain the tracking id, in the parameter named in data-link-param', async () => {
    const links = `<a id="other" href="https://other.test/">Other</a><a id="pay" href="${CHECKOUT}?oid=1">Pay</a>`;
    const attributes = `data-links='a[href^="https://checkout.test/"]' data-link-param="oid"`;
    await show(links, attributes);
    await page.click('#pay');
    await page.waitForURL(`${CHECKOUT}?oid=${id}`);
    await show(links, attributes);
    await page.click('#other');
    await page.waitForURL('https://other.test/');
  });

  it('the page’s own listeners see the link with the tracking id, and can cancel the click', async () => {
    await show(`<a id="pay" href="${CHECKOUT}" data-whence>Pay</a>
      <script>pay.onclick = () => { window.seen = pay.href; return false; };</script>`);
    await page.click('#pay');
    assert.equal(await page.evaluate('seen'), `${CHECKOUT}?trackingId=${id}`);
    assert.equal(page.url(), `${site.shopUrl}/`);
  });

  it('a javascript: link marked with data-whence still runs its script', async () => {
    await show('<a id="pay" href="javascript:void(document.title = \'Paid\')" data-whence>Pay</a>');
    await page.click('#pay');
    await page.waitForFunction(`document.title === 'Paid'`);
  });

  it('with data-stripe, the tracking id is added to Stripe payment links that have no client_reference_id', async () => {
    const link = (url: string): string => `<a id="pay" href="${url}">Pay</a>`;
    await show(link('https://buy.stripe.com/test_1?prefilled=x'), 'data-stripe');
    await page.click('#pay');
    await page.waitForURL(`https://buy.stripe.com/test_1?prefilled=x&client_reference_id=${id}`);
    for (const [url, attributes] of [
      ['https://buy.stripe.com/test_1?client_reference_id=cart-7', 'data-stripe'],
      ['https://buy.stripe.com/test_2', ''],
      ['https://buy.stripe.com/test_3', 'data-stripe="false"'],
      ['https://dashboard.stripe.com/test_4', 'data-stripe'],
    ] as const) {
      await show(link(url), attributes);
      await page.click('#pay');
      await page.waitForURL(url);
    }
  });

  it('form fields marked with data-whence are filled with the tracking id, including fields added later', async () => {
    await show('<form action="/pay"><input type="hidden" name="trackingId" data-whence><button>Pay</button></form>');
    assert.equal(await page.inputValue('input'), id);
    await page.evaluate(`document.forms[0].innerHTML = '<input type="hidden" name="number" data-whence><button>Pay'`);
    await page.click('button');
    await page.waitForURL(`${site.shopUrl}/pay?number=${id}`);
  });

  it('form fields that match data-fields are filled with the tracking id, and forget() clears these fields', async () => {
    await show(
      '<input name="oid"><input name="other" value="7"><script>document.body.append(document.createElement("p"))</script>',
      `data-fields='[name="oid"]'`,
    );
    assert.deepEqual([await page.inputValue('[name=oid]'), await page.inputValue('[name=other]')], [id, '7']);
    await page.evaluate(`document.querySelector('p').innerHTML = '<input name="oid" id="late" value="mine">'`);
    const kept = await opened.context.cookies();
    await page.evaluate('whence.forget()');
    assert.deepEqual([await page.inputValue('[name=oid]'), await page.inputValue('#late')], ['', 'mine']);
    await opened.context.addCookies(kept);
  });

  it('decorate() adds the tracking id to http and https links, and returns other links unchanged', async () => {
    await show('', 'data-stripe');
    const decorated = async (link: string): Promise<unknown> => page.evaluate(`whence.decorate('${link}')`);
    assert.equal(await decorated(`${CHECKOUT}?trackingId=1#top`), `${CHECKOUT}?trackingId=${id}#top`);
    assert.equal(await decorated('/pay'), `${site.shopUrl}/pay?trackingId=${id}`);
    assert.equal(await decorated('https://book.stripe.com/1'), `https://book.stripe.com/1?client_reference_id=${id}`);
    for (const other of ['https://[', 'mailto:shop@shop.test', 'tel:+4930', 'javascript:pay()']) {
      assert.equal(await decorated(other), other);
    }
    await show(`<base href="${CHECKOUT}/">`);
    assert.equal(await decorated('cart'), `${CHECKOUT}/cart?trackingId=${id}`);
    const kept = await opened.context.cookies();
    await page.evaluate('whence.forget()');
    assert.equal(await decorated(CHECKOUT), CHECKOUT);
    await opened.context.addCookies(kept);
  });
});
