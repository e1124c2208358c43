import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type Email, WHENCE_BRAND } from '#platform/email/email.ts';
import { createDigestSender } from '#notifications/reactions/send-digests.ts';
import { createPartnerNotifier } from '#notifications/reactions/notify-partners.ts';
import { renderHtml } from '#platform/email/html-email.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { extendAllChains } from '../../support/chain.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { card, type Somebody } from '../../support/pages.ts';
import { openTill } from '../../support/payouts.ts';
import { openPortal, type Portal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { describeStory } from '../../support/stories.ts';

/** A port that refuses connections, so that emails stay queued. */
const SMTP_URL = 'smtp://127.0.0.1:9';
const ADA = 'ada@example.com';
const BRAND = { name: 'Ada’s Mugs', accent: '#0f766e', logoUrl: null, replyTo: null };
/** A Monday in the future, at 07:30 UTC. Weekly digests are due from 07:00. */
const MONDAY = new Date('2099-06-01T07:30:00Z');

describeStory('Tell: partners and the merchant’s team get emails about events', { SMTP_URL }, (stage) => {
  let shop: Shop;
  let portal: Portal;
  let olga: Somebody;
  let ada: number;
  let bob: number;
  before(async () => {
    const { service, mailbox, person } = stage();
    shop = openShop(service);
    const program = await shop.program({ name: 'Friends' });
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', { name: BRAND.name, accent: BRAND.accent });
    assert.ok(program > 0);
    ada = await shop.collaborator('ada', { name: 'Ada Lovelace', email: ADA, tags: ['gold'] });
    bob = await shop.collaborator('bob', { name: 'Bob Kahn', email: 'bob@example.com' });
    olga = await person('owner', 'Olga Owner');
    await notify();
  });

  it('the merchant chooses the emails that partners get', async () => {
    const { open: openPage, press, check } = stage();
    const open = await openPage('/settings', olga);
    const { page } = open;
    await press(page.getByRole('link', { name: /^Emails to partners/ }));
    await page.getByRole('switch', { name: 'Payouts' }).waitFor();
    await check(open, 'kinds of email');
    const rejected = page.getByText('Rejected commissions', { exact: true });
    for (const isWanted of [false, true]) {
      await press(rejected);
      await page.getByRole('switch', { name: 'Rejected commissions', checked: isWanted }).waitFor();
      await open.still();
    }
    await page.getByText('The emails are saved').first().waitFor();
    await check(open, 'saved kinds of email');
    await open.close();
  });

  it('the merchant invites a partner to the portal by email', async () => {
    const { open: openPage, press, check } = stage();
    const open = await openPage(`/collaborators/${ada}`, olga);
    await press(open.page.getByRole('button', { name: 'More' }));
    await press(open.page.getByRole('menuitem', { name: 'Invite to the portal' }));
    await open.page.getByText(`An invitation is on its way to ${ADA}`).waitFor();
    await check(open, 'invited partner');
    await open.close();
    await show(await mailTo(ADA, /^Your invitation to Ada’s Mugs$/), 'invitation email');
  });

  it('the partner gets emails about the first click, the first commission and a changed rate', async () => {
    const { open: openPage, press, service } = stage();
    const visitor = await shop.visit('ada');
    await notify();
    await show(await mailTo(ADA, /^Your link has its first click$/), 'first click email');
    for (const order of ['order-1', 'order-2']) await shop.sell(order, visitor, { total: 80, currency: 'USD' });
    await service.settled();
    await notify();
    await show(await mailTo(ADA, /^Your first commission at Ada’s Mugs$/), 'first commission email');

    const open = await openPage(`/collaborators/${ada}?tab=programs`, olga);
    await press(open.page.getByRole('button', { name: 'Change rate in Friends' }));
    const dialog = open.page.getByRole('dialog', { name: 'Change rate in Friends' });
    await dialog.getByLabel('Percent', { exact: true }).fill('12');
    await press(dialog.getByRole('button', { name: 'Change rate' }));
    await open.page.getByText('The rate of Ada Lovelace has changed').waitFor();
    await open.close();
    await notify();
    await show(await mailTo(ADA, /^New terms at Ada’s Mugs$/), 'changed rate email');
  });

  it('the partner gets emails about approved and rejected commissions, with the reason for a rejection', async () => {
    const { open: openPage, press, check, goTo } = stage();
    const open = await openPage('/', olga);
    const clock = await open.takeClock();
    const { page } = open;
    await goTo(open, 'Commissions');
    await press(page.getByRole('checkbox', { name: 'Select commission 1' }));
    await press(page.getByRole('toolbar').getByRole('button', { name: 'Approve' }));
    await clock.runFor(6_000);
    await page.getByText('1 commission approved').waitFor();
    await press(page.getByRole('checkbox', { name: 'Select commission 2' }));
    await press(page.getByRole('toolbar').getByRole('button', { name: 'Reject …' }));
    await press(page.getByRole('button', { name: 'Own purchase' }));
    await check(open, 'rejection');
    await press(page.getByRole('button', { name: 'Reject', exact: true }));
    await clock.runFor(6_000);
    await page.getByText('1 commission rejected').waitFor();
    await check(open, 'decided commissions');
    await open.close();
    await notify();
    await show(await mailTo(ADA, /^1 commission approved$/), 'approved email');
    await show(await mailTo(ADA, /^1 commission rejected$/), 'rejected email');
  });

  it('the partner gets an email about a payout, and reads the statement', async () => {
    const { service, openPortal: openPage, check } = stage();
    const till = openTill(service);
    const [payout] = await till.payoutsOf(await till.runOne());
    await till.mark(payout?.id ?? 0, 'paid');
    await notify();
    const mail = await mailTo(ADA, /^You were paid 8\.00 USD$/);
    await show(mail, 'paid email');
    const { cookie } = await portal.enter(ADA);
    const { pathname } = new URL(/^http\S+\/payouts$/m.exec(mail.text)?.[0] ?? '');
    const open = await openPage(pathname.replace('/portal', ''), cookie);
    await open.page.getByRole('group', { name: 'Statement, USD' }).getByText('Paid (1)').waitFor();
    await check(open, 'statement');
    await open.close();
  });

  it('the partner gets an email about a moved code', async () => {
    const { open: openPage, press, check } = stage();
    const open = await openPage(`/collaborators/${bob}`, olga);
    const { page } = open;
    await page.getByLabel('Add a code').fill('ada');
    await page.getByLabel('Add a code').press('Enter');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('“ada” belongs to Ada Lovelace.').waitFor();
    await check(open, 'code of another partner');
    await press(dialog.getByRole('button', { name: 'Move code' }));
    await page.getByText('“ada” now belongs to Bob Kahn').waitFor();
    await check(open, 'moved code');
    await open.close();
    await show(await mailTo(ADA, /code/), 'moved code email');
  });

  it('the merchant writes to the partners with a tag', async () => {
    const { open: openPage, press, check, goTo } = stage();
    const open = await openPage('/', olga);
    const { page } = open;
    await goTo(open, 'Partners');
    await press(page.getByRole('link', { name: 'Write to partners' }));
    await page.getByRole('button', { name: 'Send to 2 partners' }).waitFor();
    await check(open, 'new announcement');
    await page.getByLabel('Tag').fill('gold');
    await page.getByLabel('Subject').fill('New banners');
    await page.getByLabel('Text').fill('They are ready: https://mugs.example/banners');
    await press(page.getByRole('button', { name: 'Send a test to yourself' }));
    await page.getByText('The test is on its way to you').waitFor();
    await press(page.getByRole('button', { name: 'Send to 1 partner' }));
    await check(open, 'confirmed announcement');
    await press(page.getByRole('alertdialog').getByRole('button', { name: 'Send to 1 partner' }));
    await page.getByText('The announcement is sent to 1 partner').waitFor();
    await check(open, 'announcements');
    await open.close();
    await mailTo(olga.email, /^Test: New banners$/);
    await notify();
    await show(await mailTo(ADA, /^New banners$/), 'announcement email');
    assert.deepEqual(await subjectsTo('bob@example.com'), []);
  });

  it('the partner stops one kind of email with the link in an email, and another kind in the portal', async () => {
    const { openPortal: openPage, press, check, goTo } = stage();
    const { cookie } = await portal.enter(ADA);
    const open = await openPage('/mugs', cookie);
    const { page } = open;
    const { unsubscribeUrl = '' } = await mailTo(ADA, /^New banners$/);
    const place = new URL(page.url()).origin;
    await page.goto(place + new URL(unsubscribeUrl).pathname);
    await page.getByText('You would no longer get emails from Ada’s Mugs').waitFor();
    await check(open, 'unsubscribe page');
    await press(page.getByRole('button', { name: 'Stop these emails' }));
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    await check(open, 'unsubscribed');
    await page.goto(`${place}/portal/mugs`);
    await goTo(open, 'Settings');
    await page.getByRole('switch', { name: 'News for partners', checked: false }).waitFor();
    await press(page.getByText('Your first click', { exact: true }));
    await page.getByText('Your choice is saved').waitFor();
    await check(open, 'settings of the partner');
    await open.close();
  });

  it('a person who has confirmed the email address gets a summary of the applications to review', async () => {
    const { open: openPage, press, check, service, url } = stage();
    await shop.collaborator('cy', { name: 'Cy Caroll', status: 'pending' });
    const open = await openPage('/settings/account', olga);
    const { page } = open;
    const summary = card(page, 'Summary by email');
    await press(summary.getByRole('button', { name: 'Send a confirmation email' }));
    await page.getByText('Open the link in the email to confirm your address').waitFor();
    await check(open, 'account');
    const confirmation = await mailTo(olga.email, /confirm/i);
    await show(confirmation, 'confirmation email');
    const link = new URL(/^http\S+\/confirm-address\/\S+$/m.exec(confirmation.text)?.[0] ?? '').pathname;
    await page.goto(new URL(url).origin + link);
    await page.getByRole('heading', { name: 'Confirm your address?' }).waitFor();
    await check(open, 'confirmation page');
    await press(page.getByRole('button'));
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await page.goto(`${url}/settings/account`);
    await summary.getByLabel('Send the summary').waitFor();
    await open.still();
    assert.equal(await summary.getByText('once your address is confirmed').count(), 0);
    const run = createDigestSender(service.database, contextOf(), () => MONDAY);
    while ((await run()) === 'more') continue;
    await show(await mailTo(olga.email, /1 application to review/), 'digest');
    await open.close();
  });

  const contextOf = () => ({ secrets: secretBox(Buffer.from(ENCRYPTION_KEY, 'hex')), publicUrl: stage().service.url });

  /** Queues the emails that are due, as if the notices were a quarter of an hour old. */
  async function notify(): Promise<void> {
    const { database } = stage().service;
    await extendAllChains(database);
    const run = createPartnerNotifier(database, contextOf());
    while ((await run()) === 'more') continue;
    await database.query(
      `update partner_notices set noted_at = noted_at - interval '15 minutes' where sent_at is null`,
    );
    while ((await run()) === 'more') continue;
  }

  const subjectsTo = async (address: string) => (await stage().mailbox.mailsTo(address)).map(({ subject }) => subject);

  /** Returns the newest queued email with a matching subject. */
  async function mailTo(address: string, subject: RegExp): Promise<Email> {
    const found = (await stage().mailbox.mailsTo(address)).findLast((mail) => subject.test(mail.subject));
    assert.ok(found, `${subject} in ${JSON.stringify(await subjectsTo(address))}`);
    return found;
  }

  /** Shows an email as an email program does, and audits it with the viewport and color scheme of the story. */
  async function show(mail: Email, station: string): Promise<void> {
    const { browser, look, check } = stage();
    const open = await browser.open({ ...look, reducedMotion: 'reduce', locale: 'en-US' });
    await open.page.setContent(await renderHtml(mail, mail.brand === 'whence' ? WHENCE_BRAND : BRAND));
    await check(open, station);
    await open.close();
  }
});

describeStory('Tell: pages without a mail server say that no email is sent', {}, (stage) => {
  it('the message is on the pages for settings, announcements, the account and an invited partner', async () => {
    const { service, mailbox, open: openPage, person, press, check, url } = stage();
    const shop = openShop(service);
    await openPortal(service, mailbox, 'mugs', service.secretKey);
    const ada = await shop.collaborator('ada', { name: 'Ada Lovelace', email: ADA });
    const open = await openPage('/settings/emails', await person('owner', 'Olga Owner'));
    const { page } = open;
    await page.getByText('No mail server is set, so emails are not sent.').waitFor();
    await check(open, 'emails without a mail server');
    await page.goto(`${url}/announcements`);
    await page.getByText('No mail server is set, so announcements are not sent.').waitFor();
    await check(open, 'announcements without a mail server');
    await page.getByLabel('Subject').fill('New mugs');
    await page.getByLabel('Text', { exact: true }).fill('They are blue.');
    await press(page.getByRole('button', { name: 'Send a test to yourself' }));
    await page.getByText('The test is printed to the service’s output').waitFor();
    await press(page.getByRole('button', { name: 'Send to 1 partner' }));
    await press(page.getByRole('alertdialog').getByRole('button', { name: 'Send to 1 partner' }));
    await page.getByText('The announcement to 1 partner is printed to the service’s output').waitFor();
    await page.goto(`${url}/settings/account`);
    await page.getByText('No mail server is set, so no summary is sent.').waitFor();
    await check(open, 'account without a mail server');
    await page.goto(`${url}/collaborators/${ada}`);
    await press(page.getByRole('button', { name: 'More' }));
    await press(page.getByRole('menuitem', { name: 'Invite to the portal' }));
    await page.getByText('No email is sent, because no mail server is set up.').waitFor();
    await check(open, 'invitation without a mail server');
    await open.close();
  });
});
