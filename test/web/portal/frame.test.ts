import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, openPages, type Pages } from '../../support/pages.ts';
import { type Collaborator, openMailbox, openPortal } from '../../support/portal.ts';

describe('the frame of a portal', () => {
  let pages: Pages;
  let ada: Collaborator;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    const key = service.secretKey;
    const portal = await openPortal(service, await openMailbox(service), 'mugs', key);
    const brand = { name: 'Ada’s Mugs', accent: '#f5c518', supportEmail: 'partners@mugs.example' };
    await service.request('PATCH', '/v1/portal-settings', { key, body: brand });
    const email = 'ada@example.com';
    await service.request('POST', '/v1/collaborators', { key, body: { name: 'Ada Lovelace', email } });
    ada = await portal.enter(email);
  });
  after(() => pages.close());

  it('the portal shows a not-found page for an unknown address', async () => {
    const open = await pages.openPortal('/nobody');
    await open.page.getByRole('heading', { name: 'There is no portal at this address' }).waitFor();
    await audit(open);
    await open.close();
  });

  it('the portal redirects logged-out visitors to the login, with the target page in the URL', async () => {
    const open = await pages.openPortal('/mugs/payouts');
    await open.page.waitForURL(/\/portal\/mugs\/sign-in\?to=\/payouts$/);
    assert.match(await open.page.title(), /· Ada’s Mugs$/);
    await audit(open);
    await open.close();
  });

  it('the portal shows the brand color with readable text, and its navigation opens a page and focuses the heading', async () => {
    const open = await pages.openPortal('/mugs', ada.cookie);
    const { page } = open;
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();
    const accent = 'getComputedStyle(document.documentElement).getPropertyValue("--accent-fill")';
    assert.equal(await page.evaluate(accent), '#f5c518');
    await page.getByRole('link', { name: 'Questions? partners@mugs.example' }).waitFor();
    await audit(open);
    for (const [name, path] of [
      ['Links', '/links'],
      ['Payouts', '/payouts'],
      ['Settings', '/settings'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
      await page.waitForURL(`**/portal/mugs${path}`);
      await page.locator('h1:focus').waitFor();
    }
    await open.close();
  });

  it('the portal shows a demo banner before and after the login if the organization is a demo', async () => {
    const banner = 'This is a demo with invented data.';
    const open = await pages.openPortal('/mugs', ada.cookie);
    const { page } = open;
    assert.equal(await page.getByText(banner).count(), 0);
    await pages.service.database.query('update organizations set demo = true');
    for (const path of ['/mugs', '/mugs/payouts', '/mugs/sign-in', '/mugs/sign-up']) {
      await page.goto(pages.url.replace('/console', `/portal${path}`));
      await page.getByText(banner).waitFor();
      await audit(open);
    }
    await open.close();
  });

  it('an owner previews the portal as a partner, and returns to the console', async () => {
    const { service } = pages;
    const { body } = await service.request('GET', '/v1/collaborators', { key: service.secretKey });
    const [{ id }] = body as [{ id: number }];
    const open = await pages.open(`/collaborators/${id}`, await pages.person('owner', 'Olga Owner'));
    const { page } = open;
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Preview the portal' }).click();
    await page.waitForURL('**/portal/mugs/');
    const banner = page.getByRole('complementary', { name: 'You see the portal as Ada Lovelace.' });
    await banner.waitFor();
    await audit(open);
    await page.goto(pages.url.replace('/console', '/portal/mugs/links'));
    await banner.waitFor();
    await audit(open);
    await banner.getByRole('button', { name: 'Back to the console' }).click();
    await page.waitForURL(`**/console/collaborators/${id}`);
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await open.close();
  });

  it('logging out of the portal ends the session', async () => {
    const open = await pages.openPortal('/mugs', ada.cookie);
    const { page } = open;
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).click();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/portal/mugs/sign-in');
    assert.equal((await ada.call('GET', '/v1/portal/session')).status, 401);
    await open.close();
  });
});
