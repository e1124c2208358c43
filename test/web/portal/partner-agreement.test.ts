import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, card, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { type Collaborator, type Mailbox, openMailbox, openPortal, type Portal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

const FIRST = '# Brand\nDon’t bid on our <b>brand</b> name.\n\n- No spam\n- No coupons of others';

describe('the partner agreement', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  let shop: Shop;
  let portal: Portal;
  let owner: Somebody;
  let ada: Collaborator;
  let adaId: number;
  before(async () => {
    pages = await openPages({ SMTP_URL: 'smtp://127.0.0.1:9' });
    const { service } = pages;
    shop = openShop(service);
    mailbox = await openMailbox(service);
    const program = await shop.program({ name: 'Friends' });
    await shop.change(`/v1/programs/${program}/sign-up`, { mode: 'open' });
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', { name: 'Ada’s Mugs' });
    adaId = await shop.collaborator('ada', { name: 'Ada Lovelace', email: 'ada@example.com' });
    ada = await portal.enter('ada@example.com');
    owner = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  it('a merchant publishes, withdraws and republishes the agreement in the console', async () => {
    const open = await pages.open('/settings/agreement', owner);
    const { page } = open;
    await page.getByText('There is no agreement').waitFor();
    await audit(open);
    await page.getByRole('textbox', { name: 'Text' }).fill(FIRST);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'Brand' }).waitFor();
    await page.getByText('<b>brand</b>').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Publish version 1' }).click();
    await audit(open);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByRole('heading', { name: 'Version 1 is in force' }).waitFor();
    await card(page, 'Versions').getByText('Olga Owner').waitFor();
    await page.getByRole('button', { name: 'Version 1', exact: true }).click();
    await page.getByRole('dialog').getByText('No spam').waitFor();
    await audit(open);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw agreement' }).click();
    await page.getByText('Version 2: withdrawn').waitFor();
    await page.getByText('There is no agreement').waitFor();
    await page.getByRole('textbox', { name: 'Text' }).fill(FIRST);
    await page.getByRole('button', { name: 'Publish version 3' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Publish version 3' }).click();
    await page.getByRole('heading', { name: 'Version 3 is in force' }).waitFor();
    await audit(open);
    await open.close();
  });

  it('the portal asks a partner to accept the agreement, and the merchant sees the acceptance', async () => {
    const open = await pages.openPortal('/mugs/links', ada.cookie);
    const { page } = open;
    await page.getByText('Please accept the partner agreement').waitFor();
    await page.getByText('https://mugs.example/?ref=ada').first().waitFor();
    assert.equal(await page.getByLabel('Name').count(), 0, 'no link can be created');
    await audit(open);
    await page.getByRole('link', { name: 'Read and accept' }).click();
    await page.getByRole('heading', { name: 'Version 3' }).waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'I accept this agreement' }).click();
    await page.getByText('You accepted it').waitFor();
    await page.getByRole('link', { name: 'Links' }).click();
    await page.getByRole('heading', { name: 'Links' }).waitFor();
    assert.equal(await page.getByText('Please accept the partner agreement').count(), 0);
    await shop.change('/v1/partner-agreement', { text: 'A newer text.' });
    await page.goto(`${new URL(page.url()).origin}/portal/mugs/settings`);
    await page.getByText('You accepted version 3').waitFor();
    await page.getByText('You have not accepted the current version yet.').waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Read the agreement' }).click();
    await page.getByText('A newer text.').waitFor();
    await card(page, 'Version 3, which you accepted').getByText('No spam').waitFor();
    await audit(open);
    await open.close();

    const console = await pages.open(`/collaborators/${adaId}`, owner);
    const accepted = card(console.page, 'Partner agreement');
    await accepted.getByText('Version 4, which is in force, is not accepted yet.').waitFor();
    await audit(console);
    await accepted.getByRole('button', { name: 'Version 3' }).click();
    await console.page.getByRole('dialog').getByText('No spam').waitFor();
    await console.close();
  });

  it('an applicant reads and accepts the agreement in the sign-up form', async () => {
    const open = await pages.openPortal('/mugs/sign-up');
    const { page } = open;
    await page.getByRole('region', { name: 'Partner agreement of Ada’s Mugs' }).getByText('A newer text.').waitFor();
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByText('Accept the partner agreement.').waitFor();
    await audit(open);
    await page.getByLabel('I accept the partner agreement').check();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const { token } = await mailbox.entryOf('grace@example.com');
    await page.goto(`${new URL(page.url()).origin}/portal/mugs/enter#${token}`);
    await page.getByRole('heading', { name: 'Hello, Grace Hopper' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('https://mugs.example/?ref=grace-hopper').waitFor();
    assert.equal(await page.getByText('Please accept the partner agreement').count(), 0);
    await open.close();
  });
});
