import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit, openPages, type Pages, PHONE, type Somebody } from '../../support/pages.ts';

describe('the frame of the console', () => {
  let pages: Pages;
  let owner: Somebody;
  before(async () => {
    pages = await openPages();
    owner = await pages.person('owner', 'Olga Owner');
    const { service } = pages;
    const body = { name: 'Ada Lovelace', email: 'ada@example.com' };
    await service.request('POST', '/v1/collaborators', { key: service.secretKey, body });
  });
  after(() => pages.close());

  it('the console navigates by pointer, marks the current page and focuses its heading', async () => {
    const open = await pages.open('/', owner);
    const { page } = open;
    for (const [name, path] of [
      ['Commissions', '/conversions'],
      ['API keys', '/keys'],
      ['Audit log', '/audit'],
    ] as const) {
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
      await link.click();
      await page.waitForURL(pages.url + path);
      assert.equal(await link.getAttribute('aria-current'), 'page');
      await page.locator('h1:focus').waitFor();
    }
    await open.close();
  });

  it('the console navigates by keyboard, and lists the shortcuts', async () => {
    const open = await pages.open('/keys', owner);
    const { page } = open;
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.waitForURL(`${pages.url}/webhooks`);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).getByRole('term').filter({ hasText: 'Webhooks' }).waitFor();
    await audit(open);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('people');
    await page.getByRole('option', { name: 'People' }).waitFor();
    await audit(open);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${pages.url}/people`);
    await open.close();
  });

  it('the search finds collaborators by part of their name, and only existing resources by id', async () => {
    const open = await pages.open('/keys', owner);
    const { page } = open;
    await page.getByRole('button', { name: 'Search or go to' }).first().click();
    await page.getByRole('combobox').fill('lovel');
    await page.getByRole('option', { name: /Ada Lovelace/ }).click();
    await page.waitForURL(new RegExp(`${pages.url}/collaborators/\\d+`));
    await page.keyboard.press('Control+k');
    const id = /\d+$/.exec(page.url())?.[0] ?? '';
    await page.getByRole('combobox').fill(`#${id}`);
    await page.getByRole('option', { name: `Partner ${id}` }).waitFor();
    assert.equal(await page.getByRole('option', { name: `Payout ${id}` }).count(), 0);
    await open.close();
  });

  it('the navigation opens and closes on a phone', async () => {
    const open = await pages.open('/keys', owner, { viewport: PHONE });
    const { page } = open;
    const settings = page.getByRole('link', { name: 'Settings', exact: true });
    assert.equal(await settings.isVisible(), false);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await settings.waitFor();
    await audit(open);
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await settings.click();
    await page.waitForURL(`${pages.url}/settings`);
    await settings.waitFor({ state: 'hidden' });
    await open.close();
  });

  it('a reload preserves the chosen appearance', async () => {
    const open = await pages.open('/keys', owner);
    const { page } = open;
    assert.equal(await themeOf(page), null);
    await page.getByRole('button', { name: 'Account of Olga Owner' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    assert.equal(await themeOf(page), 'dark');
    await page.reload();
    await page.locator('h1').waitFor();
    assert.equal(await themeOf(page), 'dark');
    await open.close();
  });

  it('the console shows a not-found page for an unknown path or id', async () => {
    const open = await pages.open('/no/such/page', owner);
    await open.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await audit(open);
    await open.page.goto(`${pages.url}/conversions/999999999`);
    await open.page.getByText('It may have been deleted. Go back to the list.').waitFor();
    await audit(open);
    await open.close();
  });

  it('the console shows a message while the device is offline', async () => {
    const open = await pages.open('/keys', owner);
    const { page, context } = open;
    const message = page.getByText('You are offline. The page continues when the connection is back.');
    await context.setOffline(true);
    await message.waitFor();
    await audit(open);
    await context.setOffline(false);
    await message.waitFor({ state: 'detached' });
    await open.close();
  });

  it('the console shows a demo banner if the data is generated', async () => {
    const banner = 'This is a demo. Its traffic is invented, and no money is paid.';
    const open = await pages.open('/keys', owner);
    assert.equal(await open.page.getByText(banner).count(), 0);
    await pages.service.database.query('update organizations set demo = true');
    await open.page.reload();
    await open.page.getByText(banner).waitFor();
    await audit(open);
    await open.close();
  });

  function themeOf(page: Page): Promise<string | null> {
    return page.locator('html').getAttribute('data-theme');
  }
});
