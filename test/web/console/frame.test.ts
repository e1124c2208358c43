import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { audit, findViolations, openPages, type Pages, PHONE, type Somebody } from '../../support/pages.ts';

describe('the frame of the console', () => {
  let pages: Pages;
  let owner: Somebody;
  before(async () => {
    pages = await openPages();
    owner = await pages.person('owner', 'Olga Owner');
    const { service } = pages;
    const body = { name: 'Ada Lovelace', email: 'ada@example.com' };
    await service.request('POST', '/v1/collaborators', { key: service.secretKey, body });
    await service.request('PATCH', '/v1/portal-settings', {
      key: service.secretKey,
      body: { slug: 'mugs', landingUrl: 'https://mugs.example/' },
    });
  });
  after(() => pages.close());

  it('a click in the navigation opens a page, marks it as current and focuses its heading', async () => {
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

  it('the console can be navigated with the keyboard, and lists the shortcuts', async () => {
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
    await page.getByRole('combobox', { name: 'Search or go to' }).fill('people');
    await page.getByRole('option', { name: 'People' }).waitFor();
    await audit(open);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${pages.url}/people`);
    await open.close();
  });

  it('the search finds collaborators by a part of their name, and only existing resources by their id', async () => {
    const open = await pages.open('/keys', owner);
    const { page } = open;
    await page.getByRole('button', { name: 'Search or go to' }).first().click();
    await page.getByRole('combobox', { name: 'Search or go to' }).fill('lovel');
    await page.getByRole('option', { name: /Ada Lovelace/ }).click();
    await page.waitForURL(new RegExp(`${pages.url}/collaborators/\\d+`));
    await page.keyboard.press('Control+k');
    const id = /\d+$/.exec(page.url())?.[0] ?? '';
    await page.getByRole('combobox', { name: 'Search or go to' }).fill(`#${id}`);
    await page.getByRole('option', { name: `Partner ${id}` }).waitFor();
    assert.equal(await page.getByRole('option', { name: `Payout ${id}` }).count(), 0);
    await open.close();
  });

  it('text that is typed into the search before its code is loaded is kept, and Enter opens no other page', async () => {
    const open = await pages.open('/keys', owner);
    const { page } = open;
    const { promise: isTyped, resolve: load } = Promise.withResolvers<void>();
    await page.route('**/assets/command-menu-*.js', async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Search or go to' }).first().click();
    await page.keyboard.type('gw Ada  Lovelaxx');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await page.getByText('gw Ada  Lovela', { exact: true }).waitFor();
    for (let n = 0; n < 'gw Ada  Lovela'.length; n += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('Ada Love');
    load();
    const field = page.getByRole('combobox', { name: 'Search or go to' });
    await field.waitFor();
    await page.keyboard.type('lace');
    assert.equal(await field.inputValue(), 'Ada Lovelace');
    assert.equal(page.url(), `${pages.url}/keys`);
    await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`${pages.url}/collaborators/\\d+`));
    await page.keyboard.press('Control+k');
    await field.waitFor();
    assert.equal(await field.inputValue(), '');
    await open.close();
  });

  it('the command menu offers the tabs and dialogs that the role of the person allows', async () => {
    const open = await pages.open('/keys', await pages.person('owner'));
    const { page } = open;
    const find = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or go to' }).fill(text);
    };
    for (const [text, name, heading] of [
      ['agreement', 'Partner agreement', 'Partner agreement'],
      ['new group', 'New group', 'New group'],
      ['material', 'New material', 'New material'],
      ['import res', 'Import results', 'Import results'],
      ['1099', 'Year-end export', 'Year-end export'],
      ['exchange', 'Import exchange rates', 'Reporting currency'],
      ['announcement', 'Write to partners', 'Write to partners'],
      ['digest', 'Your account', 'Your account'],
      ['invitation link', 'Programs', 'Programs'],
    ] as const) {
      await find(text);
      await page.getByRole('option', { name, exact: true }).click();
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await audit(open);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    for (const [text, name, tab] of [
      ['requests', 'Payout requests', /^Requests/],
      ['deny', 'Fraud lists', 'Lists'],
      ['top', 'Partner performance', 'Performance'],
    ] as const) {
      await find(text);
      await page.getByRole('option', { name, exact: true }).click();
      await page.getByRole('tab', { name: tab, selected: true }).waitFor();
    }
    await find('dark');
    await page.getByRole('option', { name: 'Appearance: Dark' }).click();
    assert.equal(await themeOf(page), 'dark');
    await page.goto(`${pages.url}/collaborators/1`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await find('preview');
    await page.getByRole('option', { name: 'Preview the portal' }).click();
    await page.waitForURL(/\/portal\/mugs\//);
    await page.goto(`${pages.url}/keys`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await find('log out');
    await page.getByRole('option', { name: 'Log out' }).click();
    await page.waitForURL(/\/sign-in/);
    await open.close();

    const viewed = await pages.open('/keys', await pages.person('viewer'));
    await viewed.page.keyboard.press('Control+k');
    await viewed.page.getByRole('combobox', { name: 'Search or go to' }).waitFor();
    const options = await viewed.page.getByRole('option').allTextContents();
    assert.ok(options.includes('Partner agreement') && options.includes('Log out'));
    assert.deepEqual(
      options.filter((name) => /New|Record|Import|Credit|Preview|Invite|Year|Write/.test(name)),
      [],
    );
    await viewed.close();
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

  it('on a phone, a toast covers neither a new invitation link nor a new code', async () => {
    const { service } = pages;
    const body = { name: 'Friends', reward: { type: 'percent', percent: 10 } };
    await service.request('POST', '/v1/programs', { key: service.secretKey, body });
    const open = await pages.open('/programs/1?tab=sign-up', owner, { viewport: PHONE });
    const { page } = open;
    await page.getByRole('button', { name: 'New invitation link' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('The link is created').waitFor();
    await assertUncovered(page, page.getByRole('region', { name: 'Link 1' }));
    await audit(open);
    await page.goto(`${pages.url}/collaborators/1?tab=links`);
    await page.getByRole('textbox', { name: 'Add a code' }).fill('lovelace');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('lovelace').last().waitFor();
    await assertUncovered(page, page.getByRole('row').filter({ hasText: 'lovelace' }));
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
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await message.waitFor({ state: 'detached' });
    await open.close();
  });

  it('a page whose code is not loaded shows that the device is offline, and opens when it is online again', async () => {
    const open = await pages.open('/keys', owner);
    const { page, context } = open;
    await context.setOffline(true);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Opportunities' }).click();
    await page.getByRole('heading', { name: 'You’re offline', level: 1 }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'You’re offline', level: 1 }).waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Opportunities', level: 1 }).waitFor();
    assert.deepEqual(
      open.scriptFaults().filter((fault) => !fault.includes('UnreachableError')),
      [],
    );
    await open.close();
  });

  it('a page whose code is not loaded shows that the service does not respond, and opens when it responds again', async () => {
    const open = await pages.open('/keys', owner);
    const { page, context } = open;
    await context.route('**/*', (route) => route.abort());
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payouts' }).click();
    await page.getByText('The service could not be reached').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The service could not be reached').waitFor();
    await context.unroute('**/*');
    await page.getByRole('heading', { name: 'Payouts', level: 1 }).waitFor();
    assert.deepEqual(
      open.scriptFaults().filter((fault) => !fault.includes('UnreachableError')),
      [],
    );
    await open.close();
  });

  it('the console shows a demo banner if the organization is a demo', async () => {
    const banner = 'This is a demo with invented data.';
    const open = await pages.open('/keys', owner);
    assert.equal(await open.page.getByText(banner).count(), 0);
    await pages.service.database.query('update organizations set demo = true');
    await open.page.reload();
    await open.page.getByText(banner).waitFor();
    await audit(open);
    await open.close();
  });

  /** Asserts that the shown toast does not overlap an element. */
  async function assertUncovered(page: Page, element: Locator): Promise<void> {
    const toast = await page.locator('[data-toast]').boundingBox();
    const box = await element.boundingBox();
    assert.ok(toast !== null && box !== null);
    assert.ok(toast.y + toast.height <= box.y || box.y + box.height <= toast.y, JSON.stringify({ toast, box }));
  }

  function themeOf(page: Page): Promise<string | null> {
    return page.locator('html').getAttribute('data-theme');
  }
});
