import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Earnings, fillEarnings } from '../../support/earnings.ts';
import type { Page } from 'playwright-core';
import { audit, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';

/**
 * The commissions of the shop: Ada 5.51 + 24.51 + 2.75 + 12.31 USD, Ben 7.51 + 41.41 USD, Cleo 124.46 + 8.50 EUR. The
 * tests approve all of them except 12.31 USD.
 */
describe('payouts in the console', () => {
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

  it('the console explains that nothing is payable before a conversion is approved', async () => {
    const open = await pages.open('/payouts?new=run', olga);
    const { page } = open;
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing is ready to pay').waitFor();
    await audit(open);
    await dialog.getByRole('link', { name: 'See the commissions' }).click();
    await page.getByRole('heading', { name: 'Commissions' }).waitFor();
    await open.close();
  });

  it('the console shows owed amounts, and creates a payout run of exactly the previewed payouts', async () => {
    await shop.whence.conversions.bulk({ action: 'approve', ids: [1, 2, 3, 4, 5, 6, 7] });
    const open = await pages.open('/payouts?currency=USD', olga);
    const { page } = open;
    await waitForRows(page, 2);
    await page.getByText('US$81.69').first().waitFor();
    await audit(open);
    assert.equal(
      await page.getByRole('link', { name: 'Paid so far' }).getAttribute('href'),
      '/console/payouts?tab=payouts&status=paid&currency=USD',
    );
    await page.getByRole('link', { name: 'Ready to pay' }).click();
    await page.waitForURL(/sort=-pending/);
    await page.getByRole('button', { name: 'Partner' }).first().click();
    await page.getByRole('option', { name: 'Ben Bitdiddle' }).click();
    await waitForRows(page, 1);
    assert.match(page.url(), new RegExp(`collaboratorId=${shop.ben}`));
    await audit(open);
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    const currency = dialog.getByRole('combobox', { name: 'Currency' });
    await currency.waitFor();
    assert.equal(await currency.inputValue(), 'USD', 'the run starts with the currency of the list');
    await currency.selectOption('All, one run for each');
    await dialog.getByText('€132.96').first().waitFor();
    await currency.selectOption('USD');
    await dialog.getByRole('textbox', { name: 'Minimum payout' }).fill('40');
    await dialog.getByText('1 partner will be paid later').waitFor();
    await dialog.getByText('Less than the minimum').waitFor();
    await audit(open);
    await dialog.getByRole('textbox', { name: 'Minimum payout' }).fill('');
    await whileHeld(page, '**/v1/fulfillments', async () => {
      await dialog.getByRole('button', { name: 'Create 2 payouts' }).click();
      await dialog.getByRole('progressbar', { name: 'Creating payouts' }).waitFor();
      await audit(open);
    });
    await page.getByRole('heading', { name: 'Run 1' }).waitFor();
    await waitForRows(page, 2);
    await page.getByText('Olga Owner').first().waitFor();
    await audit(open);
    await open.close();
  });

  it('the payout list offers only currencies in use as a filter, and stays on its page behind the dialog for a new payout run', async () => {
    const open = await pages.open('/payouts?tab=payouts&page=2', olga);
    const { page } = open;
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    assert.match(page.url(), /[?&]page=2/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(page.url(), /[?&]page=2/);

    await page.getByRole('button', { name: 'Currency' }).click();
    await page.getByRole('option', { name: 'US Dollar' }).waitFor();
    assert.deepEqual(await page.getByRole('option').allTextContents(), ['EUR · Euro', 'USD · US Dollar']);
    await audit(open);
    await page.getByRole('option', { name: 'US Dollar' }).click();
    await page.waitForURL(/currency=USD/);
    await waitForRows(page, 2);
    await page.getByRole('button', { name: 'Currency USD · US Dollar' }).waitFor();
    await audit(open);
    await open.close();
  });

  it('the console excludes a deselected collaborator from a payout run', async () => {
    const open = await pages.open('/payouts?new=run', olga);
    const { page } = open;
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Pay Cleo de Nile' }).click();
    await dialog.getByText('You left them out').waitFor();
    const why = dialog.getByRole('link', { name: '€132.96' });
    assert.match((await why.getAttribute('href')) ?? '', /\/collaborators\/\d+\?tab=money$/);
    assert.ok(await dialog.getByRole('button', { name: 'Create 0 payouts' }).isDisabled());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.match(page.url(), /\/payouts$/);
    await open.close();
  });

  it('the console marks a payout as paid, and can undo the mark', async () => {
    const open = await pages.open('/payouts/runs/1', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Start paying' }).click();
    await page.getByText('Being paid', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select payout 2' }).click();
    await page.keyboard.press('p');
    await page.getByText('1 payout marked as paid').waitFor();
    await page.getByText('1 of 2').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('0 of 2').first().waitFor();
    assert.equal((await shop.whence.payouts.get(2)).status, 'unpaid');
    await open.close();
  });

  it('the console shows a payout that was flagged after a refund, and the exact effect of a clawback', async () => {
    // The refund is 20% of the total of 250.00, so 20% of the commission of 24.51 is no longer owed.
    await shop.whence.report.refund({ source: 'shop', externalId: 'order-1002', refundId: 'r-1', amount: 50 });
    await pages.service.settled();
    const open = await pages.open('/payouts?tab=review', olga);
    const { page } = open;
    const clock = await open.takeClock();
    await page.reload();
    await waitForRows(page, 1);
    await page.getByText('was refunded in part').waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { name: 'US$32.77 to Ada Lovelace' }).waitFor();
    await page.getByText('US$4.90 in this payout is no longer owed.').waitFor();
    await page.getByText('The payout changes from US$32.77 to US$27.87.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Mark as paid' }).isDisabled());
    await waitForRows(page, 3);
    await audit(open);
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('Choose one.').waitFor();
    await page.locator('input[type=radio]:focus').waitFor();
    await page.getByRole('radio', { name: 'Claw back' }).click();
    await page.getByRole('button', { name: 'Claw back' }).click();
    await page.getByText('Enter the reason.').waitFor();
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('Not sent yet');
    await page.getByRole('button', { name: 'Claw back' }).click();
    await page.getByText('Being clawed back').waitFor();
    assert.equal((await shop.whence.payouts.get(1)).review.state, 'flagged', 'the review can still be undone');
    await clock.runFor(6_000);
    await page.getByRole('heading', { name: 'US$27.87 to Ada Lovelace' }).waitFor();
    await page.getByText('“Not sent yet”').waitFor();
    await audit(open);
    await open.close();
  });

  it('the console marks a whole payout run as paid, and exports the run', async () => {
    const open = await pages.open('/payouts/runs/1', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Export list' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Unpaid payouts as CSV' }).click();
    assert.equal((await saved).suggestedFilename(), 'payout-run-1.csv');
    await page.getByRole('button', { name: 'Mark all as paid' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(/^2 payouts will be marked as paid, .+\d in total\./).waitFor();
    await question.getByText('2 payouts have no payout method.').waitFor();
    await audit(open);
    const clock = await open.takeClock();
    await whileHeld(page, '**/v1/fulfillments/1/complete', async () => {
      await question.getByRole('button', { name: 'Mark all as paid' }).click();
      await question.getByRole('progressbar', { name: 'Marking payouts as paid' }).waitFor();
      await question.getByText('Working…').waitFor();
      await clock.runFor(3_000);
      await question.getByText(/^Working for \d+ seconds…$/).waitFor();
      await audit(open);
    });
    // The last payout of the run was marked as paid, so the run is done.
    await page.getByText('The run is done', { exact: true }).waitFor();
    await page.getByText('All of its payouts are paid.').waitFor();
    assert.equal((await shop.whence.fulfillments.get(1)).status, 'complete');
    const { data: paid } = await shop.whence.payouts.list({ fulfillmentId: 1, status: 'paid' }).page();
    assert.equal(paid.length, 2);

    // A commission in a paid payout can only be deducted from the next payout.
    await shop.whence.report.refund({ source: 'shop', externalId: 'order-1006' });
    await pages.service.settled();
    await page.goto(`${pages.url}/payouts/2`);
    await page.getByText('US$41.41 is subtracted from the next payout to Ben Bitdiddle.').waitFor();
    await page.getByText('Ready to pay to Ben Bitdiddle: US$0.00 now, −US$41.41 after your decision.').waitFor();
    await open.close();
  });

  it('a commission in a paid payout is shown as paid, with its payout and the payment', async () => {
    const { data: conversions } = await shop.whence.conversions.list({ sort: 'id' }).page();
    const one = conversions.find(({ payoutId, amount }) => payoutId === 2 && amount === 751);
    const { externalId } = await shop.whence.transactions.get(one?.transactionId ?? 0);
    const open = await pages.open(`/conversions/${one?.id}`, olga);
    const { page } = open;
    const paid = page.getByText('Paid', { exact: true });
    await page.getByRole('heading', { level: 1 }).locator('..').locator(paid).waitFor();
    await page.getByRole('definition').getByRole('link', { name: 'payout 2' }).waitFor();
    const entries = page.getByRole('group', { name: 'Where the money is' }).getByRole('listitem');
    assert.match((await entries.last().textContent()) ?? '', /Paid by payout 2.*US\$7\.51/);
    await audit(open);
    await page.goto(`${pages.url}/sales/${one?.transactionId}`);
    await page.getByRole('list', { name: 'Commissions of this sale' }).locator(paid).waitFor();
    await page.goto(`${pages.url}/sales?externalId=${externalId}`);
    await page.getByRole('table').locator(paid).waitFor();
    await page.goto(`${pages.url}/conversions?tab=all`);
    await page.getByRole('table').locator(paid).first().waitFor();
    await audit(open);
    await open.close();
  });

  it('the console cancels a payout run, after which its amounts are owed again', async () => {
    await shop.whence.fulfillments.create({ currency: 'EUR' });
    const open = await pages.open('/payouts?tab=runs', olga);
    const { page } = open;
    await waitForRows(page, 2);
    await audit(open);
    await page.getByRole('link', { name: 'Run 2' }).click();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('The run is canceled').waitFor();
    await page.getByText('Void').waitFor();
    await open.close();
    const owed = await shop.whence.owed.get();
    assert.equal(owed.find(({ currency }) => currency === 'EUR')?.pending, 13_296);
  });

  it('the console shows a viewer no buttons to mark or decide payouts', async () => {
    const open = await pages.open('/payouts/2', await pages.person('viewer'));
    const { page } = open;
    await page.getByText('US$41.41 in this payout is no longer owed.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Mark|Decide|payout details/ }).count(), 0);
    await page.goto(`${pages.url}/payouts`);
    await waitForRows(page, 1);
    assert.equal(await page.getByRole('button', { name: 'New payout run' }).count(), 0);
    await open.close();
  });

  it('several flagged payouts can be decided with the keyboard, and the decisions are sent after the undo period', async () => {
    const { report, payouts } = shop.whence;
    await report.refund({ source: 'shop', externalId: 'order-1005', refundId: 'r-2', amount: 1 });
    await pages.service.settled();
    const flagged = async () => (await payouts.list({ review: 'flagged' }).page()).data.map(({ id }) => id);
    assert.deepEqual(await flagged(), [2, 1]);
    const open = await pages.open('/payouts?tab=review', olga);
    const { page } = open;
    const clock = await open.takeClock();
    await page.reload();
    await waitForRows(page, 2);
    await page.getByRole('button', { name: 'Status' }).first().click();
    await page.getByRole('button', { name: 'Unpaid' }).click();
    await page.getByText('Nothing matches').waitFor();
    assert.match(page.url(), /status=unpaid/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await waitForRows(page, 2);
    const decide = async () => {
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByRole('toolbar').getByText('2 selected').waitFor();
      await page.keyboard.press('e');
      await page.getByRole('dialog', { name: 'Keep 2 payouts?' }).getByText('US$41.49').waitFor();
      await page.keyboard.type('As agreed');
      await audit(open);
      await page.keyboard.press('Enter');
      await page.getByText('Nothing to review').waitFor();
    };
    await decide();
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForRows(page, 2);
    await decide();
    assert.deepEqual(await flagged(), [2, 1], 'the review can still be undone');
    await clock.runFor(6_000);
    await page.getByText('2 payouts kept').waitFor();
    for (const id of [1, 2]) {
      const { state, reasons } = (await payouts.get(id)).review;
      assert.deepEqual([state, reasons.at(-1)?.note], ['resolved', 'As agreed']);
    }
    await audit(open);
    await open.close();
  });

  it('the console reports a payout that was flagged again before its decision was sent', async () => {
    const { report, payouts } = shop.whence;
    const giveBack = async (externalId: string, refundId: string): Promise<void> => {
      await report.refund({ source: 'shop', externalId, refundId, amount: 1 });
      await pages.service.settled();
    };
    await giveBack('order-1001', 'r-3');
    await giveBack('order-1003', 'r-4');
    const open = await pages.open('/payouts?tab=review', olga);
    const { page } = open;
    const clock = await open.takeClock();
    await page.reload();
    await waitForRows(page, 2);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.keyboard.press('e');
    await page.getByRole('dialog', { name: 'Keep 2 payouts?' }).waitFor();
    await page.keyboard.type('Too little');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing to review').waitFor();
    await giveBack('order-1001', 'r-5');
    await clock.runFor(6_000);
    await page.getByText('1 payout kept').waitFor();
    await page.getByText('1 payout could not be decided').waitFor();
    await page.getByText('The payout changed after you opened it').waitFor();
    await waitForRows(page, 1);
    const openOf = async (id: number) =>
      (await payouts.get(id)).review.reasons.filter(({ resolution }) => resolution === undefined).length;
    assert.deepEqual([await openOf(1), await openOf(2)], [2, 0]);
    await audit(open);

    await page.getByRole('link', { name: 'Payout 1', exact: true }).click();
    await page.getByRole('heading', { name: 'To decide' }).waitFor();
    await page.getByText('1 payout could not be decided').waitFor();
    await page.getByRole('radio', { name: 'Keep' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Still too little');
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByText('Being kept').waitFor();
    await clock.runFor(6_000);
    await page.getByText('1 payout kept').waitFor();
    await page.getByText('1 payout could not be decided').waitFor({ state: 'detached' });
    assert.equal(await openOf(1), 0);
    await open.close();
  });

  it('the console lists all collaborators in the preview of a payout run, fifty at a time', async () => {
    const { whence, affiliates } = shop;
    const [sale] = (await whence.transactions.list({ currency: 'EUR' }).page()).data;
    assert.ok(sale);
    for (let count = 1; count <= 51; count += 1) {
      const { id } = await whence.collaborators.create({ name: `Guest ${count}` });
      await whence.transactions.credit(sale.id, { collaboratorId: id, programId: affiliates, amount: 1 });
    }
    const pending = await whence.conversions.list({ status: 'pending', currency: 'EUR' }).toArray({ limit: 100 });
    await whence.conversions.bulk({ action: 'approve', ids: pending.map(({ id }) => id) });
    const open = await pages.open('/payouts?new=run', olga);
    const dialog = open.page.getByRole('dialog');
    await dialog.getByText('52 partners will be paid').waitFor();
    assert.equal(await dialog.getByRole('checkbox').count(), 50);
    await dialog.getByText('And 2 more.').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Show 2 more' }).click();
    await dialog.getByRole('checkbox', { name: 'Pay Guest 51' }).waitFor();
    assert.equal(await dialog.getByRole('checkbox').count(), 52);
    await open.close();
  });

  it('the console shows progress while 1,500 payouts are marked', async () => {
    const open = await pages.open('/payouts?tab=runs', olga);
    const { page } = open;
    // Replace the payouts in the list’s response with 1,500 invented payouts. The service does not have these payouts.
    await page.route(/\/v1\/payouts(\?|$)/, async (route) => {
      const response = await route.fetch();
      const [some] = (await response.json()) as readonly object[];
      const many = Array.from({ length: 1_500 }, (_, at) => ({ ...some, id: 900_000 + at, status: 'unpaid' }));
      await route.fulfill({ response, json: many });
    });
    await page.getByRole('tab', { name: 'Payouts', exact: true }).click();
    await waitForRows(page, 1_500);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    const seen: (string | null)[] = [];
    await page.route('**/v1/payouts/bulk', async (route) => {
      const progress = page.getByRole('progressbar', { name: 'Marking payouts' });
      await page.waitForFunction(`document.querySelector('[role=progressbar]') !== null`);
      seen.push(await progress.getAttribute('aria-valuetext'));
      await route.continue();
    });
    await page.keyboard.press('p');
    await page.getByText('1,500 payouts could not be marked as paid or unpaid').waitFor();
    assert.deepEqual(seen, ['0 of 1,500', '1,000 of 1,500']);
    await open.close();
  });
});

/** Blocks requests to `url` while `look` runs, and then lets them continue. */
async function whileHeld(page: Page, url: string, look: () => Promise<void>): Promise<void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  await look();
  release();
}
