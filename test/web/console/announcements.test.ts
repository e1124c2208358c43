import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openShop, type Shop } from '../../support/shop.ts';
import { audit, DESK, IN_HAND, openPages, type Pages, type Somebody } from '../../support/pages.ts';

/** A port that refuses connections, so that emails stay queued. */
const SMTP_URL = 'smtp://127.0.0.1:9';

describe('announcements in the console', () => {
  let pages: Pages;
  let shop: Shop;
  let manager: Somebody;
  before(async () => {
    pages = await openPages({ SMTP_URL });
    shop = openShop(pages.service);
    manager = await pages.person('manager', 'Ada Lovelace');
    await shop.collaborator('bob', { email: 'bob@mugs.example', tags: ['gold'] });
    await shop.collaborator('cy', { email: 'cy@mugs.example' });
  });
  after(() => pages.close());

  it('the page explains that the portal must be open', async () => {
    const open = await pages.open('/announcements', manager);
    await open.page.getByText('only while the portal is open').waitFor();
    await audit(open);
    await open.close();
    await shop.change('/v1/portal-settings', { slug: 'mugs', landingUrl: 'https://mugs.example/' });
  });

  for (const [place, options] of [
    ['on a desktop', { viewport: DESK }],
    ['on a phone', IN_HAND],
  ] as const) {
    it(`${place}, a manager sends a test and then the announcement to the partners with a tag`, async () => {
      const open = await pages.open('/collaborators', manager, options);
      const { page } = open;
      await page.getByRole('link', { name: 'Write to partners' }).click();
      await page.getByRole('button', { name: 'Send to 2 partners' }).waitFor();
      assert.ok(await page.getByRole('button', { name: 'Send to 2 partners' }).isDisabled(), 'there is no text yet');
      await page.getByLabel('Tag').fill('Gold');
      await page.getByLabel('Subject').fill(`News ${place}`);
      await page.getByLabel('Text').fill('New banners: https://mugs.example/banners');
      await page.getByRole('button', { name: 'Send a test to yourself' }).click();
      await page.getByText('The test is on its way to you').waitFor();
      await page.getByRole('button', { name: 'Send to 1 partner' }).click();
      await page.getByRole('alertdialog').waitFor();
      await audit(open);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Send to 1 partner' }).click();
      await page.getByText('The announcement is sent to 1 partner').waitFor();
      await page.getByText(`News ${place}`).waitFor();
      assert.equal(await page.getByLabel('Subject').inputValue(), '');
      await audit(open);
      await open.close();
    });
  }

  it('a viewer sees the sent announcements, but no form', async () => {
    const open = await pages.open('/announcements', await pages.person('viewer'));
    await open.page.getByText('News on a desktop').waitFor();
    assert.equal(await open.page.getByLabel('Subject').count(), 0);
    await audit(open);
    await open.close();
  });
});
