import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Earnings, fillEarnings } from '../../support/earnings.ts';
import { audit, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';

describe('selected commissions in the console', () => {
  let pages: Pages;
  let shop: Earnings;
  let owner: Somebody;
  before(async () => {
    pages = await openPages();
    shop = await fillEarnings(pages.service);
    // Besides the 8 commissions of the shop, the list has 30 commissions of US$1.00.
    const { id } = await shop.whence.collaborators.create({ name: 'Bulk Buyer' });
    const trackingId = await shop.whence.report.visit({ collaboratorId: id });
    for (let n = 1; n <= 30; n += 1) {
      const sale = { source: 'bulk', externalId: `bulk-${n}`, total: 10, currency: 'USD', trackingId } as const;
      await shop.whence.report.sale(sale);
    }
    await pages.service.settled();
    owner = await pages.person('owner');
  });
  after(() => pages.close());

  it('a commission approved with its own button is deselected, and all counts agree before and after approvals are sent', async () => {
    const open = await pages.open('/conversions', owner);
    const { page } = open;
    const clock = await open.takeClock();
    await page.reload();
    await waitForRows(page, 25);
    await countsAre(page, 38, '1–25 of 38');
    const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' });
    const checkboxes = page.getByRole('checkbox', { name: /^Select commission/ });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('button', { name: 'Next page' }).click();
    await waitForRows(page, 13);
    for (const at of [0, 1, 2]) await checkboxes.nth(at).click();
    await bar.getByText('28 selected').waitFor();
    await bar.getByRole('button', { name: 'Select all that match' }).waitFor();
    await audit(open);

    await page.getByRole('row').nth(1).getByRole('button', { name: 'Approve' }).click();
    await bar.getByText('27 selected').waitFor();
    await countsAre(page, 37, '26–37 of 37');

    await bar.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approving 27 commissions').waitFor();
    await waitForRows(page, 10);
    await countsAre(page, 10, '10 rows');
    await page.getByText('AmountUS$10.00', { exact: true }).waitFor();
    await clock.runFor(6_000);
    await page.getByText('27 commissions approved').waitFor();
    await countsAre(page, 10, '10 rows');
    await page.getByText('AmountUS$10.00', { exact: true }).waitFor();
    await open.close();
  });
});

/** Waits until the tab, the sidebar and the foot of the list show the same number. */
async function countsAre(page: Page, count: number, foot: string): Promise<void> {
  await page.getByRole('tab', { name: `To approve ${count}` }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByText(`Commissions${count}`, { exact: true }).waitFor();
  await page.getByText(foot, { exact: true }).waitFor();
  assert.equal(await page.getByText(/^\d+–\d+ of \d+$|^\d+ rows$/).count(), 1);
}
