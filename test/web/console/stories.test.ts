import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Earnings, fillEarnings } from '../../support/earnings.ts';
import {
  audit,
  card,
  IN_HAND,
  openPages,
  type Pages,
  PASSWORD,
  type Somebody,
  waitForRows,
} from '../../support/pages.ts';
import { type Mailbox, openMailbox, openPortal, type Portal } from '../../support/portal.ts';
import { openShop } from '../../support/shop.ts';

/**
 * The most frequent tasks, on a phone with a touch screen. Most other tests of the console and the portal use the
 * desktop layout.
 */
describe('tasks on a phone', () => {
  let pages: Pages;
  let shop: Earnings;
  let mailbox: Mailbox;
  let portal: Portal;
  let olga: Somebody;
  before(async () => {
    pages = await openPages({ SMTP_URL: 'smtp://127.0.0.1:9' }, IN_HAND);
    const { service } = pages;
    shop = await fillEarnings(service);
    for (const externalId of ['order-1009', 'order-1010', 'order-1011']) {
      const trackingId = await shop.whence.report.visit({ collaboratorId: 'tracking:ada' });
      await shop.whence.report.sale({ source: 'shop', externalId, total: 20, currency: 'USD', trackingId });
    }
    await service.settled();
    mailbox = await openMailbox(service);
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  it('a program is created from a recipe', async () => {
    const open = await pages.open('/', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Open navigation' }).tap();
    await page.getByRole('link', { name: 'Programs', exact: true }).tap();
    await waitForRows(page, 2);
    await page.getByRole('link', { name: 'New program' }).tap();
    await page.getByRole('link', { name: 'Ten-percent affiliate' }).tap();
    await page.getByLabel('Percent', { exact: true }).fill('12.5');
    await card(page, 'In words').getByText('Partners earn 12.5% of each sale').waitFor();
    await page.getByRole('radio', { name: 'All, in equal parts' }).tap();
    await page.getByLabel('Name', { exact: true }).first().fill('Bloggers');
    await page.getByRole('button', { name: 'Create program' }).tap();
    await page.getByRole('heading', { name: 'Bloggers', level: 1 }).waitFor();
    await page.getByText('Partners earn 12.5% of each sale').waitFor();
    await audit(open);
    await open.close();
  });

  it('ten conversions are approved at once', async () => {
    const open = await pages.open('/conversions', olga);
    const { page } = open;
    const clock = await open.takeClock();
    await waitForRows(page, 11);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).tap();
    await page.getByRole('checkbox', { name: 'Select commission 11' }).tap();
    const toolbar = page.getByRole('toolbar');
    await toolbar.getByText('10 selected').waitFor();
    await toolbar.getByRole('button', { name: 'Approve' }).tap();
    await waitForRows(page, 1);
    await page.getByText('Approving 10 commissions').waitFor();
    await clock.runFor(6_000);
    await page.getByText('10 commissions approved').waitFor();
    const approved = await shop.whence.conversions.list({ status: 'approved' }).toArray({ limit: 100 });
    assert.equal(approved.length, 10);
    assert.equal(open.requests.filter((request) => request.endsWith('/v1/conversions/bulk')).length, 1);
    await audit(open);
    await open.close();
  });

  it('a flagged payout is decided', async () => {
    const { whence } = shop;
    await whence.fulfillments.create({ currency: 'EUR' });
    await whence.report.refund({ source: 'shop', externalId: 'order-1004', refundId: 'r-1', amount: 50 });
    await pages.service.settled();
    const open = await pages.open('/payouts', olga);
    const { page } = open;
    const clock = await open.takeClock();
    await page.getByRole('tab', { name: 'In review' }).tap();
    await waitForRows(page, 1);
    await page.getByText('was refunded in part').waitFor();
    await page.getByRole('checkbox', { name: 'Select payout 1' }).tap();
    await page.getByRole('toolbar').getByRole('button', { name: 'Claw back' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Claw back from 1 payout?' });
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Not sent yet');
    await dialog.getByRole('button', { name: 'Claw back' }).tap();
    await page.getByText('Nothing to review').waitFor();
    await clock.runFor(6_000);
    await page.getByText('Clawed back from 1 payout').waitFor();
    const { state, reasons } = (await whence.payouts.get(1)).review;
    assert.deepEqual([state, reasons[0]?.resolution, reasons[0]?.note], ['resolved', 'claw-back', 'Not sent yet']);
    await audit(open);
    await open.close();
  });

  it('a payout run is created and paid', async () => {
    const open = await pages.open('/payouts', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'New payout run' }).first().tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create 2 payouts' }).tap();
    await page.getByRole('heading', { name: 'Run 2' }).waitFor();
    await waitForRows(page, 2);
    await page.getByRole('button', { name: 'Start paying' }).tap();
    await page.getByText('Being paid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Mark all as paid' }).tap();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Mark all as paid' }).tap();
    await page.getByText('All of its payouts are paid.').waitFor();
    const paid = await shop.whence.payouts.list({ status: 'paid' }).toArray({ limit: 100 });
    assert.equal(paid.length, 2);
    await audit(open);
    await open.close();
  });

  it('a person is invited, accepts, and sees the first page', async () => {
    const open = await pages.open('/people', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Invite' }).first().tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('vera@people.example');
    await dialog.getByRole('radio', { name: 'Viewer' }).tap();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).tap();
    await dialog.getByText('vera@people.example is invited').waitFor();
    const { hash } = new URL(await dialog.locator('code').innerText());
    await dialog.getByRole('button', { name: 'Done' }).tap();
    await open.close();

    const joining = await pages.open(`/invitation${hash}`);
    await joining.page.getByText('You are invited as a viewer').waitFor();
    await joining.page.getByLabel('Your name').fill('Vera Viewer');
    await joining.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await joining.page.getByRole('button', { name: 'Join' }).tap();
    await joining.page.waitForURL(`${pages.url}/`);
    await joining.page.getByRole('button', { name: 'Open navigation' }).tap();
    await joining.page.getByRole('button', { name: 'Account of Vera Viewer' }).waitFor();
    await joining.page.keyboard.press('Escape');
    await audit(joining);
    await joining.close();
  });

  it('a collaborator signs up in the portal', async () => {
    await openShop(pages.service).change(`/v1/programs/${shop.affiliates}/sign-up`, { mode: 'open' });
    const open = await pages.openPortal('/mugs/sign-up');
    const { page } = open;
    await page.getByText('You earn 10% of each sale').waitFor();
    await page.getByLabel('Your name').fill('Edith Clarke');
    await page.getByLabel('Email').fill('edith@example.com');
    await page.getByRole('button', { name: 'Join', exact: true }).tap();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const { code } = await mailbox.entryOf('edith@example.com');
    await page.getByLabel('Code from the email').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).tap();
    await page.getByRole('heading', { name: 'Hello, Edith Clarke' }).waitFor();
    await page.getByText('https://mugs.example/?ref=edith-clarke').waitFor();
    await audit(open);
    await open.close();
  });

  it('a conversion is rejected, and its collaborator sees the reason', async () => {
    const open = await pages.open('/conversions/11', olga);
    await open.page.getByRole('button', { name: 'Reject …' }).tap();
    await open.page.getByRole('button', { name: 'Own purchase' }).tap();
    await open.page.getByRole('button', { name: 'Reject', exact: true }).tap();
    await open.page.getByText('Rejecting 1 commission').waitFor();
    // The decision is sent when the user leaves the page.
    await open.page.goto('about:blank');
    while ((await shop.whence.conversions.get(11)).status !== 'rejected') continue;
    await open.close();

    const { cookie } = await portal.enter('ada@example.com');
    const asked = await pages.openPortal('/mugs', cookie);
    await asked.page.getByText('Rejected, with this reason: “Own purchase”.').waitFor();
    await audit(asked);
    await asked.close();
  });
});
