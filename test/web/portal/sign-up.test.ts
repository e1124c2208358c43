import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SignUp } from '@whence/sdk';
import type { OpenPage } from '../../support/browser.ts';
import { audit, openPages, type Pages } from '../../support/pages.ts';
import { type Mailbox, openMailbox, openPortal, type Portal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>';

describe('the sign-up in a portal', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  let portal: Portal;
  let shop: Shop;
  let program: number;
  before(async () => {
    pages = await openPages({ SMTP_URL: 'smtp://127.0.0.1:9' });
    shop = openShop(pages.service);
    mailbox = await openMailbox(pages.service);
    portal = await openPortal(pages.service, mailbox, 'mugs', pages.service.secretKey);
    await shop.change('/v1/portal-settings', {
      name: 'Ada’s Mugs',
      logo: `data:image/svg+xml;base64,${btoa(LOGO)}`,
      supportEmail: 'partners@mugs.example',
      termsUrl: 'https://mugs.example/terms',
    });
  });
  after(() => pages.close());

  it('is unavailable if no program accepts sign-ups', async () => {
    program = await shop.program({ name: 'Friends', enrollment: 'selected' });
    const open = await pages.openPortal('/mugs/sign-up');
    await open.page.getByRole('heading', { name: 'Sign-up is closed' }).waitFor();
    await audit(open);
    await open.close();
  });

  it('shows the program’s rules, sends an application, confirms the address and awaits approval', async () => {
    await shop.change(`/v1/programs/${program}/sign-up`, {
      mode: 'approval',
      headline: 'Ten percent on every mug',
      fields: [
        { label: 'Where will you tell people about us?', type: 'long-text', required: true },
        { label: 'Your site', type: 'url' },
        { label: 'Your channel', type: 'choice', choices: ['A blog', 'A podcast'] },
        { label: 'I am over 18', type: 'checkbox', required: true },
      ],
    });
    const open = await pages.openPortal('/mugs/sign-up');
    const { page } = open;
    await page.getByRole('heading', { name: 'Ten percent on every mug' }).waitFor();
    await page.getByText('You earn 10% of each sale').waitFor();
    assert.ok(await page.evaluate('document.querySelector("main img").naturalWidth > 0'), 'the logo is shown');
    await page.getByText('All the rules').click();
    await page.getByText('The sale must occur within').waitFor();
    await audit(open);

    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByLabel('Your name').and(page.locator('[aria-invalid=true]')).waitFor();
    await audit(open);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Your site').fill('not an address');
    await page.getByLabel('Your channel').selectOption('A blog');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Enter the address of a page').waitFor();
    await page.getByLabel('Where will you tell people about us?').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByText('An answer is required.').nth(1).waitFor();
    await audit(open);
    await page.getByLabel('Where will you tell people about us?').fill('On my blog <b>about tea</b>');
    await page.getByLabel('Your site').fill('grace.example/tea');
    await page.getByLabel('I am over 18').check();
    await page.getByLabel('Your code').fill('grace');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await audit(open);
    assert.deepEqual(await shop.get('/v1/collaborators'), [], 'nothing is stored before the address is confirmed');

    const { token } = await mailbox.entryOf('grace@example.com');
    await page.goto(`${new URL(page.url()).origin}/portal/mugs/enter#${token}`);
    await page.getByRole('heading', { name: 'Hello, Grace Hopper' }).waitFor();
    await page.getByText('as grace@example.com').waitFor();
    assert.equal(new URL(page.url()).hash, '', 'the token is removed from the URL');
    await audit(open);
    await page.reload();
    await page.getByRole('heading', { name: 'Hello, Grace Hopper' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Your application is under review' }).waitFor();
    await page.getByText('Ada’s Mugs reviews your application').waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Links' }).click();
    await page.getByText('You can create more links when Ada’s Mugs approves you.').waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Overview' }).click();

    const [grace] = await shop.get<{ id: number }[]>('/v1/collaborators?status=pending');
    const [application] = await shop.get<SignUp[]>(`/v1/collaborators/${grace?.id}/sign-ups`);
    assert.deepEqual(
      application?.answers.map(({ value }) => value),
      ['On my blog <b>about tea</b>', 'https://grace.example/tea', 'A blog', 'yes'],
    );
    await shop.change(`/v1/collaborators/${grace?.id}`, { status: 'active' });
    // The page polls for approval. A reload makes the test faster.
    await page.reload();
    await page.getByText('https://mugs.example/?ref=grace').waitFor();
    await page.getByText('Nothing earned yet.').waitFor();
    await audit(open);
    await open.close();
  });

  it('offers a choice of programs, and accepts the emailed code', async () => {
    const royalty = await shop.program({ name: 'Royalty', reward: { type: 'percent', percent: 3 } });
    await shop.change(`/v1/programs/${royalty}/sign-up`, { mode: 'open' });
    const open = await pages.openPortal('/mugs/sign-up');
    const { page } = open;
    await page.getByRole('heading', { name: 'Partner with Ada’s Mugs' }).waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Royalty' }).click();
    await page.waitForURL(`**/portal/mugs/sign-up/${royalty}`);
    await page.getByLabel('Your name').fill('Edith Clarke');
    await page.getByLabel('Email').fill('edith@example.com');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('Sent again.').waitFor();
    await audit(open);
    await page.getByLabel('Code from the email').fill('aaa aaa');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('This code is wrong').waitFor();
    await audit(open);
    const { code } = await mailbox.entryOf('edith@example.com');
    await page.getByLabel('Code from the email').fill(code.replace('-', '').toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hello, Edith Clarke' }).waitFor();
    await page.getByText('https://mugs.example/?ref=edith-clarke').waitFor();
    await open.close();
  });

  it('the page of an unknown program links to the form of an open program, which reports that too many emails were sent', async () => {
    const open = await pages.openPortal('/mugs/sign-up/99999');
    const { page } = open;
    await page.getByText('This program no longer accepts partners.').waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Royalty' }).click();
    await page.getByLabel('Your name').fill('Edith Clarke');
    await page.getByLabel('Email').fill('edith@example.com');
    await tooOften(open);
    await audit(open);
    await open.close();
  });

  async function tooOften({ page }: OpenPage): Promise<void> {
    const answers = [
      { label: 'Where will you tell people about us?', value: 'On my blog' },
      { label: 'I am over 18', value: 'yes' },
    ];
    const signUp = { programId: program, name: 'Edith Clarke', email: 'edith@example.com', answers };
    let status: number;
    do ({ status } = await portal.visit('POST', '/sign-ups', signUp));
    while (status === 200);
    assert.equal(status, 429);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByText('Too many emails were sent.').waitFor();
  }
});
