import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { pngOf } from '../../materials/images.ts';
import type { OpenPage } from '../../support/browser.ts';
import { card, type Somebody, waitForRows } from '../../support/pages.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { describeStory, type Stage } from '../../support/stories.ts';

/** Test browsers resolve names below `localhost` to this machine, and trust them without TLS. */
const PORTAL_DOMAIN = 'partners.localhost';
const LINK_DOMAIN = 'go.localhost';
const SETTINGS = { CUSTOM_DOMAINS: `${PORTAL_DOMAIN}, ${LINK_DOMAIN}`, SMTP_URL: 'smtp://127.0.0.1:9' };

describeStory('Bring in: partners join a program and share its links', SETTINGS, (stage) => {
  let shop: Shop;
  let olga: Somebody;
  let program: number;
  let vip: number;
  /** The page of the partner who joined with an invitation link, which several tests use. */
  let hedy: OpenPage;
  before(async () => {
    const { service, person } = stage();
    shop = openShop(service);
    program = await shop.program({ name: 'Friends', enrollment: 'selected' });
    vip = await shop.program({
      name: 'Podcasts',
      enrollment: 'selected',
      reward: { type: 'percent', percent: 20 },
      tiers: { period: 'month', by: 'count', steps: [{ from: 10, reward: { type: 'percent', percent: 25 } }] },
    });
    olga = await person('owner', 'Olga Owner');
  });

  it('the merchant opens the portal on a domain of its own', async () => {
    const { open: openPage, press, check } = stage();
    const open = await openPage('/settings', olga);
    const { page } = open;
    await press(page.getByRole('link', { name: /^Portal/ }));
    await page.getByLabel('Short name').fill('mugs');
    await page.getByLabel('Name', { exact: true }).fill('Ada’s Mugs');
    await page.getByLabel('Color', { exact: true }).fill('#0f766e');
    await page.getByLabel('Page of your shop').fill('https://mugs.example/');
    await page.getByLabel('Domain of the portal').fill('elsewhere.example');
    await page.getByLabel('Domain of short links').fill(LINK_DOMAIN);
    await press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('This service doesn’t accept the domain.').waitFor();
    await check(open, 'refused domain');
    await page.getByLabel('Domain of the portal').fill(PORTAL_DOMAIN);
    await press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('The portal is saved').waitFor();
    await page.getByText(shortLink('ada')).waitFor();
    await check(open, 'portal settings');
    await open.close();
  });

  it('the merchant publishes an agreement', async () => {
    const { open: openPage, press, check } = stage();
    const open = await openPage('/settings/agreement', olga);
    const { page } = open;
    await page.getByRole('textbox', { name: 'Text' }).fill('# Brand\nDon’t bid on our name.\n\n- No spam');
    await check(open, 'new agreement');
    await press(page.getByRole('button', { name: 'Publish version 1' }));
    await press(page.getByRole('alertdialog').getByRole('button', { name: 'Publish version 1' }));
    await page.getByRole('heading', { name: 'Version 1 is in force' }).waitFor();
    await check(open, 'agreement');
    await open.close();
  });

  it('the merchant sets up the application form and an accepted domain, and creates an invitation link', async () => {
    const { open: openPage, press, check } = stage();
    const open = await openPage(`/programs/${program}`, olga);
    const { page } = open;
    await press(page.getByRole('tab', { name: 'Sign-up' }));
    await press(page.getByText('With your approval'));
    await page.getByLabel('Accept addresses in these domains at once').fill('agency.example');
    await page.getByLabel('Headline').fill('Ten percent on every mug');
    await press(page.getByRole('button', { name: 'Add a field' }));
    const first = page.getByRole('group', { name: 'Field 1' });
    await first.getByLabel('Label').fill('Where will you tell people about us?');
    await press(first.getByText('An answer is required'));
    await press(page.getByRole('button', { name: 'Add a field' }));
    const second = page.getByRole('group', { name: 'Field 2' });
    await second.getByLabel('Label').fill('Your channel');
    await second.getByLabel('Answer', { exact: true }).selectOption('One of several choices');
    await second.getByLabel('Choices, one on each line').fill('A blog\nA podcast');
    await check(open, 'form builder');
    await press(page.getByRole('button', { name: 'Save sign-up' }));
    await page.getByText(`http://${PORTAL_DOMAIN}`, { exact: false }).first().waitFor();
    await check(open, 'sign-up settings');

    await page.goto(`${stage().url}/programs/${vip}?tab=sign-up`);
    await press(page.getByRole('button', { name: 'New invitation link' }));
    const dialog = page.getByRole('dialog', { name: 'New invitation link' });
    await dialog.getByLabel('Note').fill('Podcast hosts');
    await dialog.getByLabel('Tags').fill('podcast, vip');
    await dialog.getByLabel('Maximum number of partners').fill('2');
    await check(open, 'new invitation link');
    await press(dialog.getByRole('button', { name: 'Create link' }));
    await page.getByRole('region', { name: 'Podcast hosts' }).getByText('0 of 2 joined').waitFor();
    await check(open, 'invitation link');
    await open.close();
  });

  it('an applicant with an address in the accepted domain can earn at once', async () => {
    const { openPortal, check } = stage();
    const open = await openPortal('/mugs/sign-up');
    const { page } = open;
    await apply(open, 'Grace Hopper', 'grace@agency.example');
    await page.getByText(shortLink('grace-hopper')).first().waitFor();
    await check(open, 'accepted partner');
    await open.close();
  });

  it('another applicant can earn once the merchant has approved the application', async () => {
    const { open: openPage, openPortal, press, check } = stage();
    const visitor = await openPortal('/mugs/sign-up');
    await visitor.page.getByRole('heading', { name: 'Ten percent on every mug' }).waitFor();
    await check(visitor, 'application form');
    await press(visitor.page.getByRole('button', { name: 'Apply' }));
    await visitor.page.getByLabel('Your name').and(visitor.page.locator('[aria-invalid=true]')).waitFor();
    await check(visitor, 'incomplete application');
    await apply(visitor, 'Edith Clarke', 'edith@example.com', check);
    await visitor.page.getByRole('heading', { name: 'Your application is under review' }).waitFor();
    await check(visitor, 'waiting applicant');

    const open = await openPage('/', olga);
    const { page } = open;
    await press(page.getByRole('link', { name: '1 application to review' }));
    await page.getByText('On my blog').waitFor();
    await check(open, 'applications');
    await press(page.getByRole('link', { name: 'Edith Clarke' }));
    await page.getByRole('heading', { name: 'Edith Clarke', level: 1 }).waitFor();
    await page.getByText('A podcast').waitFor();
    await check(open, 'application');
    await press(page.getByRole('button', { name: 'Approve' }));
    await page.getByText('Edith Clarke can earn now').waitFor();
    await open.close();
    await visitor.page.reload();
    await visitor.page.getByText(shortLink('edith-clarke')).first().waitFor();
    await check(visitor, 'approved partner');
    await visitor.close();
  });

  it('a podcast host who joins with the invitation link gets the program’s rate and the tags of the link', async () => {
    const { open: openPage, openPortal, check } = stage();
    const [link] = await shop.get<{ url: string }[]>('/v1/invitation-links');
    hedy = await openPortal(`/mugs/join${new URL(link?.url ?? '').hash}`);
    const { page } = hedy;
    await page.getByText('Ada’s Mugs invites you').waitFor();
    await page.getByText('You earn 20% of each sale').first().waitFor();
    await check(hedy, 'invitation');
    await apply(hedy, 'Hedy Lamarr', 'hedy@example.com');
    await card(page, 'What you earn').getByText('20%').first().waitFor();

    const open = await openPage('/collaborators?tag=podcast', olga);
    await waitForRows(open.page, 1);
    await open.page.getByText('Hedy Lamarr').first().waitFor();
    await check(open, 'tagged partners');
    await open.close();
  });

  it('the merchant shares materials, and the partner uses them', async () => {
    const { open: openPage, press, check, goTo } = stage();
    const open = await openPage('/', olga);
    const { page } = open;
    await goTo(open, 'Materials');
    await press(page.getByRole('button', { name: 'New material' }));
    const dialog = page.locator('[role=dialog]', { has: page.locator('form') });
    const buffer = pngOf(728, 90);
    await dialog.locator('input[type=file]').setInputFiles({ name: 'summer.png', mimeType: 'image/png', buffer });
    await dialog.getByText('summer.png').waitFor();
    await dialog.getByLabel('Title').fill('Summer banner');
    await dialog.getByLabel('License note').fill('Use it unchanged');
    await check(open, 'new material');
    await press(dialog.getByRole('button', { name: 'Add material' }));
    await page.getByText('PNG, 728 × 90 px, 1 KiB').waitFor();
    for (const [title, kind, text] of [
      ['Post', 'Text', 'Mugs: {link}'],
      ['Sale', 'Link', 'https://mugs.example/sale'],
    ] as const) {
      await press(page.getByRole('button', { name: 'New material' }));
      await press(dialog.getByRole('button', { name: kind, exact: true }));
      await dialog.getByLabel('Title').fill(title);
      await dialog.getByLabel(kind === 'Text' ? 'Text' : 'Page').fill(text);
      await press(dialog.getByRole('button', { name: 'Add material' }));
      await page.getByRole('heading', { name: title }).waitFor();
    }
    await check(open, 'materials');
    await open.close();

    await goTo(hedy, 'Materials');
    const banner = hedy.page.locator('section', { hasText: 'Summer banner' });
    await banner.getByText('Use it unchanged').waitFor();
    const download = hedy.page.waitForEvent('download');
    await press(banner.getByRole('link', { name: 'Download' }));
    assert.equal((await download).suggestedFilename(), 'summer.png');
    await hedy.page.getByText(`Mugs: ${shortLink('hedy-lamarr')}`).waitFor();
    await check(hedy, 'materials in the portal');
  });

  it('the partner shares deep links and short links, whose redirect reports the click', async () => {
    const { press, check, goTo, service } = stage();
    const { page } = hedy;
    await goTo(hedy, 'Links');
    await page.getByLabel('Page').fill('https://mugs.example/blue');
    await check(hedy, 'new link');
    await press(page.getByRole('button', { name: 'Create link' }));
    const dialog = page.getByRole('dialog', { name: 'Share “hedy-lamarr.blue”' });
    await dialog.getByRole('img', { name: /^QR code of / }).waitFor();
    await check(hedy, 'shared link');
    await press(dialog.getByRole('button', { name: 'Close' }));
    await waitForRows(page, 2);
    const userAgent = await page.evaluate<string>('navigator.userAgent.replace("Headless", "")');
    const headers = { host: LINK_DOMAIN, 'user-agent': userAgent };
    const followed = await service.request('GET', '/hedy-lamarr/blue', { headers });
    const target = new URL(followed.headers.get('location') ?? '');
    assert.equal(target.origin + target.pathname, 'https://mugs.example/blue');
    const trackingId = target.searchParams.get('trackingId') ?? '';
    for (let n = 1; n <= 7; n += 1) await shop.sell(`order-${n}`, trackingId, { total: 40, currency: 'USD' });
    await service.settled();
    await page.reload();
    await page.getByRole('row', { name: /blue/ }).getByText('7', { exact: true }).waitFor();
    await check(hedy, 'links');
  });

  it('the partner sees the progress to the next tier', async () => {
    const { check, goTo } = stage();
    await goTo(hedy, 'Overview');
    await hedy.page.getByText('7 of 10 commissions this month').waitFor();
    await check(hedy, 'tier');
  });

  it('the portal asks the partner to accept a new version of the agreement, and the acceptance is recorded', async () => {
    const { open: openPage, press, check, goTo } = stage();
    await shop.change('/v1/partner-agreement', { text: '# Brand\nA newer text.' });
    const { page } = hedy;
    await page.reload();
    await page.getByText('Please accept the partner agreement').waitFor();
    await check(hedy, 'agreement banner');
    await press(page.getByRole('link', { name: 'Read and accept' }));
    await page.getByRole('heading', { name: 'Version 2' }).first().waitFor();
    await check(hedy, 'agreement in the portal');
    await press(page.getByRole('button', { name: 'I accept this agreement' }));
    await page.getByText('You accepted it').waitFor();
    await hedy.close();

    const open = await openPage('/collaborators?tag=vip', olga);
    await press(open.page.getByRole('link', { name: 'Hedy Lamarr' }));
    const accepted = card(open.page, 'Partner agreement');
    await accepted.getByRole('button', { name: 'Version 2' }).waitFor();
    await check(open, 'acceptances');
    await goTo(open, 'Partners');
    await open.close();
  });

  it('a partner logs in on the domain of the portal', async () => {
    const { browser, service, mailbox, press, check, look } = stage();
    const home = `http://${PORTAL_DOMAIN}:${new URL(service.url).port}/`;
    const open = await browser.open({ ...look, reducedMotion: 'reduce', locale: 'en-US' });
    const { page } = open;
    await page.goto(home);
    await page.getByLabel('Email').fill('hedy@example.com');
    await check(open, 'sign-in');
    await press(page.getByRole('button', { name: 'Email me a link' }));
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const { token } = await mailbox.entryOf('hedy@example.com');
    await page.goto(`${home}enter#${token}`);
    await press(page.getByRole('link', { name: 'Continue' }));
    await page.waitForURL(home);
    await page.getByText('7 of 10 commissions this month').waitFor();
    await check(open, 'portal on its domain');
    await open.close();
  });

  const shortLink = (code: string) => `http://${LINK_DOMAIN}:${new URL(stage().service.url).port}/${code}`;

  /** Fills in the form on the page, confirms the address with the emailed link, and continues to the portal. */
  async function apply(
    { page, ...rest }: OpenPage,
    name: string,
    email: string,
    check: Stage['check'] = () => Promise.resolve(),
  ): Promise<void> {
    const { press, mailbox } = stage();
    await page.getByLabel('Your name').fill(name);
    await page.getByLabel('Email').fill(email);
    const question = page.getByLabel('Where will you tell people about us?');
    if ((await question.count()) > 0) {
      await question.fill('On my blog');
      await page.getByLabel('Your channel').selectOption('A podcast');
    }
    await page.getByLabel('I accept the partner agreement').check();
    await press(page.getByRole('button', { name: /^(Apply|Join)$/ }));
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await check({ page, ...rest }, 'check your email');
    const { token } = await mailbox.entryOf(email);
    await page.goto(`${new URL(page.url()).origin}/portal/mugs/enter#${token}`);
    await page.getByRole('heading', { name: `Hello, ${name}` }).waitFor();
    await check({ page, ...rest }, 'confirmed address');
    await press(page.getByRole('link', { name: 'Continue' }));
  }
});
