import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, openPages, type Pages, PASSWORD, type Somebody } from '../../support/pages.ts';
import { type Mailbox, openMailbox } from '../../support/portal.ts';

describe('logging in to the console', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  let ada: Somebody;
  before(async () => {
    pages = await openPages();
    mailbox = await openMailbox(pages.service);
  });
  after(() => pages.close());

  it('the link from the first start creates the first owner only once', async () => {
    const link = pages.service.printed.join('\n').match(/\/console(\/welcome#[\w-]{43})/)?.[1];
    assert.ok(link !== undefined, 'the link is printed');
    const open = await pages.open(link);
    const { page } = open;
    await audit(open);
    await page.getByLabel('Your name').fill('Olga Owner');
    await page.getByLabel('Email').fill('olga@people.example');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Password', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await audit(open);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${pages.url}/start`);
    await page.getByRole('button', { name: 'Account of Olga Owner' }).waitFor();
    await open.close();

    const again = await pages.open(link);
    await again.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
    await audit(again);
    await again.close();
  });

  it('a page that is opened without a session redirects to the login, which redirects back to the page', async () => {
    ada = await pages.person('manager', 'Ada Lovelace');
    const open = await pages.open('/sales?sort=occurredAt');
    const { page } = open;
    await page.getByRole('heading', { name: 'Log in to Whence' }).waitFor();
    assert.equal(await page.title(), 'Log in · Whence');
    await audit(open);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await audit(open);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${pages.url}/sales?sort=occurredAt`);
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();
    await open.close();
  });

  it('the password field is masked, can be revealed, and allows password managers and pasting', async () => {
    const open = await pages.open('/sign-in');
    const { page } = open;
    const field = page.getByLabel('Password', { exact: true });
    assert.equal(await field.getAttribute('type'), 'password');
    assert.equal(await field.getAttribute('autocomplete'), 'current-password');
    assert.match((await page.getByLabel('Email').getAttribute('autocomplete')) ?? '', /^username/);
    const isTaken = await page.evaluate(
      `['paste', 'drop', 'copy'].every((type) => document.querySelector('input[type=password]')
        .dispatchEvent(new Event(type, { bubbles: true, cancelable: true })))`,
    );
    assert.equal(isTaken, true, 'the field allows paste, drop and copy');
    await field.focus();
    await page.keyboard.insertText(PASSWORD);
    assert.equal(await field.inputValue(), PASSWORD);
    await page.getByRole('button', { name: 'Show the password' }).click();
    assert.equal(await field.getAttribute('type'), 'text');
    await page.getByRole('button', { name: 'Hide the password' }).click();
    assert.equal(await field.getAttribute('type'), 'password');
    await open.close();

    const reset = await pages.open('/reset#' + 'x'.repeat(43));
    assert.equal(await reset.page.locator('input[type=password]').first().getAttribute('autocomplete'), 'new-password');
    await reset.close();
  });

  it('logging out ends the session, and the redirect after a login cannot target another site', async () => {
    const open = await pages.open('/sign-in?to=//other.example/');
    const { page } = open;
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${pages.url}/`);
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).waitFor();
    await audit(open);
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL(`${pages.url}/sign-in`);
    await page.goto(`${pages.url}/keys`);
    await page.waitForURL(`${pages.url}/sign-in?to=/keys`);
    await open.close();
  });

  it('a person whose session has expired logs in again without losing typed input', async () => {
    const open = await pages.open('/settings/account', ada);
    const { page } = open;
    await page.getByLabel('Name', { exact: true }).fill('Ada King');
    await endSessions(ada);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await audit(open);
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ada King');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Account of Ada King' }).waitFor();
    await open.close();
  });

  it('a forgotten password is reset with an emailed link', async () => {
    const open = await pages.open('/sign-in');
    const { page } = open;
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await page.getByLabel('Email').fill(ada.email);
    await audit(open);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.getByRole('heading', { name: 'No mail server is set up' }).waitFor();
    const mail = (await mailbox.mailsTo(ada.email)).at(-1);
    const link = /https?:\/\/\S+\/console\/reset#\S+/.exec(mail?.text ?? '')?.[0];
    assert.ok(link !== undefined, mail?.text);
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill('eight quiet herons');
    await audit(open);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
    await page.getByRole('link', { name: 'Go to login' }).click();
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill('eight quiet herons');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${pages.url}/`);
    await open.close();
  });

  it('an invited person joins with the role of the invitation', async () => {
    const { service } = pages;
    const body = { email: 'vera@people.example', role: 'viewer' };
    const invited = await service.request('POST', '/v1/invitations', { key: service.secretKey, body });
    const { hash } = new URL((invited.body as { readonly url: string }).url);
    const open = await pages.open(`/invitation${hash}`);
    const { page } = open;
    await page.getByText('You are invited as a viewer').waitFor();
    await audit(open);
    assert.equal(await page.getByLabel('Email').inputValue(), 'vera@people.example');
    await page.getByLabel('Your name').fill('Vera Viewer');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(`${pages.url}/`);
    await page.getByRole('button', { name: 'Account of Vera Viewer' }).waitFor();
    await open.close();
  });

  /**
   * Ends the sessions of all people, and resolves once calls of the given person are refused. The service caches
   * callers for half a second. `GET /v1/session` reads the session itself, so it would be refused earlier.
   */
  async function endSessions({ cookie }: Somebody): Promise<void> {
    const { database, request } = pages.service;
    await database.query('delete from sessions');
    const headers = { cookie: `whence=${cookie}`, 'sec-fetch-site': 'same-origin' };
    while ((await request('GET', '/v1/organization', { headers })).status !== 401);
  }
});
