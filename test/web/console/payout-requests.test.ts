import { after, before, describe, it } from 'node:test';
import { audit, card, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { type Collaborator, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop } from '../../support/shop.ts';

describe('payout requests in the portal and the console', () => {
  let pages: Pages;
  let olga: Somebody;
  let ada: Collaborator;
  let ben: Collaborator;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    const shop = openShop(service);
    await shop.program({ autoApprove: true });
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    for (const name of ['ada', 'ben']) {
      await shop.collaborator(name, { name, email: `${name}@request.example` });
      await shop.sell(`order-${name}`, await shop.visit(name), { total: 600 });
    }
    await service.settled();
    ada = await portal.enter('ada@request.example');
    ben = await portal.enter('ben@request.example');
    const payoutDetails = { method: 'paypal', account: 'ada@paypal.example' };
    await ada.must('PATCH', '/v1/portal/account', { payoutDetails });
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  /** Requests a payout for two partners. The partner without payout details is refused. */
  const requestInPortal = async (): Promise<void> => {
    const refused = await pages.openPortal('/mugs/payouts', ben.cookie);
    await refused.page.getByRole('button', { name: 'Request payout in USD' }).click();
    await refused.page.getByText('Enter your payout details first.').first().waitFor();
    await refused.close();
    const accepted = await pages.openPortal('/mugs/payouts', ada.cookie);
    await accepted.page.getByRole('button', { name: 'Request payout in USD' }).click();
    await accepted.page.getByText('Payout requested on').waitFor();
    await audit(accepted);
    await accepted.close();
  };

  it('are allowed in the settings, and are paid with a payout run of the selected requests', async () => {
    const open = await pages.open('/settings/payouts', olga);
    const { page } = open;
    await page.getByRole('switch', { name: 'Allow payout requests' }).click();
    await page.getByRole('textbox', { name: 'Minimum' }).fill('50');
    await audit(open);
    await card(page, 'Payout requests').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The payout settings are saved').waitFor();
    await requestInPortal();
    await page.goto(`${pages.url}/`);
    await page.locator('nav a[aria-description="1 waiting"]', { hasText: 'Payouts' }).waitFor();
    await page.getByRole('link', { name: '1 payout request' }).click();
    await page.getByText('PayPal').waitFor();
    await audit(open);
    await page.getByRole('checkbox', { name: 'Select request 1' }).click();
    await page.getByRole('button', { name: 'Create payout run' }).click();
    await page.getByRole('heading', { name: 'Run 1' }).waitFor();
    await page.getByText('$60.00').first().waitFor();
    await page.goto(`${pages.url}/payouts?tab=requests`);
    await page.getByText('No payout requests').waitFor();
    await audit(open);
    await open.close();
  });
});
