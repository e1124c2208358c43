import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Earnings, fillEarnings } from '../../support/earnings.ts';
import { audit, card, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';

describe('conversions and sales in the console', () => {
  let pages: Pages;
  let shop: Earnings;
  let olga: Somebody;
  before(async () => {
    pages = await openPages();
    shop = await fillEarnings(pages.service);
    await pages.service.settled();
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  /** Waits until the conversion has the given status. */
  const statusOf = async (id: number, status: string): Promise<void> => {
    while ((await shop.whence.conversions.get(id)).status !== status) continue;
  };

  it('conversions can be approved with the keyboard, with undo, and the approval is sent when the user leaves the page', async () => {
    const open = await pages.open('/conversions', olga);
    const { page } = open;
    await waitForRows(page, 8);
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await waitForRows(page, 7);
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForRows(page, 8);

    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByText('2 selected').waitFor();
    await audit(open);
    await page.keyboard.press('a');
    await waitForRows(page, 6);
    await page.getByText('Approving 2 commissions').waitFor();
    assert.equal((await shop.whence.conversions.get(1)).status, 'pending', 'the review can still be undone');
    // The decision is sent when the user leaves the page.
    await page.goto('about:blank');
    await Promise.all([statusOf(1, 'approved'), statusOf(2, 'approved')]);
    assert.deepEqual(open.scriptFaults(), []);
    await open.close();
  });

  it('the console rejects conversions with a reason, and reports each failed change', async () => {
    const open = await pages.open('/conversions', olga);
    const { page } = open;
    const clock = await open.takeClock();
    await page.reload();
    await waitForRows(page, 6);
    await page.getByRole('checkbox', { name: 'Select commission 3' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Reject …' }).click();
    await page.getByRole('dialog').getByText('US$7.51').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Own purchase' }).click();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await waitForRows(page, 5);
    await clock.runFor(6_000);
    await page.getByText('1 commission rejected').waitFor();
    const rejected = await shop.whence.conversions.get(3);
    assert.deepEqual([rejected.status, rejected.reason], ['rejected', 'Own purchase']);

    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.keyboard.press('a');
    await page.getByText('Nothing to approve').waitFor();
    await shop.whence.report.refund({ source: 'shop', externalId: 'order-1005' });
    await pages.service.settled();
    await clock.runFor(6_000);
    await page.getByText('1 of 5 commissions could not be changed').first().waitFor();
    await page.getByRole('link', { name: 'Commission 5' }).waitFor();
    await audit(open);
    await open.close();
  });

  it('the console filters all conversions, and the page of a conversion explains it', async () => {
    const open = await pages.open('/conversions?tab=all', olga);
    const { page } = open;
    await waitForRows(page, 8);
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('button', { name: 'Rejected' }).click();
    await waitForRows(page, 2);
    assert.match(page.url(), /status=rejected/);
    const { totals } = await shop.whence.conversions.total({ status: 'rejected', currency: 'USD' });
    await page.getByText(`US$${((totals[0]?.rejectedAmount ?? 0) / 100).toFixed(2)}`, { exact: true }).waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Ben Bitdiddle' }).click();
    await page.getByRole('heading', { name: 'US$7.51 for Ben Bitdiddle' }).waitFor();
    await page.getByText('Own purchase').first().waitFor();
    await page.getByText('10% of').first().waitFor();
    await page.getByText('a newer touch gets the credit').first().waitFor();
    await page.getByText('Rejected: nothing is owed').waitFor();
    await audit(open);
    await open.close();
  });

  it('the console finds a sale with its order number, and credits a collaborator manually', async () => {
    const open = await pages.open('/sales', olga);
    const { page } = open;
    await waitForRows(page, 8);
    await audit(open);
    await page.getByRole('searchbox', { name: 'Search orders' }).fill('1002');
    await page.keyboard.press('Enter');
    await waitForRows(page, 1);
    await page.getByRole('link', { name: 'order-1002' }).click();
    await page.getByRole('heading', { name: 'order-1002', level: 1 }).waitFor();
    await page.getByText('Blue mug').waitFor();
    await page.getByText('10% of').first().waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Credit manually' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Credit' }).click();
    await dialog.getByText('Choose one.').first().waitFor();
    for (const [field, typed, name] of [
      ['Who gets it', 'cleo', 'Cleo de Nile'],
      ['By the rules of', 'aff', 'Affiliates'],
    ] as const) {
      await dialog.getByRole('combobox', { name: field }).click();
      await page.keyboard.type(typed);
      await page.getByRole('option', { name }).click();
    }
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('5.00');
    await audit(open);
    await dialog.getByRole('button', { name: 'Credit' }).click();
    await page.getByRole('list', { name: 'Commissions of this sale' }).getByText('US$5.00').waitFor();
    await page
      .getByText(/^Commission \d+ of Cleo de Nile in Affiliates, version \d+, credited manually by Olga Owner on/)
      .waitFor();
    await open.close();
  });

  it('the list of sales shows the earners of each sale and their amounts, and can be filtered by partner', async () => {
    const open = await pages.open('/sales', olga);
    const { page } = open;
    const credited = page.getByRole('row').filter({ hasText: 'order-1002' });
    await page.getByText('US$969.40').waitFor();
    await credited.getByText('+1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Partner' }).click();
    await page.getByRole('combobox').click();
    await page.keyboard.type('cleo');
    await page.getByRole('option', { name: 'Cleo de Nile' }).click();
    await page.waitForURL(/collaboratorId=\d+/);
    await credited.waitFor();
    await page.getByRole('row').filter({ hasText: 'order-1001' }).waitFor({ state: 'detached' });
    await page.getByText('US$250.00').nth(1).waitFor();
    await audit(open);
    await open.close();
  });

  it('partners are listed with their results in a period, sorted in both directions, searched and exported', async () => {
    const open = await pages.open('/collaborators?tab=performance', olga);
    const { page } = open;
    const table = page.getByRole('table', { name: 'Performance of partners' });
    await table.getByRole('row').nth(1).waitFor();
    await audit(open);
    const clicks = async (): Promise<number[]> => {
      const cells = await table.locator('tbody tr td:nth-child(2)').allTextContents();
      return cells.map(Number);
    };
    await table.getByRole('button', { name: 'Clicks' }).click();
    await page.waitForURL(/sort=-visits/);
    await table.locator('tbody tr').first().getByText('8', { exact: true }).waitFor();
    const descending = await clicks();
    assert.deepEqual(
      descending,
      descending.toSorted((a, b) => b - a),
    );
    await table.getByRole('button', { name: 'Clicks' }).click();
    await page.waitForURL(/sort=visits/);
    await table.locator('tbody tr').last().getByText('8', { exact: true }).waitFor();
    assert.deepEqual(await clicks(), descending.toReversed());

    await page.getByRole('searchbox', { name: 'Name, email or code' }).fill('cleo');
    await page.waitForURL(/search=cleo/);
    await waitForRows(page, 1);
    const cleo = table.getByRole('row', { name: 'Cleo de Nile' });
    await cleo.waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    assert.equal((await saved).suggestedFilename(), 'partner-performance.csv');
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.waitForURL(/from=/);
    await cleo.getByRole('link').click();
    await page.waitForURL(/\/collaborators\/\d+\?tab=performance&from=\d{4}-\d\d-\d\d&until=.*&currency=[A-Z]{3}$/);
    await open.close();
  });

  it('an owner records a partial refund of a sale', async () => {
    const open = await pages.open('/sales?externalId=order-1002', olga);
    const { page } = open;
    await page.getByRole('link', { name: 'order-1002' }).click();
    await page.getByRole('button', { name: 'Record refund' }).click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByRole('textbox', { name: 'Refunded amount' });
    await amount.fill('');
    await dialog.getByRole('button', { name: 'Record refund' }).click();
    await dialog.getByText('Enter an amount.').waitFor();
    await amount.fill('12,3.4x');
    await amount.press('Enter');
    await dialog.getByText('Enter an amount such as 19.99.').waitFor();
    assert.deepEqual(
      open.requests.filter((request) => request.endsWith('/v1/event/refund')),
      [],
    );
    await amount.fill('1.00');
    await dialog.getByRole('textbox', { name: 'Refund ID' }).fill('r-1');
    await audit(open);
    await dialog.getByRole('button', { name: 'Record refund' }).click();
    await page.getByText('Refund “r-1”', { exact: true }).waitFor();
    await page.getByText('Left', { exact: true }).waitFor();
    await open.close();
  });

  it('the page of a sale shows a refund of the whole amount at once, and the rejected commissions once it is processed', async () => {
    const [sale] = (await shop.whence.transactions.list({ externalId: 'order-1006' }).page()).data;
    assert.ok(sale !== undefined);
    const open = await pages.open(`/sales/${sale.id}`, olga);
    const { page } = open;
    const earned = card(page, 'What it earned');
    const undecided = page.getByText('A report about this sale is being processed');
    await earned.getByText('Approved').waitFor();
    await page.getByRole('button', { name: 'Record refund' }).click();
    // Lock the conversions, so that the refund is recorded but not processed yet.
    const blocker = await pages.service.database.connect();
    try {
      await blocker.query('begin');
      await blocker.query('select 1 from conversions where transaction_id = $1 for update', [sale.id]);
      await page.getByRole('dialog').getByRole('button', { name: 'Record refund' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('list', { name: 'Refunds' }).getByText('Refunded', { exact: true }).waitFor();
      await page.getByText(/^Refunded on .+ \(refund “console-/).waitFor();
      await undecided.waitFor();
      await earned.getByText('Approved').waitFor();
      await audit(open);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    await earned.getByText('Rejected').waitFor();
    await undecided.waitFor({ state: 'detached' });
    await page.getByText(/^Commission \d+ of Ben Bitdiddle in .*rejected because “refunded”/).waitFor();
    assert.equal(await page.getByText('Partly refunded').count(), 0);
    await open.close();
  });

  it('the console shows the corrections of a sale, also in its explanation', async () => {
    const edited = { source: 'shop', externalId: 'order-1004', correctionId: 'edit-1', total: '120.00' };
    await shop.whence.report.saleCorrection(edited);
    await pages.service.settled();
    const open = await pages.open('/sales?externalId=order-1004', olga);
    const { page } = open;
    await page.getByRole('link', { name: 'order-1004' }).click();
    await page.getByRole('list', { name: 'Corrections' }).getByText('Correction “edit-1”').waitFor();
    await page.getByText('Corrected on').first().waitFor();
    await audit(open);
    await open.close();
  });

  it('the console shows why a conversion is in fraud review, and clears it from review', async () => {
    const { whence, affiliates } = shop;
    await whence.programs.update(affiliates, { holds: { secondsToSale: 3_600 }, autoApprove: true });
    const trackingId = await whence.report.visit({ collaboratorId: 'tracking:ada' });
    await whence.report.sale({ source: 'shop', externalId: 'order-1009', total: 20, currency: 'USD', trackingId });
    await pages.service.settled();
    await whence.programs.update(affiliates, { holds: null, autoApprove: false });
    const [held] = (await whence.conversions.list({ review: 'held' }).page()).data;
    assert.ok(held !== undefined);
    const open = await pages.open('/conversions?tab=all&review=held', olga);
    const { page } = open;
    await waitForRows(page, 1);
    await page.getByText('Held: Sold very soon').first().waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByText('Held because').waitFor();
    await page.getByText('the time since the first touch was shorter').first().waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Clear from review' }).click();
    await page.getByText('Clearing 1 commission from review').waitFor();
    await page.goto('about:blank');
    await statusOf(held.id, 'approved');
    assert.deepEqual(open.scriptFaults(), []);
    await open.close();
  });

  it('the console shows a viewer no buttons to approve, reject or clear conversions', async () => {
    const open = await pages.open('/conversions?tab=all', await pages.person('viewer'));
    const { page } = open;
    await waitForRows(page, 10);
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await page.goto(`${pages.url}/conversions/1`);
    await page.getByText('10% of').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /Approve|Reject|Clear/ }).count(), 0);
    await open.close();
  });

  it('the list of commissions is searched with an order number, stores its view in the URL, and shows the sum of all selected matches', async () => {
    const { id } = await shop.whence.collaborators.create({ name: 'Bulk Buyer' });
    const trackingId = await shop.whence.report.visit({ collaboratorId: id });
    for (let n = 1; n <= 30; n += 1) {
      await shop.whence.report.sale({
        source: 'bulk',
        externalId: `bulk-${n}`,
        total: 10,
        currency: 'USD',
        trackingId,
      });
    }
    await pages.service.settled();
    const open = await pages.open(`/conversions?tab=all&collaboratorId=${id}&hidden=program`, olga);
    const { page } = open;
    await waitForRows(page, 25);
    assert.equal(await page.getByRole('columnheader', { name: 'Program' }).count(), 0);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' });
    await bar.getByText('25 selected · US$25.00').waitFor();
    await bar.getByRole('button', { name: 'Select all that match' }).click();
    await bar.getByText('30 selected · US$30.00').waitFor();
    await audit(open);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'View', exact: true }).click();
    const view = page.getByRole('dialog', { name: 'View' });
    await view.getByRole('button', { name: '50 rows' }).click();
    await waitForRows(page, 30);
    await view.getByRole('checkbox', { name: 'Program' }).click();
    await page.getByRole('columnheader', { name: 'Program' }).waitFor();
    await audit(open);
    assert.match(page.url(), /perPage=50/);
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search orders' }).fill('bulk-29');
    await waitForRows(page, 1);
    await page.getByRole('link', { name: 'bulk-29' }).waitFor();

    await page.goto(`${pages.url}/conversions?collaboratorId=${id}`);
    await waitForRows(page, 25);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await bar.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('All rows on this page are being changed').waitFor();
    await page.getByText('5 rows', { exact: true }).waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForRows(page, 25);
    await open.close();
  });

  it('the console records a sale that the shop does not report, and credits a partner', async () => {
    const { id } = await shop.whence.collaborators.create({ name: 'Phone Partner' });
    const open = await pages.open('/sales', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Record sale' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record a sale' });
    await dialog.getByRole('button', { name: 'Record sale' }).click();
    await dialog.getByText('Enter an order number.').waitFor();
    await dialog.getByText('Enter the total.').waitFor();
    await audit(open);
    await dialog.getByLabel('Order number').fill('phone-1');
    await dialog.getByLabel('Total').fill('120');
    await dialog.getByRole('combobox', { name: 'Partner' }).click();
    await page.keyboard.type('phone');
    await page.getByRole('option', { name: 'Phone Partner' }).click();
    await dialog.getByRole('button', { name: 'Record sale' }).click();
    await page.getByRole('heading', { name: 'phone-1' }).waitFor();
    await page.getByRole('list', { name: 'Commissions of this sale' }).getByText('Phone Partner').waitFor();
    await pages.service.settled();
    const { data } = await shop.whence.conversions.list({ collaboratorId: id }).page();
    assert.deepEqual(
      data.map(({ amount, currency }) => ({ amount, currency })),
      [{ amount: 1200, currency: 'USD' }],
    );
    assert.deepEqual(open.scriptFaults(), []);
    await open.close();
  });

  it('the list of sales is filtered by a coupon code, and the search finds the sales with the code', async () => {
    const { whence } = shop;
    await whence.collaborators.create({ name: 'Cora Coupon', aliases: [{ type: 'coupon', code: 'CORA15' }] });
    const order = { source: 'shop', total: 41, currency: 'USD', trackingId: null } as const;
    await whence.report.sale({ ...order, externalId: 'with-cora', couponCodes: ['cora15'] });
    await pages.service.settled();
    const open = await pages.open('/sales', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Coupon', exact: true }).click();
    await page.getByRole('dialog', { name: 'Filter by Coupon' }).getByLabel('Coupon').fill('Cora15');
    await audit(open);
    await page.keyboard.press('Enter');
    await page.waitForURL(/couponCode=Cora15/);
    await waitForRows(page, 1);
    await page.getByText('US$41.00').nth(1).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Coupon' }).click();
    await page.getByRole('searchbox', { name: 'Search orders or a coupon' }).fill('CORA15');
    await page.waitForURL(/search=CORA15/);
    await waitForRows(page, 1);
    await page.getByRole('link', { name: 'with-cora' }).waitFor();
    await open.close();
  });
});
