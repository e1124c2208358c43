import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Whence } from '@whence/sdk';
import { embedCode } from '#web/console/portal/embed-code.ts';
import { audit, chooseDeletedFile, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';
import { PASSWORD } from '../../support/people.ts';
import { openReceiver } from '../../support/receiver.ts';

describe('settings in the console', () => {
  let pages: Pages;
  let olga: Somebody;
  before(async () => {
    pages = await openPages({ WEBHOOKS_PRIVATE_ADDRESSES: 'true' });
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  it('an owner creates an API key, sees it once, rotates it and revokes it', async () => {
    const open = await pages.open('/keys', olga);
    const { page } = open;
    await waitForRows(page, 2);
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Checkout');
    await dialog.getByRole('checkbox', { name: /^Change/ }).click();
    await audit(open);
    await dialog.getByRole('radio', { name: 'Publishable' }).click();
    await dialog.getByLabel('Allowed origins').fill('https://shop.example/checkout');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByRole('radio', { name: 'Secret' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'Your key “Checkout”' });
    const rawKey = await shown.locator('code').first().innerText();
    const whence = new Whence({ baseUrl: pages.service.url, apiKey: rawKey });
    await whence.programs.create({ name: 'Affiliates', reward: { type: 'percent', percent: 10 } });
    await audit(open);
    // Escape and a click outside must not close the dialog, because the key is shown only once.
    await page.keyboard.press('Escape');
    await page.mouse.click(10, 10);
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await waitForRows(page, 3);

    await menu(page, 'Actions for Checkout', 'Rotate …');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await waitForRows(page, 4);
    const replaced = page.getByRole('row').filter({ hasText: 'Replaced' });
    await replaced.getByRole('button', { name: 'Actions for Checkout' }).click();
    await page.getByRole('menuitem', { name: 'Revoke …' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row').filter({ hasText: 'Revoked' }).waitFor();
    await audit(open);
    await open.close();
  });

  it('an owner invites people and changes a role, but cannot remove the last owner', async () => {
    const open = await pages.open('/people?new=invitation', olga);
    const { page } = open;
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('grace@example.com');
    await dialog.getByRole('radio', { name: 'Viewer' }).click();
    await audit(open);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText('grace@example.com is invited').waitFor();
    assert.match(await dialog.locator('code').innerText(), /\/console\/invitation#[\w-]+/);
    await audit(open);
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await page.getByRole('button', { name: 'Revoke the invitation to grace@example.com' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row').filter({ hasText: 'grace@example.com' }).getByText('Revoked').waitFor();
    await audit(open);
    await page.goto(`${pages.url}/people?tab=invitations&createdUntil=2020-01-01T00:00:00.000Z`);
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('tab', { name: 'People', exact: true }).click();
    await page.getByRole('row', { name: 'Olga Owner' }).waitFor();
    assert.doesNotMatch(page.url(), /createdUntil/, 'each list has its own filters');
    await page.goto(`${pages.url}/people?createdUntil=2020-01-01T00:00:00.000Z`);
    await page.getByText('Nothing matches').waitFor();

    await pages.person('manager', 'Mary Somerville');
    await page.goto(`${pages.url}/people`);
    await waitForRows(page, 2);
    await menu(page, 'Actions for Olga Owner', 'Remove …');
    const question = page.getByRole('alertdialog');
    await question.getByText('This is your own account.').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await question.getByText('There would be no owner left').waitFor();
    await question.getByText('Make another person an owner first').waitFor();
    await audit(open);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await menu(page, 'Actions for Mary Somerville', 'Change role …');
    await dialog.getByRole('radio', { name: 'Viewer' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Mary Somerville' }).getByText('Viewer').waitFor();
    await open.close();
  });

  it('the audit log shows a change field by field', async () => {
    const open = await pages.open('/audit', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.keyboard.type('changed a person');
    await page.getByRole('option', { name: 'Changed a person' }).click();
    await waitForRows(page, 1);
    await page.getByRole('button', { name: 'By', exact: true }).click();
    await page.getByRole('option', { name: /Olga Owner/ }).click();
    await page.getByRole('cell', { name: 'Person “Mary Somerville”' }).click();
    const drawer = page.getByRole('dialog', { name: 'Changed a person' });
    await drawer.getByRole('row', { name: 'role manager viewer' }).waitFor();
    await audit(open);
    await drawer.getByRole('link', { name: 'Person “Mary Somerville”' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await open.close();
  });

  it('the audit log shows a bulk change, with each resource before and after', async () => {
    const whence = new Whence({ baseUrl: pages.service.url, apiKey: pages.service.secretKey });
    const { id } = await whence.collaborators.create({ name: 'Ada' });
    await whence.collaborators.bulk({ action: 'deactivate', ids: [id] });
    const open = await pages.open('/audit?operation=moveCollaborators', olga);
    await open.page.getByRole('cell', { name: 'One partner' }).click();
    const drawer = open.page.getByRole('dialog', { name: 'Activated, deactivated or rejected partners' });
    for (const [title, status] of [
      ['Before', 'active'],
      ['After', 'inactive'],
    ] as const)
      await drawer.getByRole('group', { name: title }).getByText(`"status": "${status}"`).waitFor();
    assert.equal(await drawer.getByRole('table').count(), 0);
    await audit(open);
    await open.close();
  });

  it('an owner creates a webhook, tests it, inspects its delivery, pauses and deletes it', async (test) => {
    const receiver = await openReceiver();
    test.after(() => receiver.close());
    const open = await pages.open('/webhooks', olga);
    const { page } = open;
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await audit(open);
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Receiver').fill('ftp://shop.example');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Receiver').fill(receiver.url);
    await dialog.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
    await dialog.getByLabel('Description').fill('Warehouse');
    await dialog.getByText('All events').click();
    await dialog.getByRole('combobox', { name: 'Kinds of events' }).click();
    await page.keyboard.type('payout.paid');
    await page.getByRole('option', { name: 'payout.paid' }).click();
    await audit(open);
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
    await page.getByText(/^curl -X POST .*\/v1\/webhooks\/\d+\/test /).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await receiver.got(1);
    await page.getByRole('row').filter({ hasText: 'Delivered' }).getByText('webhook.test').click();
    await dialog.getByText(/^204, \d+ ms$/).waitFor();
    await audit(open);
    await page.keyboard.press('Escape');
    await menu(page, 'More actions', 'Pause');
    await page.getByText('Paused manually.').waitFor();
    await menu(page, 'More actions', 'Delete …');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${pages.url}/webhooks`);
    await page.getByText('Deleted').first().waitFor();
    await open.close();
  });

  it('an owner changes the organization, and sets up the portal', async () => {
    const open = await pages.open('/settings', olga);
    const { page } = open;
    await page.getByText(/^Whence \d+\.\d+\.\d+$/).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Teapot & Daughters');
    await audit(open);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved').waitFor();
    await page.getByText('Teapot & Daughters').filter({ visible: true }).first().waitFor();

    await page.getByRole('link', { name: /^Portal/ }).click();
    await page.getByText('no one can reach it').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
    await page.getByLabel('Short name').fill('teapot');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('An open portal needs a landing page for its links.').waitFor();
    await audit(open);
    await page.getByLabel('Page of your shop').fill('https://teapot.example/');
    await page.getByText('https://teapot.example/?ref=ada').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Teapot friends');
    await page.getByLabel('Color', { exact: true }).fill('#0f766e');
    await page.getByLabel('Origins').fill('https://teapot.example');
    await chooseDeletedFile(page.locator('input[type=file]'), 'logo.svg');
    await page.getByText('The file can’t be read.').waitFor();
    await audit(open);
    await page.locator('input[type=file]').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: LOGO });
    await page.getByRole('img', { name: 'Logo preview' }).waitFor();
    await page.getByText('The file can’t be read.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The portal is saved').waitFor();
    const address = await page.getByRole('link', { name: 'Open the portal' }).getAttribute('href');
    const code = page.getByRole('group', { name: 'Code for your page' }).locator('code');
    assert.equal(await code.innerText(), embedCode({ url: address ?? '', name: 'Teapot friends' }));
    await audit(open);
    await page.goto(address ?? '');
    await page
      .getByText('Teapot friends')
      .or(page.getByRole('img', { name: 'Teapot friends' }))
      .first()
      .waitFor();
    await open.close();
  });

  it('a viewer sees no buttons for changes in the settings', async () => {
    const open = await pages.open('/keys', await pages.person('viewer', 'Vera Viewer'));
    const { page } = open;
    await waitForRows(page, 4);
    assert.equal(await page.getByRole('button', { name: /New key|Actions for/ }).count(), 0);
    await page.goto(`${pages.url}/people`);
    await waitForRows(page, 3);
    assert.equal(await page.getByRole('button', { name: /Invite|Actions for/ }).count(), 0);
    await page.goto(`${pages.url}/webhooks/1`);
    await waitForRows(page, 1);
    assert.equal(await page.getByRole('button', { name: /Send a test|More actions/ }).count(), 0);
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await page.goto(`${pages.url}/settings/portal`);
    assert.ok(await page.getByLabel('Short name').isDisabled());
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
    await page.goto(`${pages.url}/start`);
    await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Only owners can create keys.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Create .* keys|^Add$/ }).count(), 0);
    await audit(open);
    await open.close();
  });

  it('an owner with an old login logs in again in a dialog without losing the typed input', async () => {
    const pat = await pages.person('owner', 'Pat Passing');
    const leaver = await pages.person('viewer', 'Lee Leaver');
    const open = await pages.open('/keys?new=key', pat);
    const { page } = open;
    const ageSessions = () =>
      pages.service.database.query(
        `update sessions set created_at = created_at - interval '1 hour'
         where person_id = (select id from people where email = $1)`,
        [pat.email],
      );
    const signInAgain = async () => {
      const again = page.getByRole('dialog', { name: 'Log in again' });
      await again.waitFor();
      await audit(open);
      await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await again.getByRole('button', { name: 'Log in', exact: true }).click();
      await again.waitFor({ state: 'detached' });
    };

    await ageSessions();
    await page.getByLabel('Name', { exact: true }).fill('Late key');
    await page.getByRole('checkbox', { name: /^Change/ }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    // Nothing is created without a login, and the page does not show the API's own error text.
    const again = page.getByRole('dialog', { name: 'Log in again to continue' });
    await again.getByRole('button', { name: 'Close' }).click();
    const refusal = page.getByRole('dialog').getByRole('alert');
    await refusal.getByText('Log in again to continue').waitFor();
    assert.doesNotMatch((await refusal.textContent()) ?? '', /call/i);
    await audit(open);
    await page.getByRole('button', { name: 'Create key' }).click();
    // The key is created after the login, without another click.
    await signInAgain();
    await page
      .getByRole('dialog', { name: 'Your key “Late key”' })
      .getByRole('button', { name: 'I have stored it' })
      .click();

    await page.goto(`${pages.url}/people`);
    await page.getByText(leaver.email).waitFor();
    await ageSessions();
    await menu(page, 'Actions for Lee Leaver', 'Remove …');
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Remove', exact: false }).click();
    await signInAgain();
    await question.waitFor({ state: 'detached' });
    await open.close();
  });
});

const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 24"><rect width="96" height="24" rx="6" fill="#0f766e"/></svg>',
);

async function menu(page: Page, button: string, item: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('menuitem', { name: item }).click();
}
