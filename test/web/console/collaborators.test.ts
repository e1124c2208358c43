import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readFile } from 'node:fs/promises';
import { type Alias, Whence } from '@whence/sdk';
import { readCsv } from '../../support/csv.ts';
import { openMailbox, openPortal } from '../../support/portal.ts';
import { openTill } from '../../support/payouts.ts';
import { audit, openPages, type Pages, PHONE, type Somebody, waitForRows } from '../../support/pages.ts';
import { openShop, type Shop } from '../../support/shop.ts';

describe('collaborators in the console', () => {
  let pages: Pages;
  let shop: Shop;
  let manager: Somebody;
  before(async () => {
    // Nothing listens at the address of the mail server, so emails stay queued.
    pages = await openPages({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'whence@mugs.example' });
    shop = openShop(pages.service);
    manager = await pages.person('manager', 'Mary Somerville');
  });
  after(() => pages.close());

  it('the console adds a partner with a link code, shows the QR code of the link, and retires a coupon', async () => {
    const portal = { slug: 'mugs', name: 'Mugs', landingUrl: 'https://shop.example/' };
    await shop.change('/v1/portal-settings', portal);
    const open = await pages.open('/collaborators', manager);
    const { page } = open;
    await page.getByRole('heading', { name: 'No partners yet' }).waitFor();
    await audit(open);
    await page.keyboard.press('n');
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByLabel('Email', { exact: true }).fill('no address');
    await page.getByLabel('Link code').fill('ada');
    await page.getByRole('button', { name: 'Add partner' }).click();
    await page.getByText('This must be an email address').waitFor();
    await audit(open);
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByRole('button', { name: 'Add partner' }).click();
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
    await page.getByText('https://shop.example/?ref=ada').waitFor();
    await page.getByRole('button', { name: 'QR code of ada' }).click();
    await page.getByRole('dialog').getByRole('img', { name: 'QR code of https://shop.example/?ref=ada' }).waitFor();
    await audit(open);
    await page.keyboard.press('Escape');

    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Coupon');
    await page.getByLabel('Add a code').fill('ADA10');
    await page.getByLabel('Add a code').press('Enter');
    await page.getByRole('button', { name: 'Retire ADA10' }).click();
    await page.getByRole('alertdialog').getByText('Clicks and orders with it no longer count.').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Retire', exact: true }).click();
    await page.getByText('“ADA10” is retired').waitFor();
    await waitForRows(page, 1);

    await page.keyboard.press('e');
    await page.getByLabel('Nickname').fill('Countess');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Countess').waitFor();
    await open.close();
  });

  it('the console asks for confirmation with both names before a code moves to another partner', async () => {
    const from = await shop.collaborator('mira', { name: 'Mira Nair' });
    const to = await shop.collaborator('nils', { name: 'Nils Holm' });
    const open = await pages.open(`/collaborators/${to}`, manager);
    const { page } = open;
    await page.getByLabel('Add a code').fill('MIRA');
    await page.getByLabel('Add a code').press('Enter');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Move “mira” to Nils Holm?').waitFor();
    await dialog.getByText('“mira” belongs to Mira Nair.').waitFor();
    await dialog.getByText('If Mira Nair has an email address, we notify them by email.').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await shop.get<unknown[]>(`/v1/collaborators/${from}/aliases`)).length, 1);
    await page.getByLabel('Add a code').press('Enter');
    await dialog.getByRole('button', { name: 'Move code' }).click();
    await page.getByText('“mira” now belongs to Nils Holm').waitFor();
    await waitForRows(page, 2);
    assert.deepEqual(await shop.get<unknown[]>(`/v1/collaborators/${from}/aliases`), []);
  });

  it('the console adds a pasted list of codes, and asks before it moves codes of another partner', async () => {
    const from = await shop.collaborator('irene', { name: 'Irene Curie' });
    const to = await shop.collaborator('otto', { name: 'Otto Hahn' });
    const whence = new Whence({ baseUrl: pages.service.url, apiKey: pages.service.secretKey });
    for (const code of ['L10', 'L20']) await whence.collaborators.createAlias(from, { type: 'coupon', code });
    const open = await pages.open(`/collaborators/${to}`, manager);
    const { page } = open;
    await page.getByRole('button', { name: 'Paste a list' }).click();
    const long = 'X'.repeat(256);
    await page.getByLabel('Codes', { exact: true }).fill(`O10, o20;O30\nl10\nL20, O10\n${long}`);
    await audit(open);
    await page.getByRole('button', { name: 'Add 6 codes' }).click();
    await page.getByText('3 codes belong to this partner').waitFor();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Move “L10” and “L20” to Otto Hahn?').waitFor();
    await dialog.getByRole('button', { name: 'Move codes' }).click();
    await page.getByText('2 codes belong to this partner').waitFor();
    assert.equal(await page.getByLabel('Codes', { exact: true }).inputValue(), long, 'a refused code can be corrected');
    await page.getByText(`“${long}”:`).waitFor();
    await audit(open);
    await page.getByLabel('Codes', { exact: true }).fill('O40 = promo_1O\nO50\tpromo_2O');
    await page.getByRole('button', { name: 'Add 2 codes' }).click();
    await waitForRows(page, 8);
    const codes = await shop.get<Alias[]>(`/v1/collaborators/${to}/aliases`);
    const listed = codes.map(({ code, externalId }) => [code, externalId].join(' ').trim());
    assert.deepEqual(listed.toSorted(), ['L10', 'L20', 'O10', 'O30', 'O40 promo_1O', 'O50 promo_2O', 'o20', 'otto']);

    await shop.program({ triggers: { 'coupon-applied': 1 } });
    for (const couponCodes of [['O40'], ['promo_1O']])
      await whence.report.sale({
        trackingId: null,
        source: 'shop',
        externalId: `order ${couponCodes.join()}`,
        total: 10,
        couponCodes,
      });
    await pages.service.settled();
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'promo_1O' });
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();
    await audit(open);
    await open.close();
  });

  it('after a confirmation, the console adds a partner with codes of another partner', async () => {
    const from = await shop.collaborator('wu', { name: 'Wu Chien-Shiung' });
    const whence = new Whence({ baseUrl: pages.service.url, apiKey: pages.service.secretKey });
    await whence.collaborators.createAlias(from, { type: 'coupon', code: 'WU10' });
    const open = await pages.open('/collaborators', manager);
    const { page } = open;
    await page.getByRole('button', { name: 'New partner' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Lise Meitner');
    await page.getByLabel('Link code').fill('wu');
    await page.getByLabel('Coupon').fill('WU10');
    await page.getByRole('button', { name: 'Add partner' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Move “wu” and “WU10” to Lise Meitner?').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await shop.get<unknown[]>(`/v1/collaborators?search=lise`)).length, 0);
    await page.getByRole('button', { name: 'Add partner' }).click();
    await dialog.getByRole('button', { name: 'Move codes' }).click();
    await page.getByRole('heading', { name: 'Lise Meitner', level: 1 }).waitFor();
    await waitForRows(page, 2);
    assert.deepEqual(await shop.get<unknown[]>(`/v1/collaborators/${from}/aliases`), []);
    await open.close();
  });

  it('a code can be moved to another partner with a button beside the code', async () => {
    const from = await shop.collaborator('emmy', { name: 'Emmy Noether', email: 'emmy@example.com' });
    const to = await shop.collaborator('sofja', { name: 'Sofja Kowalewskaja' });
    const open = await pages.open(`/collaborators/${from}`, manager);
    const { page } = open;
    await page.getByRole('button', { name: 'Move emmy to another partner' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move emmy to another partner' });
    assert.ok(await dialog.getByRole('button', { name: 'Move code' }).isDisabled());
    await dialog.getByRole('combobox', { name: 'New partner' }).click();
    await page.locator('input[role=combobox]').fill('sofja');
    await page.getByRole('option', { name: 'Sofja Kowalewskaja' }).click();
    await dialog.getByText('new clicks and orders with it count for Sofja Kowalewskaja').waitFor();
    await dialog.getByText('We notify Emmy Noether by email.').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Move code' }).click();
    await page.getByText('“emmy” now belongs to Sofja Kowalewskaja').waitFor();
    await page.getByText('No links or codes').waitFor();
    assert.equal((await shop.get<unknown[]>(`/v1/collaborators/${to}/aliases`)).length, 2);
    await open.close();
  });

  it('the console paginates codes, and filters codes and programs with the parameters of the URL', async () => {
    const id = await shop.collaborator('mae', { name: 'Mae Jemison' });
    const whence = new Whence({ baseUrl: pages.service.url, apiKey: pages.service.secretKey });
    const first = await whence.collaborators.createAlias(id, { type: 'coupon', code: 'MAE-0' });
    await whence.collaborators.retireAlias(id, first.id);
    for (let at = 1; at <= 101; at++) {
      await whence.collaborators.createAlias(id, { type: 'coupon', code: `MAE-${at}` });
    }
    const open = await pages.open(`/collaborators/${id}?type=coupon&sort=id`, manager);
    const { page } = open;
    await waitForRows(page, 25);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('MAE-26', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search codes' }).fill('e-100');
    await page.getByRole('searchbox', { name: 'Search codes' }).press('Enter');
    await waitForRows(page, 1);
    await page.getByText('MAE-100', { exact: true }).waitFor();
    assert.match(page.url(), /search=e-100/);
    await page.goto(`${pages.url}/collaborators/${id}?status=retired`);
    await waitForRows(page, 1);
    await page.getByText('MAE-0', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Retire / }).count(), 0);
    await audit(open);
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    assert.equal((await file).suggestedFilename(), `codes-of-${id}.csv`);

    await shop.program({ name: 'For Mae', status: 'draft' });
    await page.getByRole('tab', { name: 'Programs' }).click();
    await page.getByRole('row', { name: 'For Mae' }).waitFor();
    await page.goto(`${pages.url}/collaborators/${id}?tab=programs&status=active&search=mae`);
    await page.getByText('Nothing matches').waitFor();
    await page.goto(`${pages.url}/collaborators/${id}?tab=programs&status=draft&search=mae`);
    await waitForRows(page, 1);
    await page.getByRole('button', { name: 'Export CSV' }).waitFor();
    await open.close();
  });

  it('the console shows a statement, and a journey from the first visit to the payout', async () => {
    await shop.program({ name: 'Friends' });
    const graceId = await shop.collaborator('grace', { name: 'Grace Hopper' });
    const opportunity = await shop.visit('grace');
    await shop.visit('grace', { oid: opportunity });
    await shop.sell('order-7', opportunity, { total: 80 });
    const earned = await shop.earned('order-7');
    await shop.sell('order-8', opportunity, { total: 50 });
    earned.push(...(await shop.earned('order-8')));
    const { request, secretKey: key } = pages.service;
    const body = { action: 'approve', ids: earned.map(({ id }) => id) };
    assert.equal((await request('POST', '/v1/conversions/bulk', { key, body })).status, 200);
    const till = openTill(pages.service);
    const run = await till.runOne();
    await till.move(run.id, 'process');
    const [payout] = await till.payoutsOf(run);
    await till.mark(payout?.id ?? 0, 'paid');
    await shop.refund('order-7');
    await pages.service.settled();

    const open = await pages.open(`/collaborators/${graceId}`, manager);
    const { page } = open;
    await page.getByRole('tab', { name: 'Performance' }).click();
    await page.getByRole('application', { name: 'Revenue by day' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('status').filter({ hasText: 'US$130.00' }).waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/sales\\?.*collaboratorId=${graceId}`));
    await page.goBack();
    await audit(open);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Ready to pay' }).click();
    await page.waitForURL(/tab=money/);
    await page.getByRole('row', { name: 'Approved order-7' }).waitFor();
    await page.getByRole('row', { name: 'Paid' }).waitFor();
    await page.getByRole('button', { name: 'Show payout details' }).click();
    await page.getByText('This partner has no payout details yet.').waitFor();
    await audit(open);
    await page.getByRole('tab', { name: 'Programs' }).click();
    await page.getByRole('row', { name: 'Friends' }).getByText('Open to everyone').waitFor();
    await page.getByRole('tab', { name: 'Commissions' }).click();
    await page.getByRole('row', { name: 'order-8' }).waitFor();
    await audit(open);

    await page.goto(`${pages.url}/opportunities`);
    await page.getByRole('searchbox', { name: 'Search orders' }).fill('ORDER-7');
    await page.waitForURL(/search=ORDER-7/);
    await page.getByRole('row', { name: opportunity }).getByRole('link', { name: 'Grace Hopper' }).waitFor();
    await audit(open);
    await page.getByRole('link', { name: opportunity }).click();
    const way = page.getByRole('group', { name: 'From the first click to the payout' });
    await way.getByText('2 times, the last on').waitFor();
    await way.getByText('Friends').nth(2).waitFor();
    const lines = (await way.getByRole('listitem').allInnerTexts()).map((line) =>
      line.replaceAll(/\s+/g, ' ').replace(/ (\d+:\d\d .M|2 times, the last on .*)$/u, ''),
    );
    assert.deepEqual(lines, [
      'The visitor followed the link of Grace Hopper grace',
      'Grace Hopper has a claim in Friends Open 2 points',
      'Bought: order-7 from shop US$80.00',
      'Grace Hopper earned US$8.00 in Friends',
      'Bought: order-8 from shop US$50.00',
      'Grace Hopper earned US$5.00 in Friends',
      'Approved: US$8.00 of Grace Hopper',
      'Approved: US$5.00 of Grace Hopper',
      `Added to a run: US$8.00 of Grace Hopper, payout ${payout?.id}`,
      `Added to a run: US$5.00 of Grace Hopper, payout ${payout?.id}`,
      `Paid: payout ${payout?.id}, US$13.00 in total, to Grace Hopper`,
      'Refund of order-7 −US$80.00',
    ]);
    await audit(open);
    assert.equal(
      await way.getByRole('link', { name: 'US$5.00' }).first().getAttribute('href'),
      `/console/conversions/${earned[1]?.id}`,
    );
    await open.close();
  });

  it('the console shows how many of all conversions a truncated journey contains', async () => {
    await shop.program({ name: 'For all' });
    await shop.collaborator('hedy', { name: 'Hedy Lamarr' });
    const opportunity = await shop.visit('hedy');
    const orders = Array.from({ length: 13 }, (_, at) => `many-${at}`);
    for (const order of orders) await shop.sell(order, opportunity, { total: 10 });
    await pages.service.settled();
    const open = await pages.open(`/opportunities/${opportunity}`, manager);
    const { page } = open;
    // Each of the 13 sales earns in two programs.
    await page.getByText('shown for the first 25 of 26 commissions').waitFor();
    await audit(open);
    await open.close();
  });

  it('the console lists a partner’s portal sign-ups, filtered by program, with CSV export', async () => {
    const mailbox = await openMailbox(pages.service);
    const portal = await openPortal(pages.service, mailbox, 'mugs', pages.service.secretKey);
    const id = await shop.collaborator('dan', { name: 'Dan', email: 'dan@example.com' });
    const open = await pages.open(`/collaborators/${id}?tab=sign-ups`, manager);
    const { page } = open;
    await page.getByRole('heading', { name: 'No portal applications' }).waitFor();
    await page.getByRole('link', { name: 'See the programs' }).waitFor();
    await audit(open);
    const asked = [
      { programId: await shop.program({ name: 'Teapots' }), answer: 'On my blog about tea' },
      { programId: await shop.program({ name: 'Saucers' }) },
    ];
    for (const { programId, answer } of asked) {
      const label = 'Where will you tell people about us?';
      const fields = answer === undefined ? [] : [{ label, type: 'long-text' }];
      await shop.change(`/v1/programs/${programId}/sign-up`, { mode: 'approval', fields });
      const answers = answer === undefined ? [] : [{ label, value: answer }];
      await portal.visit('POST', '/sign-ups', { programId, name: 'Dan', email: 'dan@example.com', answers });
      const { token } = await mailbox.entryOf('dan@example.com');
      assert.equal((await portal.visit('POST', '/sessions', { token })).status, 201);
    }

    await page.reload();
    await waitForRows(page, 2);
    await page.getByText('On my blog about tea').waitFor();
    const names = page.locator('tbody tr td:first-child');
    assert.deepEqual(await names.allTextContents(), ['Saucers', 'Teapots'], 'the newest row comes first');
    await audit(open);
    await page.goto(`${pages.url}/collaborators/${id}?tab=sign-ups&sort=createdAt`);
    await waitForRows(page, 2);
    assert.deepEqual(await names.allTextContents(), ['Teapots', 'Saucers']);
    await page.goto(`${pages.url}/collaborators/${id}?tab=sign-ups&programId=${asked[1]?.programId}`);
    await waitForRows(page, 1);
    await page.getByRole('row', { name: 'Saucers' }).getByText('No answers.').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const csv = readCsv(await readFile(await (await saved).path(), 'utf8'));
    assert.deepEqual(
      [csv.length, csv[1]?.[csv[0]?.indexOf('programName') ?? 0]],
      [2, 'Saucers'],
      'the file contains only the filtered rows',
    );

    await page.goto(`${pages.url}/collaborators/${id}?tab=sign-ups&createdUntil=2020-01-01T00:00:00.000Z`);
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('tab', { name: 'Programs' }).click();
    await page.getByRole('row', { name: 'Teapots' }).waitFor();
    assert.doesNotMatch(page.url(), /createdUntil/, 'each tab has its own filters');
    await open.close();

    const onPhone = await pages.open(`/collaborators/${id}?tab=sign-ups`, manager, { viewport: PHONE });
    const tab = onPhone.page.getByRole('tab', { name: 'Sign-up' });
    const { x = 0, width = 0 } = (await tab.boundingBox()) ?? {};
    assert.ok(width > 0 && x + width <= PHONE.width, 'the selected tab is visible');
    await onPhone.close();
  });
});
