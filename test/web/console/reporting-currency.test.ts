import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';
import { openShop } from '../../support/shop.ts';

describe('figures in the reporting currency of an organization', () => {
  let pages: Pages;
  let olga: Somebody;
  before(async () => {
    pages = await openPages();
    const shop = openShop(pages.service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    const visitor = await shop.visit('ada');
    await shop.sell('in-dollars', visitor, { total: 110, currency: 'USD' });
    await shop.sell('in-euros', visitor, { total: 50, currency: 'EUR' });
    await shop.sell('in-euros-too', visitor, { total: 50, currency: 'EUR' });
    await shop.sell('in-dong', visitor, { total: 260_000, currency: 'VND' });
    await pages.service.settled();
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  const stat = (page: Page, name: string) =>
    page.getByRole('group', { name: 'Figures of the period' }).getByRole('link', { name: new RegExp(`^${name}`) });

  it('the overview shows one total at the merchant’s rates, and names currencies without a rate', async () => {
    const open = await pages.open('/?currency=EUR', olga);
    const { page } = open;
    await stat(page, 'Revenue').getByText('€100.00').waitFor();
    await stat(page, 'Sales').getByText('2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'USD', exact: true }).click();
    await stat(page, 'Revenue').getByText('US$110.00').waitFor();
    await stat(page, 'Sales').getByText('1', { exact: true }).waitFor();
    await stat(page, 'Sales').click();
    await waitForRows(page, 1);

    await page.goto(`${pages.url}/settings`);
    await page.getByRole('link', { name: /^Reporting currency/ }).click();
    await page.getByText('No rates yet.').waitFor();
    await audit(open);
    await page.locator('input[type=file]').setInputFiles({
      name: 'eurofxref-hist.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Date,USD,JPY,CYP,\n2026-01-02,1.1,160.1,N/A,\n2026-01-01,1.05,159,N/A,\n'),
    });
    await page.getByText('4 rates imported').waitFor();
    await page.getByText('1 EUR = 1.1 USD').waitFor();
    await page.getByLabel('Reporting currency').selectOption('EUR');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The reporting currency is saved').waitFor();
    await audit(open);

    await page.goto(`${pages.url}/`);
    await stat(page, 'Revenue').getByText('≈ €200.00').waitFor();
    await stat(page, 'Sales').getByText('4', { exact: true }).waitFor();
    await page.getByText('Without a rate, and not included: VND.').waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Exchange rates' }).click();
    await page.getByLabel('Currency', { exact: true }).click();
    await page.keyboard.type('VND');
    await page.getByRole('option', { name: /^VND/ }).click();
    await page.getByLabel('One euro buys').fill('26000');
    await page.getByRole('button', { name: 'Save rate' }).click();
    await page.getByText('1 EUR = 26000 VND').waitFor();
    await page.goto(`${pages.url}/`);
    await stat(page, 'Revenue').getByText('≈ €210.00').waitFor();
    await page.getByText('≈ All currencies in EUR, at your exchange rates of each day.').waitFor();
    await page.getByRole('button', { name: 'USD', exact: true }).click();
    await stat(page, 'Revenue').getByText('US$110.00').waitFor();
    await page.getByText('Sales, revenue and earnings count USD only.').waitFor();
    const bar = page.getByRole('list', { name: 'Revenue by partner' }).getByRole('listitem').first();
    await bar.getByText('1 click · 1 of 4 sales · 400%').waitFor();
    await audit(open);
    await bar.getByRole('link', { name: 'ada' }).click();
    await page.waitForURL(/\/collaborators\/\d+\?tab=performance&from=.*&until=.*&currency=USD/);
    await open.close();
  });

  it('the list of partners’ results counts one currency, or converts all currencies', async () => {
    const open = await pages.open('/', olga);
    const { page } = open;
    await page.getByRole('link', { name: 'All partners' }).click();
    await page.waitForURL(/\/collaborators\?tab=performance&from=.*&until=.*&sort=-revenue/);
    const ada = page.getByRole('row', { name: 'ada' });
    await ada.getByText('≈ €210.00').waitFor();
    await ada.getByText('4', { exact: true }).waitFor();
    await page.getByText('≈ All currencies in EUR, at your exchange rates of each day.').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'VND', exact: true }).click();
    await ada.getByText('₫260,000').first().waitFor();
    await page
      .getByText(
        'Sales, revenue and earnings count VND only. Clicks, leads, the conversion rate and the last sale count all currencies.',
      )
      .waitFor();
    await audit(open);
    await open.close();
  });
});
