import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Download, Page } from 'playwright-core';
import { audit, openPages, type Pages, PHONE, waitForRows } from '../../support/pages.ts';
import { openTill } from '../../support/payouts.ts';
import { type Collaborator, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop } from '../../support/shop.ts';

describe('links, earnings and payouts in the portal', () => {
  let pages: Pages;
  let ada: Collaborator;
  let cy: Collaborator;
  let dee: Collaborator;
  let cyId: number;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    const shop = openShop(service);
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', { name: 'Ada’s Mugs', accent: '#f5c518' });
    const steps = [{ from: 10, reward: { type: 'percent', percent: 15 } }];
    await shop.program({ name: 'Friends', tiers: { period: 'lifetime', by: 'count', steps } });
    const coupon = { type: 'coupon', code: 'ADA10' };
    await shop.collaborator('ada', {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      aliases: [{ type: 'tracking', code: 'ada' }, coupon],
    });
    await shop.collaborator('bob', { name: 'Bob Kahn', email: 'bob@example.com' });
    cyId = await shop.collaborator('cy', { name: 'Cy Twist', email: 'cy@example.com' });
    ada = await portal.enter('ada@example.com');
    cy = await portal.enter('cy@example.com');
    await ada.must('POST', '/v1/portal/links', { subId: 'blog' });

    const visitor = await shop.visit('ada.blog');
    await shop.visit('ada');
    await shop.sell('paid', visitor, { total: 100 });
    await shop.sell('returned', visitor, { total: 50 });
    await shop.sell('test', visitor, { total: 20 });
    await shop.sell('fresh', visitor, { total: 70, currency: 'EUR' });
    await shop.sell('of-bob', await shop.visit('bob'), { total: 7_777 });
    await service.settled();
    await shop.refund('returned');
    const key = service.secretKey;
    const [test] = await shop.earned('test');
    await service.request('POST', `/v1/conversions/${test?.id}/reject`, { key, body: { reason: 'Order was a test' } });
    const [paid] = await shop.earned('paid');
    await service.request('POST', `/v1/conversions/${paid?.id}/approve`, { key });
    await service.settled();
    const till = openTill(service);
    const [payout] = await till.payoutsOf(await till.runOne());
    await till.mark(payout?.id ?? 0, 'paid');

    await shop.collaborator('dee', { name: 'Dee Dale', email: 'dee@example.com' });
    dee = await portal.enter('dee@example.com');
    const buyer = await shop.visit('dee');
    for (const total of [100, 200, 300, 400, 500]) {
      await shop.sell(`dee-${total}`, buyer, { total });
      const [earned] = await shop.earned(`dee-${total}`);
      await service.request('POST', `/v1/conversions/${earned?.id}/approve`, { key });
    }
    // A rejection changes the balance only if the commission was approved.
    for (const [total, isApproved] of [
      [600, true],
      [700, false],
    ] as const) {
      await shop.sell(`dee-${total}`, buyer, { total });
      const [earned] = await shop.earned(`dee-${total}`);
      const path = `/v1/conversions/${earned?.id}`;
      if (isApproved) await service.request('POST', `${path}/approve`, { key });
      await service.request('POST', `${path}/reject`, { key, body: { reason: 'Order was a test' } });
    }
    await service.settled();
  });
  after(() => pages.close());

  it('a link is shared with the device’s dialog, and a browser without such a dialog shows no Share button', async () => {
    const open = await pages.openPortal('/mugs', ada.cookie);
    const { page } = open;
    await page.getByText('https://mugs.example/?ref=ada', { exact: true }).waitFor();
    assert.equal(await page.evaluate('typeof navigator.share'), 'undefined');
    assert.equal(await page.getByRole('button', { name: 'Share' }).count(), 0);
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
    await page.addInitScript(`
      globalThis.shared = [];
      navigator.share = (content) => {
        shared.push(content);
        // The user closes the second dialog.
        return shared.length === 2 ? Promise.reject(new DOMException('Closed', 'AbortError')) : Promise.resolve();
      };
    `);
    await page.reload();
    const share = page.getByRole('button', { name: 'Share' }).first();
    await share.click();
    await share.click();
    await audit(open);
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click();
    const url = 'https://mugs.example/?ref=ada';
    assert.deepEqual(await page.evaluate('shared'), [{ url }, { url }, { url }]);
    await audit(open);
    await open.close();
  });

  it('the portal shows a collaborator’s link, balance and earnings on the overview', async () => {
    const open = await pages.openPortal('/mugs', ada.cookie);
    const { page } = open;
    await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor();
    await page.getByText('https://mugs.example/?ref=ada', { exact: true }).waitFor();
    await page.getByText('Rejected, with this reason: “Order was a test”.').waitFor();
    await page.getByText('1 of 10 commissions in total').waitFor();
    await page.getByRole('application', { name: /^Earned by day/ }).waitFor();
    await page.getByRole('link', { name: /^Clicks 2/ }).waitFor();
    await audit(open);

    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByRole('button', { name: 'EUR' }).click();
    await page.getByRole('link', { name: /^Earned €7\.00/ }).waitFor();
    await page.getByRole('button', { name: 'Clicks' }).click();
    // The chart names the days of both periods, and marks today as incomplete.
    await page.getByRole('application', { name: /^Clicks by day/ }).focus();
    await page.keyboard.press('End');
    const spoken = page.getByRole('status').filter({ hasText: /^\w+ \d+ \(so far\): Clicks 2, \w+ \d+ 0$/ });
    await spoken.waitFor({ state: 'attached' });
    assert.equal(new URL(page.url()).search, '?currency=EUR&measure=visits', 'the URL keeps the view');
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.getByRole('dialog').getByRole('img', { name: 'QR code of https://mugs.example/?ref=ada' }).waitFor();
    await audit(open);
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as SVG' }).click();
    assert.match(await contentOf(file), /^<svg /);
    assert.doesNotMatch(
      await page.locator('body').innerText(),
      /bob|777/i,
      'the page shows no data of another partner',
    );
    await open.close();
  });

  it('the portal creates partner links, shows the results of each link, and retires a link', async () => {
    const open = await pages.openPortal('/mugs/links', ada.cookie);
    const { page } = open;
    await waitForRows(page, 3);
    assert.deepEqual(await cells(page), [
      ['ada', '1', '0', '–'],
      ['ADA10', '–', '0', '–'],
      ['blog', '1', '4', '€7.00 US$10.00'],
    ]);
    await audit(open);
    await page.getByLabel('Name of the link').fill('spring news');
    await page.getByRole('button', { name: 'Create link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share “ada.spring-news”' });
    await dialog.getByText('https://mugs.example/?ref=ada.spring-news').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await waitForRows(page, 4);
    await page.getByLabel('Name of the link').fill('é');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByLabel('Name of the link').and(page.locator('[aria-invalid=true]')).waitFor();
    await audit(open);

    await page.getByLabel('Page').fill('https://elsewhere.example/blue');
    await page.getByLabel('Name of the link').fill('Blue');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('This must be a page of https://mugs.example.').waitFor();
    await audit(open);
    await page.getByLabel('Name of the link').fill('');
    await page.getByLabel('Page').fill('https://mugs.example/mugs/blue?size=2');
    await page.getByRole('button', { name: 'Retire ada.spring-news' }).click();
    await page.getByRole('alertdialog').getByText('It stops working everywhere you shared it.').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Retire link' }).click();
    await waitForRows(page, 3);
    await page
      .getByRole('button', { name: 'Sort by Clicks' })
      .or(page.getByRole('button', { name: 'Clicks' }))
      .click();
    await page.waitForURL('**/links?sort=-visits');
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    assert.match(await contentOf(file), /^\uFEFFcode,url,.*\r\n[^]*,7\.00,EUR\r\n/);
    await page.getByLabel('Find a link').fill('blog');
    await page.keyboard.press('Enter');
    await waitForRows(page, 1);
    await page.getByRole('cell', { name: 'blog', exact: true }).click();
    await page.getByRole('dialog', { name: 'Share “ada.blog”' }).waitFor();
    await open.close();
  });

  it('the portal shows the status of each conversion and the reason for the status', async () => {
    const open = await pages.openPortal('/mugs/conversions', ada.cookie);
    const { page } = open;
    await waitForRows(page, 4);
    for (const words of [
      'The order was refunded, so nothing is owed for it.',
      'Rejected, with this reason: “Order was a test”.',
      'Waiting for approval.',
      /^Paid on /,
    ]) {
      await page.getByText(words).waitFor();
    }
    await audit(open);
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('button', { name: 'Not paid' }).click();
    await page.waitForURL('**/conversions?status=rejected');
    await waitForRows(page, 2);
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const csv = await contentOf(file);
    assert.equal(csv.trim().split('\n').length, 3, 'the file contains only the filtered rows');
    assert.doesNotMatch(csv, /777/);
    assert.match(csv, /,Friends,rejected,5\.00,USD,/, 'amounts are in major units');
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await waitForRows(page, 4);
    await page.goto(`${page.url()}?status=approved&currency=EUR`);
    await page.getByText('Nothing matches these filters').waitFor();
    await audit(open);
    await open.close();
  });

  it('the portal shows a collaborator’s link while nothing has been earned', async () => {
    const open = await pages.openPortal('/mugs/conversions', cy.cookie);
    for (const name of ['Earnings', 'Payouts']) {
      await open.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
      await open.page.getByRole('heading', { name }).waitFor();
      await open.page.getByText('https://mugs.example/?ref=cy', { exact: true }).waitFor();
      await audit(open);
    }
    const key = pages.service.secretKey;
    const body = { type: 'tracking', code: 'moved' };
    await pages.service.request('POST', `/v1/collaborators/${cyId}/aliases`, { key, body });
    await open.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }).click();
    await open.page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    await open.page.reload();
    await waitForRows(open.page, 2);
    await open.page.getByText('Main link', { exact: true }).waitFor();
    await open.close();
  });

  it('the portal shows the balance, the payouts and the statement', async () => {
    const open = await pages.openPortal('/mugs/payouts', ada.cookie);
    const { page } = open;
    await page.getByText('Set your payout method').waitFor();
    await page.getByRole('heading', { name: 'Balance in USD' }).waitFor();
    await waitForRows(page, 1);
    const statement = page.getByRole('group', { name: 'Statement, USD' });
    await statement.getByText('Paid (1)').waitFor();
    await statement.getByRole('button', { name: 'Show all 2 changes' }).click();
    await statement.getByRole('row', { name: /Paid payout \d+ −US\$10\.00/ }).waitFor();
    await audit(open);
    // A cell shows the day and the payout. The title of each time element is the exact time.
    await page.getByRole('cell', { name: /^[A-Z][a-z]+ \d+ payout \d+$/ }).waitFor();
    const exact = await statement.locator('time').first().getAttribute('title');
    assert.match(exact ?? '', /^[A-Z][a-z]+, .* at \d+:\d\d:\d\d/);
    await statement.getByRole('link', { name: 'See the commission' }).first().click();
    await page.waitForURL(/\/conversions\?ids=\d+$/);
    await waitForRows(page, 1);
    await page.getByText(/^Paid on /).waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Remove the filter Number' }).click();
    await waitForRows(page, 4);
    await page.goBack();
    await page.goBack();
    await page.getByRole('table', { name: 'Your payouts' }).getByRole('link').click();
    await page.getByRole('button', { name: /^Payout/ }).waitFor();
    await page.getByRole('cell', { name: 'US$10.00' }).waitFor();
    await page.goBack();
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    assert.match(await contentOf(file), /pay,USD,10\.00,-10\.00,0\.00/);
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByRole('button', { name: 'Last month' }).click();
    await page.getByText('Nothing changed your balance in this period.').waitFor();
    await page.getByRole('link', { name: 'Add payout details' }).click();
    await page.waitForURL('**/portal/mugs/settings');
    await open.close();
  });

  it('on a phone, the statement shows every change without the balance, and the sums count only these changes', async () => {
    const open = await pages.openPortal('/mugs/payouts', dee.cookie, { viewport: PHONE });
    const statement = open.page.getByRole('group', { name: 'Statement, USD' });
    await statement.getByRole('button', { name: 'Show all 7 changes' }).click();
    await statement.getByRole('row').nth(7).waitFor();
    // Hidden rows and cells have no innerText.
    const lines = (await statement.getByRole('table').innerText()).split('\n');
    const amounts = lines.flatMap((line) => /([+−])US\$(\d+)\.00/.exec(line)?.slice(1).join('') ?? []);
    assert.deepEqual(amounts, ['−60', '+60', '+50', '+40', '+30', '+20', '+10']);
    await statement.getByText('Approved (6)').waitFor();
    await statement.getByText('+US$210.00').waitFor();
    await statement.getByText('Canceled (1)').waitFor();
    await audit(open);
    await open.close();
  });
});

/** Returns the name and the three figures of each row. */
async function cells(page: Page): Promise<string[][]> {
  const read = await page
    .locator('tbody tr')
    .evaluateAll((lines) =>
      (lines as unknown as { cells: { innerText: string }[] }[]).map((line) =>
        [...line.cells].map(({ innerText }) => innerText),
      ),
    );
  return read.map(([name = '', , ...figures]) => [
    name.split('\n')[0] ?? '',
    ...figures.slice(0, 3).map((text) => text.trim().replaceAll('\n', ' ')),
  ]);
}

async function contentOf(file: Promise<Download>): Promise<string> {
  return readFile(await (await file).path(), 'utf8');
}
