import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit, openPages, type Pages, type Somebody } from '#test/support/pages.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

describe('backtests in the console', () => {
  let pages: Pages;
  let olga: Somebody;
  let shop: Shop;
  let program: number;
  before(async () => {
    pages = await openPages();
    olga = await pages.person('owner', 'Olga Owner');
    shop = openShop(pages.service);
    program = await shop.program({ name: 'Friends' });
    await shop.collaborator('anna');
    await shop.collaborator('ben');
    const visitor = await shop.visit('anna');
    await shop.sell('order-1', await shop.visit('ben', { oid: visitor }));
    await shop.sell('order-2', await shop.visit('anna'), { total: 50 });
    await pages.service.settled();
  });
  after(() => pages.close());

  async function compare(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Compare with history' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the draft').fill(name);
    await dialog.getByRole('button', { name: 'Start' }).click();
  }

  it('compare an edited program with history, side by side with an earlier draft, and make a draft live', async () => {
    const open = await pages.open(`/programs/${program}/edit`, olga);
    const { page } = open;
    await page.getByLabel('Percent', { exact: true }).fill('20');
    await page.getByRole('button', { name: 'Compare with history' }).click();
    await page.getByRole('dialog').getByText('Nothing in the books changes.').waitFor();
    await audit(open);
    await page.keyboard.press('Escape');
    await compare(page, 'Double');
    await page.getByRole('heading', { name: 'Backtest of Friends' }).waitFor();
    const summary = page.getByRole('table', { name: 'Drafts' });
    await summary.getByText('US$30.00').waitFor();
    await summary.getByText('+US$15.00').waitFor();
    await summary.getByText('20%', { exact: true }).waitFor();
    await page.getByText('2 sales were decided again.').waitFor();
    await audit(open);

    for (const tab of ['Months', 'Products', 'Sales that change hands', 'Largest differences']) {
      await page.getByRole('tab', { name: tab }).click();
      await audit(open);
    }
    await page.getByText('20% of 100.00 USD = 20.00 USD').first().waitFor();
    await page.getByText('10% of 100.00 USD = 10.00 USD').first().waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await readFile((await (await download).path()) ?? '', 'utf8');
    assert.match(file, /^\uFEFFdraft,table,id,name,currency/);
    assert.match(file, /Double,total,,,USD,150\.00,15\.00,30\.00,15\.00/);

    await page.getByRole('link', { name: 'Edit this draft' }).click();
    await page.getByRole('heading', { name: 'Edit Friends' }).waitFor();
    await page
      .getByLabel('Who gets the credit')
      .selectOption({ label: 'First touch' })
      .catch(() => {});
    await page.getByRole('button', { name: 'Compare with history' }).click();
    await page.getByRole('dialog').getByText('Side by side with: Double').waitFor();
    await audit(open);
    await page.keyboard.press('Escape');
    await compare(page, 'Second');
    await page.getByRole('table', { name: 'Drafts' }).getByText('Second').waitFor();
    await page.getByLabel('Draft', { exact: true }).selectOption({ label: 'Second' });
    await audit(open);

    await page.getByRole('button', { name: 'Make it live' }).click();
    await page.getByRole('button', { name: 'Save version 2' }).click();
    await page.getByText('Version 2 is live').waitFor();
    const { reward, version } = await shop.get<{ reward: { percent: number }; version: number }>(
      `/v1/programs/${program}`,
    );
    assert.deepEqual([reward.percent, version], [20, 2]);
  });

  it('a draft that is compared again keeps its enrolled collaborators', async () => {
    const anna = await shop.collaborator('anna-2');
    const days = { from: '2026-01-01', until: '2027-01-01' };
    const drafts = [{ name: 'Anna only', terms: {}, collaboratorIds: [anna] }];
    const started = await pages.service.request('POST', `/v1/programs/${program}/backtest`, {
      key: pages.service.secretKey,
      body: { ...days, drafts },
    });
    const { id } = started.body as { id: number };
    await pages.service.settled();
    const open = await pages.open(`/backtests/${id}`, olga);
    const { page } = open;
    await page.getByRole('link', { name: 'Edit this draft' }).click();
    await page.getByRole('heading', { name: 'Edit Friends' }).waitFor();
    await compare(page, 'Everybody');
    await page.getByRole('heading', { name: 'Backtest of Friends' }).waitFor();
    const newest = Number(page.url().split('/').at(-1));
    assert.notEqual(newest, id);
    const found = await shop.get<{ drafts: { collaboratorIds: unknown }[] }>(`/v1/backtests/${newest}`);
    assert.deepEqual(
      found.drafts.map(({ collaboratorIds }) => collaboratorIds),
      [[anna], null],
    );
  });

  it('viewers see the list and a result, without the button that makes a draft live', async () => {
    const viewer = await pages.person('viewer', 'Vera Viewer');
    const open = await pages.open('/backtests', viewer);
    const { page } = open;
    await page.getByText('Double, Second').waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Double', exact: true }).click();
    await page.getByRole('heading', { name: 'Backtest of Friends' }).waitFor();
    await page.getByRole('button', { name: 'Export CSV' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Make it live' }).count(), 0);
    await audit(open);
  });

  it('the page of a running backtest shows its progress, and cancels it', async () => {
    const connection = await pages.service.database.connect();
    try {
      await connection.query('begin');
      await connection.query('lock table visits in access exclusive mode');
      const open = await pages.open(`/programs/new?recipe=blank`, olga);
      const { page } = open;
      await page.getByLabel('Name').first().fill('New friends');
      await compare(page, 'New');
      await page.getByRole('heading', { name: 'Backtest of a new program' }).waitFor();
      await page.getByRole('progressbar').waitFor();
      await audit(open);
      await page.getByRole('button', { name: 'Cancel backtest' }).click();
      await page.getByText('The backtest was canceled.').waitFor();
      await audit(open);
    } finally {
      await connection.query('rollback');
      connection.release();
    }
  });
});
