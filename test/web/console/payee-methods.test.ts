import { after, before, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { type Earnings, fillEarnings } from '../../support/earnings.ts';
import { audit, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { type Mailbox, openMailbox, openPortal } from '../../support/portal.ts';

describe('collaborators without payout details in the console', () => {
  let pages: Pages;
  let shop: Earnings;
  let mailbox: Mailbox;
  let olga: Somebody;
  before(async () => {
    pages = await openPages();
    shop = await fillEarnings(pages.service);
    await pages.service.settled();
    mailbox = await openMailbox(pages.service);
    await openPortal(pages.service, mailbox, 'mugs', pages.service.secretKey);
    await shop.whence.conversions.bulk({ action: 'approve', ids: [1, 2, 3, 4, 5, 6, 7] });
    await shop.whence.collaborators.update(shop.ben, { email: 'ben@reminded.example' });
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  it('are counted in the preview and on the page of a payout run, and can be sent a reminder by email', async () => {
    const open = await pages.open('/payouts?new=run', olga);
    const { page } = open;
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Currency' }).selectOption('USD');
    await dialog.getByText('2 partners without payout details').waitFor();
    await dialog.getByText('No payout details yet').first().waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Create 2 payouts' }).click();
    await page.getByRole('heading', { name: 'Run 1' }).waitFor();
    await page.getByText('2 partners without payout details').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Send reminder' }).click();
    await page.getByText('No email is sent, because no mail server is set up').waitFor();
    const mails = await mailbox.mailsTo('ben@reminded.example');
    assert.equal(mails.filter(({ subject }) => subject.includes('payout details')).length, 1);
    await open.close();
  });
});
