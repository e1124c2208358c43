import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { type Mailbox, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

describe('partners who are accepted at once', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  let shop: Shop;
  let program: number;
  let manager: Somebody;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    shop = openShop(service);
    mailbox = await openMailbox(service);
    program = await shop.program({ name: 'Friends' });
    await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', { name: 'Ada’s Mugs' });
    manager = await pages.person('manager', 'Mary Somerville');
  });
  after(() => pages.close());

  it('a merchant lists domains, and an applicant with an address there earns at once', async () => {
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
});
