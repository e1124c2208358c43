import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, DESK, IN_HAND, openPages, type Pages, type Somebody } from '../../support/pages.ts';

describe('emails to partners in the console', () => {
  let pages: Pages;
  let owner: Somebody;
  let viewer: Somebody;
  before(async () => {
    pages = await openPages();
    owner = await pages.person('owner');
    viewer = await pages.person('viewer');
  });
  after(() => pages.close());

  const kinds = async (): Promise<string[]> => {
    const { service } = pages;
    const reply = await service.request('GET', '/v1/partner-emails', { key: service.secretKey });
    return (reply.body as { kinds: string[] }).kinds;
  };

  for (const [place, options] of [
    ['on a desktop', { viewport: DESK }],
    ['on a phone', IN_HAND],
  ] as const) {
    it(`${place}, an owner turns a kind of email off and on again`, async () => {
      const open = await pages.open('/settings/emails', owner, options);
      const { page } = open;
      await page.getByText('No mail server is set').waitFor();
      await page.getByText('while the portal is closed').waitFor();
      await audit(open);
      const rejected = page.getByText('Rejected commissions', { exact: true });
      await rejected.click();
      await page.getByText('The emails are saved').waitFor();
      assert.deepEqual(await kinds(), [
        'application-rejected',
        'first-click',
        'first-sale',
        'approved',
        'paid',
        'payout-failed',
        'rate-changed',
      ]);
      await open.still();
      await rejected.click();
      await open.still();
      assert.ok((await kinds()).includes('rejected'));
      await audit(open);
      await open.close();
    });
  }

  it('a viewer sees the kinds of email, but can’t change the setting', async () => {
    const open = await pages.open('/settings/emails', viewer);
    await open.page.getByRole('switch', { name: 'Payouts' }).waitFor();
    assert.ok(await open.page.getByRole('switch', { name: 'Payouts' }).isDisabled());
    await audit(open);
    await open.close();
  });

  it('the account page explains that no summary is sent without a mail server', async () => {
    const open = await pages.open('/settings/account', viewer);
    await open.page.getByText('No mail server is set, so no summary is sent.').waitFor();
    await open.close();
  });
});
