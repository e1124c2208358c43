import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { Whence } from '@whence/sdk';
import { audit, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';

const run = promisify(execFile);

/* The overview, the guided start, the figures of a partner and of a program, and the live page. */
describe('figures and live events in the console', () => {
  let pages: Pages;
  let whence: Whence;
  let olga: Somebody;
  before(async () => {
    pages = await openPages();
    whence = new Whence({ baseUrl: pages.service.url, apiKey: pages.service.secretKey });
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  it('the overview links a new organization to the guided start, which ends with a first commission', async () => {
    const open = await pages.open('/', olga);
    const { page } = open;
    await page.getByRole('heading', { name: 'No reports yet' }).waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Open the guided start' }).click();
    await page.getByRole('heading', { name: 'Guided start' }).waitFor();
    await page.getByRole('heading', { name: 'Name your shop' }).waitFor();
    await audit(open);
    await page.getByLabel('Page for partner links').fill('mugs.example');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByRole('link', { name: 'Ten-percent affiliate' }).waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Ten-percent affiliate' }).click();
    await page.getByRole('button', { name: 'Create program' }).click();
    // After the program is created, the console returns to the guided start, which opens the next step.
    await page.waitForURL(`${pages.url}/start`);
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByText('set up the portal.').waitFor();
    assert.equal(await page.getByLabel('Code', { exact: true }).inputValue(), 'ada');
    await audit(open);
    await page.getByRole('button', { name: 'Add partner', exact: true }).click();
    await page.getByText('Ada Lovelace can earn.').waitFor();
    await page.getByText('https://mugs.example/?ref=ada').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create new keys' }).click();
    await page.getByText('shown only once').waitFor();
    await audit(open);
    assert.match(await codeOf(page, 'In each page of your shop'), /data-key="pk_live_[\w-]+"/);
    assert.match(await codeOf(page, 'On your server'), /Bearer sk_live_[\w-]+/);

    const { stdout } = await run('bash', ['-c', await codeOf(page, 'In a terminal')]);
    assert.match(stdout, /^HTTP\/1\.1 200/);
    await page.getByText('You are set up').waitFor();
    await page.getByText('US$5.00').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Program', exact: false }).first().click();
    await page.getByText('You have a program.').waitFor();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('link', { name: 'See why, to the cent' }).click();
    await page.getByRole('heading', { level: 1 }).getByText('US$5.00').waitFor();
    await open.close();
  });

  it('the overview shows figures by collaborator and source, with links to sales and collaborators', async () => {
    for (const [at, total] of [20, 30, 40, 50, 60, 70, 80].entries()) {
      const aliases = [{ type: 'tracking' as const, code: `helper-${at}` }];
      const { id } = await whence.collaborators.create({ name: `Helper ${at}`, aliases });
      const trackingId = await whence.report.visit({ collaboratorId: id });
      const currency = at === 0 ? 'EUR' : 'USD';
      await whence.report.sale({ source: 'app', externalId: `order-${at}`, total, currency, trackingId });
    }
    await pages.service.settled();
    // The sales follow their clicks within seconds, so they are in fraud review.
    const { data: held } = await whence.conversions.list().page();
    await whence.conversions.bulk({ action: 'release', ids: held.map(({ id }) => id) });
    const open = await pages.open('/', olga);
    const { page } = open;
    // The revenue is 49.99, plus 330.00 from six helpers.
    const stat = page.getByRole('group', { name: 'Figures of the period' });
    await stat.getByText('US$379.99').waitFor();
    await stat.getByText('100%').waitFor();
    const bars = page.getByRole('list', { name: 'Revenue by partner' });
    await bars.getByRole('listitem').filter({ hasText: 'Helper 6' }).getByText('US$80.00').waitFor();
    await bars.getByRole('listitem').filter({ hasText: 'Helper 6' }).getByText('1 click · 1 sale · 100%').waitFor();
    // Six of eight collaborators have a bar. The other two have one sale of US$30.00 and one sale in euros.
    const left = bars.getByRole('listitem').filter({ hasText: '2 more' });
    await left.getByText('US$30.00').waitFor();
    await left.getByText('2 clicks · 1 of 2 sales · 100%').waitFor();
    await page.getByRole('group', { name: 'Ranked by' }).getByRole('button', { name: 'Earned' }).click();
    const earned = page.getByRole('list', { name: 'Earned by partner' });
    // Each reward is 10% of a sale, including the sale from the guided start.
    await earned.getByRole('listitem').filter({ hasText: 'Helper 6' }).getByText('US$8.00').waitFor();
    await earned.getByRole('listitem').filter({ hasText: 'Helper 6' }).getByText('US$80.00 · 1 click').waitFor();
    await page.getByRole('group', { name: 'Ranked by' }).getByRole('button', { name: 'Clicks' }).click();
    const visited = page.getByRole('list', { name: 'Clicks by partner' });
    await visited.getByRole('listitem').filter({ hasText: 'Helper 6' }).getByText('1', { exact: true }).waitFor();
    assert.match(page.url(), /highest=visits$/);
    // A visit has no source, so the chart of sources shows revenue instead of visits.
    await page.getByRole('list', { name: 'Revenue by source' }).waitFor();
    await audit(open);
    await page.reload();
    await visited.waitFor();
    await page.getByRole('group', { name: 'Ranked by' }).getByRole('button', { name: 'Revenue' }).click();
    await page.getByText('8 commissions to approve').waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();
    await audit(open);
    await page.getByRole('button', { name: 'EUR' }).click();
    await bars.getByRole('listitem').first().getByText('€20.00').waitFor();
    const chart = page.getByRole('group', { name: 'Chart measure' });
    await chart.getByRole('button', { name: 'Clicks' }).click();
    await page.getByRole('columnheader', { name: 'Clicks' }).waitFor();
    assert.match(page.url(), /currency=EUR&measure=visits$/);
    await page.getByRole('link', { name: /^Revenue/ }).click();
    await page.getByRole('heading', { name: 'Sales' }).waitFor();
    await waitForRows(page, 1);
    await page.getByText('order-0').waitFor();
    await page.goBack();
    await bars.getByRole('link', { name: 'Helper 0' }).click();
    await page.getByRole('heading', { name: 'Helper 0' }).waitFor();
    await open.close();
  });

  it('the chart compares months with the previous year, and opens the sales of a chosen month', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const year = Number(today.slice(0, 4));
    // The period ends today, which is the only incomplete day.
    const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    const open = await pages.open(`/?from=${year - 1}-12-01&until=${tomorrow}&interval=month&compare=year`, olga);
    const { page } = open;
    await page.getByRole('heading', { name: 'By month' }).waitFor();
    await page
      .getByRole('group', { name: 'Figures of the period' })
      .getByText(`Dec 1, ${year - 2}`)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('region', { name: 'Revenue by month' });
    const months = Number(today.slice(5, 7)) + 1;
    assert.equal(await table.locator('tbody tr').count(), months);
    const last = table.locator('tbody tr').last();
    await last.getByText('(so far)').waitFor();
    await last.getByText('US$379.99').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Previous year' }).click();
    await page.getByRole('menuitem', { name: 'No comparison' }).click();
    await page.getByRole('columnheader', { name: String(year - 2) }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show as chart' }).click();
    const chart = page.getByRole('application', { name: /^Revenue by month/ });
    await chart.focus();
    await page.keyboard.press('End');
    await page.getByRole('status').filter({ hasText: 'US$379.99' }).waitFor({ state: 'attached' });
    await audit(open);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sales' }).waitFor();
    assert.match(page.url(), new RegExp(`occurredFrom=${today.slice(0, 7)}-01`));
    await waitForRows(page, 7);
    await open.close();
  });

  it('only the chosen preset is ticked on a day on which two presets have the same days', async () => {
    const open = await pages.open('/', olga);
    const { page } = open;
    const clock = await open.takeClock();
    await clock.setSystemTime(new Date('2026-11-30T12:00:00Z'));
    await page.reload();
    const ticked = page.getByRole('dialog').getByRole('button', { pressed: true });
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await ticked.first().waitFor();
    assert.deepEqual(await ticked.allTextContents(), ['Last 30 days']);
    await page.getByRole('dialog').getByRole('button', { name: 'This month' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'This month' }).click();
    await ticked.first().waitFor();
    assert.deepEqual(await ticked.allTextContents(), ['This month']);
    await open.close();
  });

  it('the chart of clicks opens the clicks of a chosen day', async () => {
    const open = await pages.open('/?measure=visits', olga);
    const { page } = open;
    await page.getByRole('application', { name: /^Clicks by day/ }).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/live\?type=SiteVisited&occurredFrom=/);
    await page.getByRole('heading', { name: 'Live events' }).waitFor();
    await waitForRows(page, 8);
    await open.close();
  });

  it('the page of a partner compares a chosen period, and ranks links and landing pages in it', async () => {
    const aliases = ['nia', 'nia-mugs'].map((code) => ({ type: 'tracking' as const, code }));
    const { id } = await whence.collaborators.create({ name: 'Nia Nkem', aliases });
    await pages.service.database.query(`update aliases set page_url = $1 where code = 'nia-mugs'`, [
      'https://mugs.example/blue?size=2',
    ]);
    const trackingId = await whence.report.visit({ collaboratorId: 'tracking:nia' });
    await whence.report.visit({ collaboratorId: 'tracking:nia-mugs' });
    await whence.report.visit({ collaboratorId: 'tracking:nia-mugs' });
    await whence.report.sale({ source: 'app', externalId: 'nia-1', total: 90, currency: 'USD', trackingId });
    await pages.service.settled();
    const open = await pages.open(`/collaborators/${id}?tab=performance`, olga);
    const { page } = open;
    const figures = page.getByRole('group', { name: 'Figures of the period' });
    await figures.getByText('US$90.00').waitFor();
    const links = page.getByRole('table', { name: 'Top links and codes' });
    await links.locator('tbody tr').first().getByText('US$90.00').waitFor();
    await audit(open);
    await links.getByRole('button', { name: 'Clicks' }).click();
    await page.waitForURL(/highest=visits/);
    await links.locator('tbody tr').first().getByText('nia-mugs').waitFor();
    const landing = page.getByRole('list', { name: 'Top landing pages' }).getByRole('listitem');
    await landing.first().getByText('/blue?size=2').waitFor();
    assert.match(await landing.nth(1).innerText(), /^Landing page of your shop\s+1\s+1 sale · 100%$/);
    await page.getByRole('button', { name: 'Previous period' }).click();
    await page.getByRole('menuitem', { name: 'Previous year' }).click();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByRole('button', { name: 'Last month' }).click();
    await page.waitForURL(/compare=year/);
    assert.match(page.url(), /from=\d{4}-\d\d-01&until=\d{4}-\d\d-01/);
    await page.getByRole('heading', { name: 'No results in this period' }).waitFor();
    await page.getByText('No clicks on links in this period.').waitFor();
    await audit(open);
    await page.goto(`${pages.url}/collaborators/${id}?tab=performance`);
    await figures.getByRole('link', { name: /^Clicks/ }).click();
    await page.waitForURL(new RegExp(`/live\\?type=SiteVisited&collaboratorId=${id}`));
    await waitForRows(page, 3);
    await open.close();
  });

  it('the page of a program shows its figures in a chosen currency, and opens its sales', async () => {
    const [program] = await whence.programs.list().toArray({ limit: 1 });
    const open = await pages.open(`/programs/${program?.id}?currency=EUR`, olga);
    const { page } = open;
    const figures = page.getByRole('group', { name: 'Figures of the period' });
    await figures.getByText('€20.00').waitFor();
    await page
      .getByRole('list', { name: 'Earned by partner' })
      .getByRole('listitem')
      .filter({ hasText: 'Helper 0' })
      .waitFor();
    await page.getByRole('button', { name: 'USD' }).click();
    await figures.getByText('US$469.99').waitFor();
    await page.getByRole('button', { name: 'Previous period' }).click();
    await page.getByRole('menuitem', { name: 'No comparison' }).click();
    await page.waitForURL(/compare=none/);
    await audit(open);
    await figures.getByRole('link', { name: /^Revenue/ }).click();
    await page.waitForURL(new RegExp(`/sales\\?programId=${program?.id}&currency=USD`));
    await waitForRows(page, 8);
    await open.close();
  });

  it('the overview links to the collaborators waiting for approval', async () => {
    await whence.collaborators.create({ name: 'Wanda Waits', status: 'pending' });
    const open = await pages.open('/', olga);
    const { page } = open;
    await page.getByRole('link', { name: '1 application to review' }).click();
    await page.getByRole('tab', { name: 'Waiting', selected: true }).waitFor();
    await page.getByRole('row', { name: 'Wanda Waits' }).waitFor();
    await open.close();
  });

  it('the live page shows new events until it is paused, and retries a dead-lettered event', async () => {
    const open = await pages.open('/live', olga);
    const { page } = open;
    await waitForRows(page, 20);
    await whence.report.visit({ collaboratorId: 'tracking:ada' });
    await waitForRows(page, 21);
    await page.locator('tbody tr').first().getByText('Ada Lovelace').waitFor();
    await audit(open);
    await page.keyboard.press('p');
    await page.getByText('Paused').waitFor();
    await page.locator('tbody tr').filter({ hasText: 'order-6' }).click();
    const drawer = page.getByRole('dialog', { name: 'Sale' });
    await drawer.getByRole('link', { name: 'order-6' }).waitFor();
    await drawer.getByText('"state": "done"').waitFor();
    await audit(open);
    await page.keyboard.press('Escape');

    // Simulate an event that was dead-lettered after five failures.
    await pages.service.database.query(
      `insert into jobs (organization_id, event_id, transaction_id, type, attempts, run_at, dead_lettered_at, error)
       select organization_id, id, transaction_id, type, 5, now() + interval '1 day', now(), 'It could not be decided'
       from events where type = 'SaleTriggered' order by id desc limit 1`,
    );
    await page.goto(`${pages.url}/live?state=parked`);
    await waitForRows(page, 1);
    await page.locator('tbody tr').click();
    await drawer.getByText('It could not be decided').first().waitFor();
    await audit(open);
    await drawer.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The event is retried').waitFor();
    await drawer.getByText('Decided', { exact: true }).waitFor();
    await drawer.getByRole('link', { name: 'Journey of this visitor' }).click();
    await page.waitForURL(/\/opportunities\/\d+/);

    // Opening a drawer must not change the list's page.
    await Promise.all(Array.from({ length: 12 }, () => whence.report.visit({ collaboratorId: 'tracking:ada' })));
    await page.goto(`${pages.url}/live`);
    await waitForRows(page, 25);
    await page.getByRole('button', { name: 'Next page' }).click();
    await waitForRows(page, 8);
    await page.locator('tbody tr').first().click();
    await page.getByRole('dialog').waitFor();
    assert.match(page.url(), /after=.*event=\d+|event=\d+.*after=/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitForRows(page, 8);
    await open.close();
  });
});

function codeOf(page: Page, title: string): Promise<string> {
  return page.getByRole('group', { name: title }).locator('code').innerText();
}
