import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, DESK, IN_HAND, openPages, type Pages } from '../../support/pages.ts';
import { type Mailbox, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop } from '../../support/shop.ts';

/** Test browsers resolve this name to this machine, and trust it without TLS. */
const DOMAIN = 'partners.localhost';

describe('a portal on a domain of its own', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  before(async () => {
    pages = await openPages({ CUSTOM_DOMAINS: DOMAIN, SMTP_URL: 'smtp://127.0.0.1:9' });
    const { service } = pages;
    const shop = openShop(service);
    mailbox = await openMailbox(service);
    await shop.program({ name: 'Friends' });
    await shop.collaborator('ada', { email: 'ada@mugs.example', name: 'Ada' });
    await openPortal(service, mailbox, 'mugs', service.secretKey);
  });
  after(() => pages.close());

  it('is set up in the console, which explains why a domain is refused', async () => {
    const open = await pages.open('/settings/portal', await pages.person('owner'));
    const { page } = open;
    const field = page.getByLabel('Domain of the portal');
    await field.fill('elsewhere.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This service doesn’t accept the domain.').waitFor();
    await audit(open);
    await field.fill(DOMAIN);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('saved').first().waitFor();
    await audit(open);
    await open.close();
  });

  for (const [place, options] of [
    ['on a desktop', { viewport: DESK }],
    ['on a phone', IN_HAND],
  ] as const) {
    it(`${place}, a partner logs in on the domain with an emailed link, and opens pages of the portal`, async () => {
      const home = `http://${DOMAIN}:${new URL(pages.service.url).port}/`;
      const open = await pages.browser.open({ ...options, reducedMotion: 'reduce', locale: 'en-US' });
      const { page } = open;
      await page.goto(home);
      await page.waitForURL(`${home}sign-in`);
      await page.getByLabel('Email').fill('ada@mugs.example');
      await page.getByRole('button', { name: 'Email me a link' }).click();
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      const { token } = await mailbox.entryOf('ada@mugs.example');
      const text = (await mailbox.mailsTo('ada@mugs.example')).at(-1)?.text ?? '';
      assert.ok(text.includes(`${home}enter#${token}`), text);
      await page.goto(`${home}enter#${token}`);
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.waitForURL(home);
      await page.getByText('https://mugs.example/?ref=ada').first().waitFor();
      await audit(open);
      await page.getByRole('link', { name: 'Links', exact: true }).click();
      await page.waitForURL(`${home}links`);
      await page.reload();
      await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Materials' }).click();
      await page.getByText('No materials yet').waitFor();
      await audit(open);
      await open.close();
    });
  }
});
