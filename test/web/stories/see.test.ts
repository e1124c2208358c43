import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Earnings, fillEarnings } from '../../support/earnings.ts';
import { card, type Somebody, waitForRows } from '../../support/pages.ts';
import { openPortal } from '../../support/portal.ts';
import { describeStory } from '../../support/stories.ts';

const DAY_MS = 86_400_000;
/** The number of Ada’s sales in addition to those of `fillEarnings`. All sales together fill more than one page. */
const BULK = 20;

describeStory('See: a merchant finds the results of each partner and sale', {}, (stage) => {
  let shop: Earnings;
  let olga: Somebody;
  before(async () => {
    const { service, mailbox, person } = stage();
    shop = await fillEarnings(service);
    const { whence } = shop;
    await openPortal(service, mailbox, 'mugs', service.secretKey);
    await whence.portalSettings.update({ name: 'Ada’s Mugs' });
    for (let back = 1; back <= BULK; back += 1) {
      const occurredAt = new Date(Date.now() - back * DAY_MS).toISOString();
      const trackingId = await whence.report.visit({ collaboratorId: 'tracking:ada', occurredAt });
      const sale = { source: 'app', externalId: `app-${back}`, total: 10 * back, currency: 'USD' };
      await whence.report.sale({ ...sale, trackingId, occurredAt });
    }
    await whence.collaborators.create({ name: 'Wanda Waits', status: 'pending' });
    await service.settled();
    olga = await person('owner', 'Olga Owner');
  });

  it('the overview counts the commissions to approve, compares periods, and opens the sales of a point in the chart', async () => {
    const { open: openPage, press, check, isPhone } = stage();
    const open = await openPage('/', olga);
    const { page } = open;
    await page.getByRole('link', { name: '28 commissions to approve' }).waitFor();
    await check(open, 'overview');
    if (isPhone) {
      await press(page.getByRole('button', { name: 'Open navigation' }));
      await check(open, 'navigation');
    }
    const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Commissions' });
    assert.equal(await place.getAttribute('aria-description'), '28 waiting');
    if (isPhone) await page.keyboard.press('Escape');

    await press(page.getByRole('button', { name: 'Previous period' }));
    await check(open, 'comparisons');
    await press(page.getByRole('menuitem', { name: 'Previous year' }));
    await press(page.getByRole('group', { name: 'Chart interval' }).getByRole('button', { name: 'Week' }));
    await page.getByRole('heading', { name: 'By week' }).waitFor();
    await press(page.getByRole('button', { name: 'Last 30 days' }));
    await page.getByRole('dialog', { name: 'Period' }).getByLabel('First day').waitFor();
    await check(open, 'periods');
    await press(page.getByRole('button', { name: 'This year' }));
    await press(page.getByRole('group', { name: 'Chart interval' }).getByRole('button', { name: 'Month' }));
    await page.getByRole('heading', { name: 'By month' }).waitFor();
    const chart = page.getByRole('application', { name: /^Revenue by month/ });
    await chart.focus();
    await page.keyboard.press('End');
    await page.getByRole('status').filter({ hasText: 'so far' }).waitFor({ state: 'attached' });
    await check(open, 'chart');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor();
    assert.match(page.url(), /occurredFrom=/);
    await open.close();
  });

  it('the sales list is filtered, added up and searched, and shows the chosen columns and number of rows', async () => {
    const { open: openPage, press, check, goTo, isPhone } = stage();
    const open = await openPage('/', olga);
    const { page } = open;
    await goTo(open, 'Sales');
    await waitForRows(page, 25);
    await page.getByText('1–25 of 28').waitFor();
    await check(open, 'sales');
    await choosePartner(page, press, page.getByRole('button', { name: 'Partner', exact: true }), 'Ben Bitdiddle');
    await waitForRows(page, 2);
    await page.getByText('US$499.00').waitFor();
    await press(page.getByRole('button', { name: 'From', exact: true }));
    await page.getByRole('dialog', { name: 'Filter by From' }).getByLabel('From').fill('shop');
    await check(open, 'filter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the filter From' }).waitFor();
    await waitForRows(page, 2);
    await check(open, 'filtered-sales');
    await press(page.getByRole('button', { name: 'Clear all' }));
    await waitForRows(page, 25);
    await page.getByRole('searchbox', { name: 'Search orders' }).fill('006');
    await waitForRows(page, 1);
    await page.getByRole('searchbox', { name: 'Search orders' }).fill('');
    await waitForRows(page, 25);
    await press(page.getByRole('button', { name: 'View', exact: true }));
    const view = page.getByRole('dialog', { name: 'View' });
    await press(view.getByRole('button', { name: '50 rows' }));
    await waitForRows(page, 28);
    await press(view.getByRole('checkbox', { name: 'Commission status' }));
    await check(open, 'view');
    await page.keyboard.press('Escape');
    if (!isPhone) assert.equal(await page.getByRole('columnheader', { name: 'Commission status' }).count(), 0);
    assert.match(page.url(), /perPage=50/);
    await open.close();
  });

  it('a sale and a refund that no shop reports can be recorded in the console', async () => {
    const { open: openPage, press, check, service } = stage();
    const open = await openPage('/sales', olga);
    const { page } = open;
    await press(page.getByRole('button', { name: 'Record sale' }));
    const dialog = page.getByRole('dialog', { name: 'Record a sale' });
    await dialog.getByLabel('Order number').fill('phone-1');
    await dialog.getByLabel('Total').fill('120');
    await choosePartner(page, press, dialog.getByRole('combobox', { name: 'Partner' }), 'Ada Lovelace');
    await check(open, 'record-sale');
    await press(dialog.getByRole('button', { name: 'Record sale' }));
    await page.getByRole('heading', { name: 'phone-1' }).waitFor();
    const earned = page.getByRole('list', { name: 'Commissions of this sale' });
    await earned.getByText('Ada Lovelace').first().waitFor();
    await check(open, 'sale');
    await press(page.getByRole('button', { name: 'Record refund' }));
    const refund = page.getByRole('dialog', { name: 'Record a refund' });
    assert.equal(await refund.getByLabel('Refunded amount').inputValue(), '120.00');
    await refund.getByLabel('Refunded amount').fill('60');
    await check(open, 'record-refund');
    await press(refund.getByRole('button', { name: 'Record refund' }));
    await page.getByText('The refund is recorded').waitFor();
    await service.settled();
    await page.reload();
    await earned.getByText('US$6.00').first().waitFor();
    await check(open, 'refunded-sale');
    await open.close();
  });

  it('the merchant finds the best partner of a period, and raises the partner’s rate', async () => {
    const { open: openPage, press, check, goTo } = stage();
    const open = await openPage('/', olga);
    const { page } = open;
    await goTo(open, 'Partners');
    await waitForRows(page, 4);
    await check(open, 'partners');
    await press(page.getByRole('tab', { name: 'Performance' }));
    await waitForRows(page, 3);
    await press(page.getByRole('button', { name: 'Last 30 days' }));
    await press(page.getByRole('button', { name: 'Last 7 days' }));
    await waitForRows(page, 3);
    await check(open, 'ranking');
    await press(page.getByRole('link', { name: 'Ada Lovelace' }));
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
    await press(page.getByRole('tab', { name: 'Overview' }));
    await page.getByLabel('Add tags, separated by commas').fill('Influencer');
    await page.getByLabel('Add tags, separated by commas').press('Enter');
    await page.getByRole('list', { name: 'Tags' }).getByText('influencer').waitFor();
    await page.getByLabel('New note').fill('Wants 12% from January.');
    await press(page.getByRole('button', { name: 'Add note' }));
    await page.getByRole('list', { name: 'Notes' }).getByText('Olga Owner').waitFor();
    await check(open, 'partner');
    await press(page.getByRole('tab', { name: 'Performance' }));
    await page.getByRole('application', { name: 'Revenue by day' }).waitFor();
    await check(open, 'partner-chart');
    await press(page.getByRole('tab', { name: 'Programs' }));
    await press(page.getByRole('button', { name: 'Change rate in Affiliates' }));
    const dialog = page.getByRole('dialog', { name: 'Change rate in Affiliates' });
    await dialog.getByLabel('Percent', { exact: true }).fill('12');
    await check(open, 'change-rate');
    await press(dialog.getByRole('button', { name: 'Change rate' }));
    await page.getByText('The rate of Ada Lovelace has changed').waitFor();
    await page.getByText('Custom rate').waitFor();
    await check(open, 'partner-programs');
    await press(page.getByRole('tab', { name: 'Commissions' }));
    await waitForRows(page, 25);
    await check(open, 'partner-commissions');
    await open.close();
  });

  it('all commissions that match can be selected, and the sum of the selection is shown', async () => {
    const { open: openPage, press, check, goTo } = stage();
    const open = await openPage('/', olga);
    const { page } = open;
    await goTo(open, 'Commissions');
    await waitForRows(page, 25);
    await press(page.getByRole('checkbox', { name: 'Select all on this page' }));
    const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' });
    await bar.getByText(/25 selected · /).waitFor();
    await check(open, 'commissions');
    await press(bar.getByRole('button', { name: 'Select all that match' }));
    await bar.getByText(/29 selected · /).waitFor();
    await check(open, 'all-commissions');
    await open.close();
  });

  it('the search finds partners and actions', async () => {
    const { open: openPage, press, check } = stage();
    const open = await openPage('/keys', olga);
    const { page } = open;
    await press(page.getByRole('button', { name: 'Search or go to' }).first());
    await page.getByRole('combobox', { name: 'Search or go to' }).fill('lovel');
    await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
    await check(open, 'search');
    await page.getByRole('combobox').fill('record');
    await press(page.getByRole('option', { name: 'Record sale' }));
    await page.getByRole('dialog', { name: 'Record a sale' }).waitFor();
    await open.close();
  });

  it('the merchant previews the portal as a partner', async () => {
    const { open: openPage, press, check, goTo } = stage();
    const open = await openPage(`/collaborators/${shop.ada}`, olga);
    const { page } = open;
    await press(page.getByRole('button', { name: 'More' }));
    await check(open, 'partner-menu');
    await press(page.getByRole('menuitem', { name: 'Preview the portal' }));
    await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor();
    await page.getByText('Nothing can be changed in this preview.').waitFor();
    await check(open, 'preview');
    await goTo(open, 'Earnings');
    await waitForRows(page, 25);
    await check(open, 'preview-earnings');
    await open.close();
  });

  it('the figures are converted to the reporting currency', async () => {
    const { open: openPage, press, check, url } = stage();
    const open = await openPage('/settings', olga);
    const { page } = open;
    await press(page.getByRole('link', { name: /^Reporting currency/ }));
    await page.locator('input[type=file]').setInputFiles({
      name: 'eurofxref-hist.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Date,USD,JPY,\n2026-01-02,1.1,160.1,\n'),
    });
    await page.getByText('1 EUR = 1.1 USD').waitFor();
    await page.getByLabel('Reporting currency').selectOption('EUR');
    await press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('The reporting currency is saved').waitFor();
    await check(open, 'currency');
    await page.goto(`${url}/`);
    await page.getByText('≈ All currencies in EUR, at your exchange rates of each day.').waitFor();
    await card(page, 'Partners').getByText('≈').first().waitFor();
    await check(open, 'converted');
    await open.close();
  });
});

/** Chooses a partner in the list that `opener` opens. */
async function choosePartner(
  page: Page,
  press: (target: Locator) => Promise<void>,
  opener: Locator,
  name: string,
): Promise<void> {
  await press(opener);
  await page.locator('input[role=combobox]').fill(name.slice(0, 5));
  await press(page.getByRole('option', { name }));
}
