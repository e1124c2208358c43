import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Whence } from '@whence/sdk';
import { audit, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';
import { type Collaborator, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop } from '../../support/shop.ts';

const DAY_MS = 86_400_000;

describe('the time zone of an organization', () => {
  /** The date in UTC. In Kolkata, it began at 18:30 UTC of the day before. */
  const date = (back = 0) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
  /** 00:15 in Kolkata on `date(1)`. */
  const soldAt = `${date(2)}T18:45:00Z`;
  let pages: Pages;
  let olga: Somebody;
  let ada: Collaborator;
  before(async () => {
    pages = await openPages();
    const shop = openShop(pages.service);
    const portal = await openPortal(pages.service, await openMailbox(pages.service), 'mugs', pages.service.secretKey);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada', { email: 'ada@example.com' });
    ada = await portal.enter('ada@example.com');
    const whence = new Whence({ baseUrl: pages.service.url, apiKey: pages.service.secretKey });
    const trackingId = await whence.report.visit({ collaboratorId: 'tracking:ada', occurredAt: soldAt });
    await shop.sell('early', String(trackingId), { total: 100, occurredAt: soldAt });
    await pages.service.settled();
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  it('is chosen in the settings, and determines the day of a sale', async () => {
    const period = `from=${date(1)}&until=${date()}`;
    const open = await pages.open(`/?${period}&compare=none`, olga);
    const { page } = open;
    await page.getByText('Dates are in UTC.').waitFor();
    const stats = page.getByRole('group', { name: 'Figures of the period' });
    await stats.getByRole('link', { name: /Sales/ }).getByText('0', { exact: true }).waitFor();

    await page.goto(`${pages.url}/settings`);
    await page.getByLabel('Time zone').click();
    await page.keyboard.type('kolk');
    await audit(open);
    await page.getByRole('option', { name: 'Asia/Kolkata' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved').waitFor();

    await page.goto(`${pages.url}/?${period}&compare=none`);
    await page.getByText('Dates are in Asia/Kolkata.').waitFor();
    const sales = stats.getByRole('link', { name: /Sales/ });
    await sales.getByText('1', { exact: true }).waitFor();
    await audit(open);
    await sales.click();
    await waitForRows(page, 1);
    assert.equal(
      new URL(page.url()).searchParams.get('occurredFrom'),
      `${date(2)}T18:30:00.000Z`,
      'the list begins at midnight in Kolkata',
    );
    await page.getByRole('row', { name: 'early' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const shown = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
    await page
      .getByText(shown.format(Date.parse(date(1))))
      .first()
      .waitFor();
    await open.close();
  });

  it('is used for the days and figures in the portal', async () => {
    const open = await pages.openPortal(`/mugs?from=${date(1)}&until=${date()}`, ada.cookie);
    await open.page.getByText('Dates are in Asia/Kolkata.').first().waitFor();
    await audit(open);
    await open.close();
    const figures = await ada.must('GET', `/v1/portal/figures?from=${date(1)}&until=${date()}&by=day`);
    const { timeZone, rows } = figures as { timeZone: string; rows: { visits: number }[] };
    assert.deepEqual([timeZone, rows[0]?.visits], ['Asia/Kolkata', 1]);
  });
});
