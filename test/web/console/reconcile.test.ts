import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { hoursAgo, listOf } from '#test/connectors/lists.ts';
import { recordedOrder, signatureOf, WOOCOMMERCE_SECRET } from '#test/connectors/woocommerce-orders.ts';
import { audit, card, chooseDeletedFile, openPages, type Pages, type Somebody } from '#test/support/pages.ts';
import { openShop } from '#test/support/shop.ts';

describe('the comparison on a connector’s page', () => {
  let pages: Pages;
  let olga: Somebody;
  let path: string;
  before(async () => {
    pages = await openPages();
    olga = await pages.person('owner', 'Olga Owner');
    const { service } = pages;
    await openShop(service).program({ name: 'Friends' });
    const body = { kind: 'woocommerce', name: 'Mug shop', secret: WOOCOMMERCE_SECRET };
    const created = await service.request('POST', '/v1/connectors', { key: service.secretKey, body });
    path = `/connectors/${(created.body as { id: number }).id}`;
    for (const [id, hours] of [
      [1, 100],
      [2, 99],
      [3, 98],
    ] as const) {
      const time = hoursAgo(hours).toISOString().slice(0, 19);
      const order = JSON.stringify(
        recordedOrder('727-processing', { id, date_paid_gmt: time, date_modified_gmt: time }),
      );
      const headers = { 'content-type': 'application/json', 'x-wc-webhook-signature': signatureOf(order) };
      const reply = await service.request('POST', `/v1${path}/webhook`, { body: order, headers });
      assert.equal(reply.status, 200, reply.text);
    }
    await service.settled();
  });
  after(() => pages.close());

  const rowOf = (id: number, hours: number, cells: Readonly<Record<string, string>> = {}) => ({
    order_id: String(id),
    order_number: `M-${id}`,
    order_date: hoursAgo(hours).toISOString().slice(0, 19),
    paid_date: `${hoursAgo(hours).toISOString().slice(0, 19)}+00:00`,
    status: 'processing',
    order_total: '29.35',
    order_currency: 'USD',
    ...cells,
  });

  async function choose(page: Page, text: string): Promise<void> {
    const chosen = page.waitForEvent('filechooser');
    await card(page, 'Compare with WooCommerce')
      .getByRole('button', { name: /^Choose/ })
      .click();
    await (await chosen).setFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  }

  it('shows the differences, downloads them as CSV, and records the selected or all missing orders', async () => {
    const open = await pages.open(path, olga);
    const { page } = open;
    await chooseDeletedFile(card(page, 'Compare with WooCommerce').locator('input[type=file]'), 'orders.csv');
    await page.getByText('The file can’t be read.').waitFor();
    await audit(open);
    const compared = card(page, 'Compare with WooCommerce');
    const csv = listOf(
      'woocommerce-orders',
      [
        rowOf(1, 100),
        rowOf(2, 99, { order_total: '30.00', refund_items: 'amount:5.00|reason:|date:' }),
        rowOf(4, 97),
        rowOf(5, 96),
        rowOf(6, 2),
        rowOf(7, 90, { status: 'pending', paid_date: '' }),
      ],
      ';',
    );
    await choose(page, csv);
    await compared.getByText('Missing in Whence: 3').waitFor();
    await compared.getByText('Missing in the file: 1').waitFor();
    await compared.getByText('Amount differs: 1').waitFor();
    await compared.getByText('One order was not paid, and is not compared.').waitFor();
    await compared.getByText('Less than a day old: may still arrive').waitFor();
    await audit(open);

    const download = page.waitForEvent('download');
    await compared.getByRole('button', { name: 'Export' }).click();
    const file = await readFile((await (await download).path()) ?? '', 'utf8');
    assert.match(file, /^\uFEFFexternalId,number,outcome,occurredAt,listed\.currency,listed\.total/);
    assert.match(file, /\r\n2,M-2,amount-differs,[^,]+,USD,30\.00,5\.00,USD,29\.35,0\.00,\r\n/);

    const dialog = page.getByRole('alertdialog');
    const recordSelected = page.getByRole('button', { name: 'Record selected orders' });
    await compared.getByRole('checkbox', { name: 'order 6' }).click();
    assert.ok(await recordSelected.isDisabled(), 'order 6 can’t be recorded');
    await compared.getByRole('checkbox', { name: 'order 6' }).click();
    await compared.getByRole('checkbox', { name: 'order 5' }).click();
    await audit(open);
    await recordSelected.click();
    await dialog.getByText('Record this order?').waitFor();
    await dialog.getByRole('button', { name: 'Record one missing order' }).click();
    await page.getByText('One order is recorded').waitFor();
    await compared.getByText('Missing in Whence: 2').waitFor();

    await compared.getByRole('button', { name: 'Record one missing order' }).click();
    await dialog.getByText('This can’t be undone.').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Record one missing order' }).click();
    await page.getByText('One order is recorded').nth(1).waitFor();
    await compared.getByText('Missing in Whence: 1').waitFor();
    await compared.getByText('Matches: 3').waitFor();
  });

  it('shows an error for a file of another system, and for a file that is too large', async () => {
    const open = await pages.open(path, olga);
    const { page } = open;
    await choose(page, listOf('shopify-orders', []));
    await page.getByText(/The list lacks these columns of the plugin/).waitFor();
    await audit(open);
    await choose(page, 'x'.repeat(1_000_001));
    await page.getByText(/^The file has more than 1,000,000 characters/).waitFor();
  });

  it('lets a viewer compare a list, but not record orders', async () => {
    const { page } = await pages.open(path, await pages.person('viewer', 'Vera Viewer'));
    await choose(page, listOf('woocommerce-orders', [rowOf(8, 97)], ';'));
    await card(page, 'Compare with WooCommerce').getByText('Missing in Whence: 1').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Record/ }).count(), 0);
  });
});
