import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { type Mailbox, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

describe('partners who are accepted immediately', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  let shop: Shop;
  let program: number;
  let manager: Somebody;
  before(async () => {
    pages = await openPages({ SMTP_URL: 'smtp://127.0.0.1:9' });
    const { service } = pages;
    shop = openShop(service);
    mailbox = await openMailbox(service);
    program = await shop.program({ name: 'Friends' });
    await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', { name: 'Ada’s Mugs' });
    manager = await pages.person('manager', 'Mary Somerville');
  });
  after(() => pages.close());

  it('an applicant with an email address in a domain that the merchant accepts can earn immediately', async () => {
    const open = await pages.open(`/programs/${program}?tab=sign-up`, manager);
    await open.page.getByText('With your approval').click();
    const domains = open.page.getByLabel('Accept addresses in these domains at once');
    await domains.fill('agency');
    await audit(open);
    await open.page.getByRole('button', { name: 'Save sign-up' }).click();
    await open.page.getByText('This must be a domain').waitFor();
    await domains.fill('Agency.example\nbücher.example');
    await open.page.getByRole('button', { name: 'Save sign-up' }).click();
    await open.page.getByText('xn--bcher-kva.example').waitFor();
    await audit(open);
    await open.close();

    const visitor = await pages.openPortal('/mugs/sign-up');
    const { page } = visitor;
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace@agency.example');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const { token } = await mailbox.entryOf('grace@agency.example');
    await page.goto(`${new URL(page.url()).origin}/portal/mugs/enter#${token}`);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('https://mugs.example/?ref=grace-hopper').waitFor();
    await audit(visitor);
    await visitor.close();
    assert.equal((await shop.get<{ status: string }[]>('/v1/collaborators'))[0]?.status, 'active');
  });

  it('a partner can join with an invitation link until the merchant revokes the link', async () => {
    const vip = await shop.program({ name: 'VIP', enrollment: 'selected' });
    const open = await pages.open(`/programs/${vip}?tab=sign-up`, manager);
    await open.page.getByText('There are no invitation links').waitFor();
    await open.page.getByRole('button', { name: 'New invitation link' }).click();
    const dialog = open.page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('Podcast hosts');
    await dialog.getByLabel('Tags').fill('Podcast, vip');
    await dialog.getByRole('checkbox', { name: 'Custom rate' }).click();
    await dialog.getByLabel('Percent').fill('22.5');
    await dialog.getByLabel('Maximum number of partners').fill('2');
    await audit(open);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = open.page.getByRole('region', { name: 'Podcast hosts' });
    await link.getByText('0 of 2 joined').waitFor();
    await link.getByText('22.5% of the sale').waitFor();
    await audit(open);
    const [made] = await shop.get<{ url: string }[]>('/v1/invitation-links');
    const { pathname, hash } = new URL(made?.url ?? '');

    const visitor = await pages.openPortal(`${pathname.replace('/portal', '')}${hash}`);
    const { page } = visitor;
    await page.getByText('Ada’s Mugs invites you').waitFor();
    await page.getByText(/You earn 22\.5% of each sale/).waitFor();
    await page.getByLabel('Your name').fill('Hedy Lamarr');
    await page.getByLabel('Email').fill('hedy@example.com');
    await audit(visitor);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const { token } = await mailbox.entryOf('hedy@example.com');
    await page.goto(`${new URL(page.url()).origin}/portal/mugs/enter#${token}`);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('https://mugs.example/?ref=hedy-lamarr').waitFor();

    await open.page.reload();
    await link.getByText('1 of 2 joined').waitFor();
    await link.getByRole('button', { name: 'Revoke' }).click();
    await open.page.getByRole('alertdialog').getByRole('button', { name: 'Revoke link' }).click();
    await link.getByText('Revoked').waitFor();
    await audit(open);
    await open.close();
    await page.goto(`${new URL(page.url()).origin}/portal/mugs/join${hash}`);
    await page.getByRole('heading', { name: 'This invitation can’t be used' }).waitFor();
    await audit(visitor);
    await visitor.close();
  });
});
