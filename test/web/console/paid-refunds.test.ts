import { after, before, describe, it } from 'node:test';
import { type Earnings, fillEarnings } from '../../support/earnings.ts';
import { audit, card, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';

describe('refunds of paid commissions in the console', () => {
  let pages: Pages;
  let shop: Earnings;
  let owner: Somebody;
  before(async () => {
    pages = await openPages();
    shop = await fillEarnings(pages.service);
    await pages.service.settled();
    const { conversions, fulfillments, report } = shop.whence;
    const { data } = await conversions.list({ status: 'pending' }).page();
    await conversions.bulk({ action: 'approve', ids: data.map(({ id }) => id) });
    const [run] = await fulfillments.create({ currency: 'USD' });
    await fulfillments.process(run?.id ?? 0);
    await fulfillments.complete(run?.id ?? 0);
    await report.refund({ source: 'shop', externalId: 'order-1006' });
    await pages.service.settled();
    owner = await pages.person('owner');
  });
  after(() => pages.close());

  it('the page of a sale says in which payout the commission was paid, and which decision is due or was made', async () => {
    const [sale] = (await shop.whence.transactions.list({ externalId: 'order-1006' }).page()).data;
    const open = await pages.open(`/sales/${sale?.id}`, owner);
    const { page } = open;
    const waits = /US\$41\.41 was paid in payout \d+\. Decide whether to keep it or claw it back\./;
    const earned = page.getByRole('list', { name: 'Commissions of this sale' });
    await earned.getByText(waits).waitFor();
    await card(page, 'Explanation').getByText(waits).first().waitFor();
    await audit(open);
    await earned.getByRole('link', { name: 'Decide whether to keep it or claw it back.' }).click();
    await page.getByRole('heading', { name: 'To decide' }).waitFor();

    await page.goto(`${pages.url}/payouts?tab=review`);
    const clock = await open.takeClock();
    await page.reload();
    await waitForRows(page, 1);
    await audit(open);
    await page.getByRole('row').nth(1).getByRole('button', { name: 'Claw back …' }).click();
    await page.getByRole('dialog', { name: 'Claw back from 1 payout?' }).waitFor();
    await page.keyboard.type('Returned');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing to review').waitFor();
    await clock.runFor(6_000);
    await page.getByText('Clawed back from 1 payout').waitFor();
    await page.goto(`${pages.url}/sales/${sale?.id}`);
    await earned.getByText(/US\$41\.41 was paid in payout \d+\. It was clawed back\./).waitFor();
    await audit(open);
    await open.close();
  });
});
