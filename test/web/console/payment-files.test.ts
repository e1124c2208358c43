import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { validateXML } from 'xmllint-wasm';
import { audit, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { openMailbox, openPortal, type Portal } from '../../support/portal.ts';
import { openShop } from '../../support/shop.ts';

const SCHEMA = readFileSync(new URL('../../fixtures/pain.001.001.09.xsd', import.meta.url), 'utf8');

describe('payment files in the console', () => {
  let pages: Pages;
  let portal: Portal;
  let olga: Somebody;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    const shop = openShop(service);
    await shop.program({ autoApprove: true });
    portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    for (const name of ['ada', 'ben', 'cy', 'dee']) {
      await shop.collaborator(name, { name, email: `${name}@files.example` });
      await shop.sell(`order-${name}`, await shop.visit(name), { total: 120, currency: 'EUR' });
    }
    await service.settled();
    const account = 'DE89 3704 0044 0532 0130 00';
    await give('ada', { method: 'iban', holder: 'Ada Lovelace', account });
    await give('ben', { method: 'paypal', account: 'ben@paypal.example' });
    await give('cy', { method: 'uk', holder: 'Cy Young', account: '12345678', bankCode: '20-00-00' });
    await service.request('POST', '/v1/fulfillments', { key: service.secretKey, body: {} });
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  const give = async (name: string, payoutDetails: object): Promise<void> => {
    await (await portal.enter(`${name}@files.example`)).must('PATCH', '/v1/portal/account', { payoutDetails });
  };

  it('are downloaded on the page of a payout run, SEPA files only after the shop’s account is set', async () => {
    const open = await pages.open('/payouts/runs/1', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Payment files' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 payouts not in a bank or service file').waitFor();
    await dialog.getByText('No payout details yet. Not in any file').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Download SEPA credit transfer' }).isDisabled());
    await audit(open);
    await dialog.getByRole('link', { name: 'Set account' }).click();
    await page.getByRole('textbox', { name: 'Account holder' }).fill('Ada’s Mugs');
    await page.getByRole('textbox', { name: 'IBAN' }).fill('DE00 0000');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('This is not a valid IBAN.').waitFor();
    await audit(open);
    await page.getByRole('textbox', { name: 'IBAN' }).fill('DE89 3704 0044 0532 0130 00');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('DE••••3000').waitFor();
    await audit(open);
    await page.goto(`${pages.url}/payouts/runs/1`);
    await page.getByRole('button', { name: 'Payment files' }).click();
    const arrival = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download SEPA credit transfer' }).click();
    const file = await arrival;
    assert.equal(file.suggestedFilename(), 'run-1-sepa-1.xml');
    const xml = readFileSync(await file.path(), 'utf8');
    assert.ok((await validateXML({ xml, schema: SCHEMA })).valid);
    assert.match(xml, /<InstdAmt Ccy="EUR">12.00<\/InstdAmt>/);
    await open.close();
  });

  it('can be listed but not downloaded by a viewer', async () => {
    const open = await pages.open('/payouts/runs/1', await pages.person('viewer'));
    await open.page.getByRole('button', { name: 'Payment files' }).click();
    await open.page.getByText('Your role can’t download these files.').waitFor();
    assert.ok(await open.page.getByRole('button', { name: 'Download PayPal' }).isDisabled());
    await open.close();
  });

  it('are named before a payout run is marked as paid if nobody downloaded them, and are available afterwards', async () => {
    const open = await pages.open('/payouts/runs/1', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Start paying' }).click();
    await page.getByRole('button', { name: 'Mark all as paid' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(/^4 payouts will be marked as paid, .+\d in total\./).waitFor();
    await question.getByText('1 payout has no payout method.').waitFor();
    await question
      .getByText('2 payouts are in payment files that were never downloaded: PayPal, Other accounts.')
      .waitFor();
    await audit(open);
    await question.getByRole('button', { name: 'Mark all as paid' }).click();
    await page.getByText('All of its payouts are paid.').waitFor();
    await page.getByRole('button', { name: 'Payment files' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Already marked as paid').waitFor();
    await audit(open);
    const arrival = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download PayPal' }).click();
    assert.match(readFileSync(await (await arrival).path(), 'utf8'), /^ben@paypal\.example,/);
    await open.close();
  });
});
