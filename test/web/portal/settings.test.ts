import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { OpenPage } from '../../support/browser.ts';
import { audit, openPages, type Pages } from '../../support/pages.ts';
import {
  assertEndsWithinASecond,
  type Collaborator,
  type Mailbox,
  openMailbox,
  openPortal,
  type Portal,
} from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

const ADA = 'ada@example.com';
const EVE = 'eve@example.com';

describe('a collaborator’s settings in the portal', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  let shop: Shop;
  let portal: Portal;
  let ada: Collaborator;
  let adaId: number;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    shop = openShop(service);
    mailbox = await openMailbox(service);
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', { name: 'Ada’s Mugs' });
    adaId = await shop.collaborator('ada', { name: 'Ada Lovelace', email: ADA });
    ada = await portal.enter(ADA);
  });
  after(() => pages.close());

  it('a collaborator changes their name, which the merchant also sees', async () => {
    const open = await pages.openPortal('/mugs/settings', ada.cookie);
    const { page } = open;
    await page.getByText('You log in with it. Ada’s Mugs can change it for you.').waitFor();
    await audit(open);
    await page.getByLabel('Name', { exact: true }).fill('Ada King');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Account of Ada King' }).waitFor();
    assert.equal((await shop.get<{ name: string }>(`/v1/collaborators/${adaId}`)).name, 'Ada King');
    await open.close();
  });

  it('a collaborator chooses which emails they get', async () => {
    const open = await pages.openPortal('/mugs/settings', ada.cookie);
    const { page } = open;
    await page.getByText('Approved commissions, once a day').click();
    await page.getByText('Your choice is saved').waitFor();
    const { muted } = await ada.must<{ muted: string[] }>('GET', '/v1/portal/emails');
    assert.deepEqual(muted, ['approved']);
    await audit(open);
    await open.close();
  });

  it('a collaborator saves payout details, and later sees only the end of the account number', async () => {
    const open = await pages.openPortal('/mugs/settings', ada.cookie);
    const { page } = open;
    await page.getByText('The people at Ada’s Mugs who pay you.').waitFor();
    await page.getByRole('button', { name: 'Add payout details' }).click();
    await page.getByLabel('Account holder').fill('Ada King');
    await page.getByRole('textbox', { name: 'IBAN' }).fill('DE89 3704 0044 0532 0130 01');
    await audit(open);
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('This is not a valid IBAN.').waitFor();
    await audit(open);
    await page.getByRole('textbox', { name: 'IBAN' }).fill('DE89 3704 0044 0532 0130 00');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('••••3000').waitFor();
    await audit(open);
    type Details = { method: string; account: string };
    const details = () => shop.get<Details>(`/v1/collaborators/${adaId}/payout-details`);
    assert.equal((await details()).account, 'DE89370400440532013000');
    assert.ok((await mailbox.mailsTo(ADA)).some(({ subject }) => subject.includes('payout details')));

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('For your security, enter the full account again.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'IBAN' }).inputValue(), '');
    await page.getByRole('radio', { name: 'PayPal' }).click();
    await page.getByLabel('PayPal email').fill('ada@pay.example');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('a••••@pay.example').waitFor();
    assert.deepEqual((await details()).method, 'paypal');
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByText('You can’t be paid until you add new details.').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Remove details' }).click();
    await page.getByText('Ada’s Mugs doesn’t know yet where to send your money.').waitFor();
    await open.close();
  });

  it('an hour after the login, payout details are removed once the collaborator logs in again in a dialog', async () => {
    await shop.collaborator('eve', { name: 'Eve', email: EVE });
    const { cookie, must } = await portal.enter(EVE);
    const payoutDetails = { method: 'paypal', account: 'eve@pay.example' };
    await must('PATCH', '/v1/portal/account', { payoutDetails });
    await pages.service.database.query(
      `update sessions set created_at = created_at - interval '1 hour' where id = (select max(id) from sessions)`,
    );
    const open = await pages.openPortal('/mugs/settings', cookie);
    const { page } = open;
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('button', { name: 'Remove details' }).click();
    await logInAgain(open, EVE);
    await page.getByText('Ada’s Mugs doesn’t know yet where to send your money.').waitFor();
    await open.close();
  });

  /** Logs in with an emailed code in the dialog that a call opened. The call then continues. */
  const logInAgain = async (open: OpenPage, address: string): Promise<void> => {
    const again = open.page.getByRole('dialog', { name: 'Log in again to continue' });
    await again.waitFor();
    await audit(open);
    await again.getByRole('button', { name: 'Request a code' }).click();
    await again.getByLabel('Code').waitFor();
    await audit(open);
    await again.getByLabel('Code').fill((await mailbox.entryOf(address)).code);
    await again.getByRole('button', { name: 'Log in', exact: true }).click();
    await again.waitFor({ state: 'detached' });
  };

  it('a collaborator sees their sessions, and ends another session', async () => {
    const own = await portal.enter(ADA);
    const open = await pages.openPortal('/mugs/settings', own.cookie);
    const { page } = open;
    await page.getByText('This browser').first().waitFor();
    await audit(open);
    const ends = page.getByRole('button', { name: /^End the session of/ });
    assert.equal(await ends.count(), 1, 'only other sessions can be ended here');
    await ends.click();
    await page.getByText('The session has ended').waitFor();
    await ends.waitFor({ state: 'detached' });
    await assertEndsWithinASecond(ada);
    ada = own;
    await open.close();
  });

  it('an hour after the login, a passkey is added once the collaborator logs in again in a dialog', async () => {
    const { cookie } = await portal.enter(ADA);
    await pages.service.database.query(
      `update sessions set created_at = created_at - interval '1 hour' where id = (select max(id) from sessions)`,
    );
    const open = await pages.openPortal('/mugs/settings', cookie);
    const { page } = open;
    await plugInAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await logInAgain(open, ADA);
    await page.getByRole('button', { name: 'Remove This device' }).click();
    await page.getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByText('You have no passkey yet.').waitFor();
    await open.close();
  });

  it('a collaborator adds a passkey that logs in without an email', async () => {
    const open = await pages.openPortal('/mugs/settings', ada.cookie);
    const { page } = open;
    await plugInAuthenticator(page);
    await page.getByText('You have no passkey yet.').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Passkey name').fill('Blue key');
    await audit(open);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Remove Blue key' }).waitFor();
    await audit(open);
    await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/portal/mugs/sign-in');
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Hello, Ada King' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Remove Blue key' }).click();
    await page.getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByText('You have no passkey yet.').waitFor();
    await open.close();
  });

  it('without a mail server, the portal promises no emails', async () => {
    const open = await pages.openPortal('/mugs/sign-in');
    const { page } = open;
    await page.getByText('You need no password. The merchant gives you a code.').waitFor();
    await page.getByLabel('Email').fill(ADA);
    await page.getByRole('button', { name: 'Request a code' }).click();
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.getByText(`If ${ADA} has an account, ask the merchant for your code.`).waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Request another code' }).waitFor();
    await page.getByLabel('Code from the merchant').fill((await mailbox.entryOf(ADA)).code);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
    await page.goto(`${pages.service.url.replace('127.0.0.1', 'localhost')}/portal/mugs/settings`);
    await page.getByText('Your payout details are stored encrypted.').first().waitFor();
    await page.getByText('Until then, no email is sent.').waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /We email you/);
    await open.close();
  });
});

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
