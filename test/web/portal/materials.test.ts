import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pngOf } from '../../materials/images.ts';
import { audit, chooseDeletedFile, DESK, IN_HAND, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { type Collaborator, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

const PNG = pngOf(728, 90);
/** A script that writes copied texts to the title of the page, because tests have no clipboard. */
const COPY_TO_TITLE = `Object.defineProperty(navigator, 'clipboard', {
  value: { writeText: async (text) => void (document.title = text) },
})`;

describe('materials', () => {
  let pages: Pages;
  let shop: Shop;
  let manager: Somebody;
  let ada: Collaborator;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    shop = openShop(service);
    await shop.program({ name: 'Friends' });
    await shop.collaborator('ada', { email: 'ada@mugs.example' });
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    ada = await portal.enter('ada@mugs.example');
    manager = await pages.person('manager', 'Mary Somerville');
  });
  after(() => pages.close());

  for (const [place, options] of [
    ['on a desktop', { viewport: DESK }],
    ['on a phone', IN_HAND],
  ] as const) {
    it(`${place}, a merchant adds a banner, a text and a link, and a partner uses them`, async () => {
      const open = await pages.open('/materials', manager, options);
      const { page } = open;
      await page.getByText('No materials yet').waitFor();
      await audit(open);
      const dialog = page.locator('[role=dialog]', { has: page.locator('form') });
      const add = async (fill: () => Promise<void>): Promise<void> => {
        await page.getByRole('button', { name: 'New material' }).click();
        await fill();
        await audit(open);
        await dialog.getByRole('button', { name: 'Add material' }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await add(async () => {
        const file = { name: 'summer.png', mimeType: 'image/png', buffer: PNG };
        await chooseDeletedFile(dialog.locator('input[type=file]'), 'gone.png');
        await dialog.getByText('The file can’t be read.').waitFor();
        await dialog.locator('input[type=file]').setInputFiles(file);
        await dialog.getByText('summer.png').waitFor();
        await dialog.getByLabel('Title').fill('Summer banner');
        await dialog.getByLabel('License note').fill('Use it unchanged');
      });
      await page.getByText('PNG, 728 × 90 px, 1 KiB').waitFor();
      await add(async () => {
        await dialog.getByRole('button', { name: 'Text' }).click();
        await dialog.getByLabel('Title').fill('Post');
        await dialog.getByLabel('Text').fill('Mugs: {link}');
      });
      await add(async () => {
        await dialog.getByRole('button', { name: 'Link' }).click();
        await dialog.getByLabel('Title').fill('Sale');
        await dialog.getByLabel('Page').fill('https://mugs.example/sale');
      });
      await page.getByRole('heading', { name: 'Sale' }).waitFor();
      await audit(open);

      const inside = await pages.openPortal('/mugs/', ada.cookie, options);
      await inside.page.getByRole('link', { name: 'Materials' }).click();
      const banner = inside.page.locator('section', { hasText: 'Summer banner' });
      await banner.getByText('Use it unchanged').waitFor();
      await inside.page.waitForFunction(`document.querySelector('section img').naturalWidth === 728`);
      await inside.page.getByText('Mugs: https://mugs.example/?ref=ada').waitFor();
      await inside.page.getByText('https://mugs.example/sale?ref=ada').waitFor();
      const [download] = await Promise.all([
        inside.page.waitForEvent('download'),
        banner.getByRole('link', { name: 'Download' }).click(),
      ]);
      assert.equal(download.suggestedFilename(), 'summer.png');
      await inside.page.evaluate(COPY_TO_TITLE);
      await banner.getByRole('button', { name: 'Copy HTML' }).click();
      await banner.getByText('Copied').first().waitFor();
      assert.match(
        await inside.page.title(),
        /^<a href="https:\/\/mugs\.example\/\?ref=ada"><img src="http:[^"]+\/materials\/[\w-]{22}" alt="Summer banner" width="728" height="90"><\/a>$/,
      );
      await inside.page.getByRole('button', { name: 'Copy text' }).click();
      await inside.page.waitForFunction(`document.title === 'Mugs: https://mugs.example/?ref=ada'`);
      await audit(inside);
      await inside.close();

      await page.locator('section', { hasText: 'Sale' }).getByRole('button', { name: 'Edit' }).click();
      await dialog.getByLabel('Title').fill('Winter sale');
      await dialog.getByRole('button', { name: 'Save material' }).click();
      await page.getByRole('heading', { name: 'Winter sale' }).waitFor();
      await page.locator('section', { hasText: 'Post' }).getByRole('button', { name: 'Archive' }).click();
      await page.getByText('The material is archived').waitFor();
      await page.getByRole('button', { name: 'Archived' }).click();
      await page.getByRole('button', { name: 'Restore' }).waitFor();
      await page.getByRole('button', { name: 'Delete …' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete material' }).click();
      await page.getByText('No material is archived.').waitFor();
      await audit(open);
      await open.close();
      for (const { id } of await shop.get<{ id: number }[]>('/v1/materials')) {
        const reply = await pages.service.request('DELETE', `/v1/materials/${id}`, { key: pages.service.secretKey });
        assert.equal(reply.status, 200);
      }
    });
  }

  it('a viewer sees no buttons to add or edit materials', async () => {
    await pages.service.request('POST', '/v1/materials', {
      key: pages.service.secretKey,
      body: { title: 'Post', text: 'Mugs: {link}' },
    });
    const open = await pages.open('/materials', await pages.person('viewer'));
    await open.page.getByText('Mugs: {link}').waitFor();
    assert.equal(await open.page.getByRole('button', { name: 'Edit' }).count(), 0);
    assert.equal(await open.page.getByRole('button', { name: 'New material' }).count(), 0);
    await audit(open);
    await open.close();
  });
});
