import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, chooseDeletedFile, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { openShop } from '../../support/shop.ts';

describe('the results of payments in the console', () => {
  let pages: Pages;
  let olga: Somebody;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    const shop = openShop(service);
    await shop.program({ autoApprove: true });
    for (const name of ['ada', 'ben', 'cy', 'dee']) {
      await shop.collaborator(name, { name });
      await shop.sell(`order-${name}`, await shop.visit(name), { total: 120, currency: 'EUR' });
    }
    await service.settled();
    await service.request('POST', '/v1/fulfillments', { key: service.secretKey, body: {} });
    await service.request('POST', '/v1/fulfillments/1/process', { key: service.secretKey });
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  it('are imported from a file after a preview', async () => {
    const open = await pages.open('/payouts/runs/1', olga);
    const { page } = open;
    const dialog = page.getByRole('dialog');
    const choose = async (rows: readonly string[]): Promise<void> => {
      const chosen = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: /Choose a/ }).click();
      const buffer = Buffer.from(['reference,amount,currency,status,reason', ...rows].join('\n'));
      await (await chosen).setFiles({ name: 'results.csv', mimeType: 'text/csv', buffer });
    };
    await page.getByRole('button', { name: 'Import results' }).click();
    await chooseDeletedFile(dialog.locator('input[type=file]'), 'results.csv');
    await dialog.getByText('The file can’t be read.').waitFor();
    await choose(['PAYOUT-1,12.00,EUR,moved,']);
    await dialog.getByText('This file changes nothing').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Save results' }).count(), 0);
    await choose([
      'PAYOUT-1,12.00,EUR,paid,',
      'PAYOUT-2,12.00,EUR,failed,Account closed',
      'PAYOUT-3,11.00,EUR,paid,',
      'RENT,900.00,EUR,paid,',
    ]);
    await dialog.getByText('1 payout will be marked as paid').waitFor();
    await dialog.getByText('1 payout failed').waitFor();
    await dialog
      .getByText('The amount differs from the payout: check the payment, then mark the payout yourself')
      .waitFor();
    await dialog.getByText('1 other payment').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Save results' }).click();
    await page.getByText('1 payout marked as paid, 1 failed').waitFor();
    await page.goto(`${pages.url}/payouts/2`);
    await page.getByText('The payment failed: Account closed').waitFor();
    await audit(open);
    await open.close();
  });

  it('are recorded for a single failed payout without a file', async () => {
    const open = await pages.open('/payouts/4', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Payment failed' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Wrong account');
    await audit(open);
    await page.getByRole('button', { name: 'Record failure' }).click();
    await page.getByText('The payment failed: Wrong account').waitFor();
    await open.close();
  });
});
