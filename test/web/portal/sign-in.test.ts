import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit, openPages, type Pages } from '../../support/pages.ts';
import { type Mailbox, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop } from '../../support/shop.ts';

describe('logging in to a portal', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  before(async () => {
    pages = await openPages({ SMTP_URL: 'smtp://127.0.0.1:9' });
    const shop = openShop(pages.service);
    mailbox = await openMailbox(pages.service);
    await openPortal(pages.service, mailbox, 'mugs', pages.service.secretKey);
    await shop.program();
    await shop.collaborator('ada', { name: 'Ada Lovelace', email: 'ada@example.com' });
    await shop.collaborator('bob', { name: 'Bob Kahn', email: 'bob@example.com' });
  });
  after(() => pages.close());

  it('with an emailed code continues to the requested page', async () => {
    const open = await pages.openPortal('/mugs/payouts');
    const { page } = open;
    await page.waitForURL('**/portal/mugs/sign-in?to=/payouts');
    await audit(open);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.getByLabel('Email').and(page.locator('[aria-invalid=true]')).waitFor();
    await audit(open);
    await askForMail(page, 'ada@example.com');
    await page.getByLabel('Code from the email').fill((await mailbox.entryOf('ada@example.com')).code);
    await audit(open);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL('**/portal/mugs/payouts');
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();
    await open.close();
  });

  it('shows the same message for an unknown address, and redirects to no other site', async () => {
    const open = await pages.openPortal('/mugs/sign-in?to=//other.example/');
    const { page } = open;
    await askForMail(page, 'nobody@example.com');
    await page.getByText('If nobody@example.com has an account').waitFor();
    await page.getByRole('button', { name: 'Use another address' }).click();
    await askForMail(page, 'bob@example.com');
    await page.getByLabel('Code from the email').fill((await mailbox.entryOf('bob@example.com')).code);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/portal/mugs/');
    await open.close();
  });

  it('a login link works once, and then its page offers a new email', async () => {
    const open = await pages.openPortal(`/mugs/enter#${await freshToken('ada@example.com')}`);
    const { page } = open;
    await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor();
    const used = `/portal/mugs/enter#${(await mailbox.entryOf('ada@example.com')).token}`;

    // Open the used link in another browser.
    const other = await pages.openPortal(used.replace('/portal', ''));
    await other.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
    await audit(other);
    await other.page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await other.page.getByLabel('Code from the email').fill('abc-def');
    await other.page.getByRole('button', { name: 'Log in', exact: true }).click();
    await other.page.getByText('This code is wrong').waitFor();
    await audit(other);
    await other.page.getByLabel('Code from the email').fill('');
    await other.page.getByRole('button', { name: 'Request a new link' }).click();
    await other.page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await other.page.getByLabel('Code from the email').fill((await mailbox.entryOf('ada@example.com')).code);
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor();
    await other.close();
    await open.close();
  });

  it('a second person in the same tab sees no data of the first person', async () => {
    const open = await pages.openPortal(`/mugs/enter#${await freshToken('ada@example.com')}`);
    const { page } = open;
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('/?ref=ada').waitFor();
    const token = await freshToken('bob@example.com');
    // The router handles `pushState` without a reload, so cached data of the first person is still in memory.
    await page.evaluate(`history.pushState({}, '', '/portal/mugs/enter#${token}')`);
    await page.getByRole('heading', { name: 'Hello, Bob Kahn' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('/?ref=bob').waitFor();
    assert.doesNotMatch(await page.locator('body').innerText(), /ada/i);
    await open.close();
  });

  async function askForMail(page: Page, address: string): Promise<void> {
    await page.getByLabel('Email').fill(address);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  }

  async function freshToken(address: string): Promise<string> {
    await pages.service.request('POST', '/v1/portals/mugs/links', { body: { email: address } });
    return (await mailbox.entryOf(address)).token;
  }
});
