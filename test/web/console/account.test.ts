import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { readCsv } from '../../support/csv.ts';
import { audit, card, openPages, type Pages, PASSWORD, waitForRows } from '../../support/pages.ts';

describe('the account page', () => {
  let pages: Pages;
  before(async () => {
    pages = await openPages();
  });
  after(() => pages.close());

  it('changes the person’s name, which the account menu then shows', async () => {
    const open = await pages.open('/settings/account', await pages.person('viewer', 'Ada Lovelace'));
    const { page } = open;
    await audit(open);
    await page.getByLabel('Name', { exact: true }).fill('Ada King');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Account of Ada King' }).waitFor();
    assert.equal(await page.title(), 'Your account · Whence');
    await open.close();
  });

  it('enables a second factor, which the next login then requires', async () => {
    const grace = await pages.person('manager', 'Grace Hopper');
    const open = await pages.open('/settings/account', grace);
    const { page } = open;
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    const dialog = page.getByRole('dialog');
    const secret = (await dialog.locator('code').textContent())?.trim() ?? '';
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').or(dialog.locator('[aria-invalid=true]')).first().waitFor();
    await audit(open);
    await page.getByLabel('Code from the app').fill(await generate({ secret }));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
    await audit(open);
    const [recoveryCode = ''] = (await page.getByRole('dialog').locator('code').innerText()).split('\n');
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText('Logging in with your password also requires a code.').waitFor();
    await open.close();

    const again = await pages.open('/sign-in');
    await fillSignIn(again.page, grace.email);
    await again.page.getByLabel('Code', { exact: true }).waitFor();
    await audit(again);
    await again.page.getByLabel('Code', { exact: true }).fill(recoveryCode);
    await again.page.keyboard.press('Enter');
    await again.page.waitForURL(`${pages.url}/`);
    await again.close();
  });

  it('adds a passkey that logs in without a password, then removes it', async () => {
    const open = await pages.open('/settings/account', await pages.person('viewer', 'Katherine Johnson'));
    const { page } = open;
    await plugInAuthenticator(page);
    await page.getByText('You have no passkey yet.').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Passkey name').fill('Blue key');
    await audit(open);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Remove Blue key' }).waitFor();
    await audit(open);
    await page.goto(`${pages.url}/settings/account?passkeys.search=phone`);
    await card(page, 'Passkeys').getByText('Nothing matches these filters').waitFor();
    await page.goto(`${pages.url}/settings/account?passkeys.search=BLUE`);
    await card(page, 'Passkeys').getByRole('row', { name: 'Blue key' }).getByText('Not used yet').waitFor();

    await page.getByRole('button', { name: 'Account of Katherine Johnson' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByRole('button', { name: 'Account of Katherine Johnson' }).waitFor();

    await page.goto(`${pages.url}/settings/account`);
    await page.getByRole('button', { name: 'Remove Blue key' }).click();
    await page.getByRole('alertdialog').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByText('You have no passkey yet.').waitFor();
    await open.close();
  });

  it('asks for the password before adding a passkey an hour after the login', async () => {
    const mary = await pages.person('viewer', 'Mary Jackson');
    await pages.service.database.query(
      `update sessions set created_at = created_at - interval '1 hour' where person_id = (select id from people where email = $1)`,
      [mary.email],
    );
    const open = await pages.open('/settings/account', mary);
    const { page } = open;
    await plugInAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Passkey name').fill('Blue key');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Log in again' }).waitFor();
    await audit(open);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { name: 'Log in again' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Blue key' }).waitFor();
    await open.close();
  });

  it('lists sessions, and a new password ends all other sessions', async () => {
    const dorothy = await pages.person('manager', 'Dorothy Vaughan');
    const elsewhere = await pages.open('/sign-in');
    await fillSignIn(elsewhere.page, dorothy.email);
    await elsewhere.page.waitForURL(`${pages.url}/`);

    const open = await pages.open('/settings/account', dorothy);
    const { page } = open;
    await page.getByRole('button', { name: /End the session of/ }).waitFor();
    await audit(open);
    await isFoundSortedAndExported(page);
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password', { exact: true }).fill('eight quiet herons');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.locator('form').getByRole('alert').or(page.locator('[aria-invalid=true]')).first().waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('button', { name: /End the session of/ }).waitFor({ state: 'detached' });
    await elsewhere.page.goto(`${pages.url}/settings/account`);
    await elsewhere.page.getByRole('heading', { name: 'Log in to Whence' }).waitFor();
    await elsewhere.close();
    await open.close();
  });
});

/**
 * Checks that two sessions can be sorted, searched, exported and filtered by time. One session is from an invitation
 * that was accepted through the API. The other session is from a login with Chrome.
 */
async function isFoundSortedAndExported(page: Page): Promise<void> {
  const list = card(page, 'Where you are logged in');
  const names = list.locator('tbody tr td:first-child');
  const [older, newer] = ['A browser on an unknown systemThis browser', 'Chrome on Linux'];
  const shows = async (...wanted: readonly string[]): Promise<void> => {
    await waitForRows(page, wanted.length);
    for (const [at, name] of wanted.entries()) await names.nth(at).filter({ hasText: name }).waitFor();
    assert.deepEqual(await names.allTextContents(), wanted);
  };
  await shows(newer, older);
  const since = list.getByRole('columnheader', { name: 'Logged in' }).getByRole('button');
  await since.click();
  await since.click();
  await shows(older, newer);
  assert.equal(new URL(page.url()).searchParams.get('sessions.sort'), 'createdAt');

  await list.getByLabel('Search browsers').fill('chrome');
  await page.keyboard.press('Enter');
  await shows(newer);
  await page.reload();
  await shows(newer);
  assert.equal(new URL(page.url()).searchParams.get('sessions.search'), 'chrome');
  const saved = page.waitForEvent('download');
  await list.getByRole('button', { name: 'Export CSV' }).click();
  const [columns = [], ...sessions] = readCsv(await readFile(await (await saved).path(), 'utf8'));
  assert.deepEqual(
    sessions.map((cells) => columns.slice(0, 3).map((column) => cells[columns.indexOf(column)])),
    [['Chrome', 'Linux', 'false']],
  );

  await page.goto(page.url().replace(/\?.*/, '?sessions.until=2020-01-01T00:00:00.000Z'));
  await list.getByText('Nothing matches these filters').waitFor();
  await list.getByRole('button', { name: 'Clear filters' }).click();
  await shows(newer, older);
}

async function fillSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Adds a virtual authenticator that confirms each request without a user. */
async function plugInAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
