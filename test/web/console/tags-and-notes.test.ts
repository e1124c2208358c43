import { after, before, describe, it } from 'node:test';
import { audit, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';
import { openShop, type Shop } from '../../support/shop.ts';

describe('tags and notes in the console', () => {
  let pages: Pages;
  let shop: Shop;
  let manager: Somebody;
  before(async () => {
    pages = await openPages();
    shop = openShop(pages.service);
    manager = await pages.person('manager', 'Mary Somerville');
  });
  after(() => pages.close());

  it('the console tags a partner, lists the partners with a tag, and shows notes with their author', async () => {
    const id = await shop.collaborator('tara', { name: 'Tara Singh' });
    const open = await pages.open(`/collaborators/${id}`, manager);
    const { page } = open;
    await page.getByLabel('Add tags, separated by commas').fill('Influencer, <b>tea</b>');
    await page.getByLabel('Add tags, separated by commas').press('Enter');
    const tags = page.getByRole('list', { name: 'Tags' });
    await tags.getByText('<b>tea</b>').waitFor();
    await page.getByLabel('New note').fill('Wants 12% from January.\nSee <https://tara.example>');
    await page.getByRole('button', { name: 'Add note' }).click();
    const notes = page.getByRole('list', { name: 'Notes' });
    await notes.getByText('Mary Somerville').waitFor();
    await audit(open);
    await tags.getByRole('button', { name: 'Remove the tag “<b>tea</b>”' }).click();
    await tags.getByText('<b>tea</b>').waitFor({ state: 'detached' });
    await notes.getByRole('button', { name: 'Delete note' }).click();
    await audit(open);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete note' }).click();
    await notes.waitFor({ state: 'detached' });
    await tags.getByRole('link', { name: 'influencer' }).click();
    await waitForRows(page, 1);
    await page.getByRole('row').filter({ hasText: 'Tara Singh' }).getByText('influencer').waitFor();
    await audit(open);
    await open.close();
  });

  it('the results of partners can be sorted by tag and by custom rate, with the first tag and the highest rate first', async () => {
    const uma = await shop.collaborator('uma', { name: 'Uma Rao', tags: ['video', 'blog'] });
    await shop.collaborator('vera', { name: 'Vera Rubin' });
    const rates = { Uma: { type: 'per-sale', amount: 500 }, UmaToo: { type: 'percent', percent: 12 } };
    for (const [name, reward] of Object.entries(rates))
      await shop.program({ name, collaboratorRewards: [{ collaboratorId: uma, reward }] });
    const open = await pages.open('/collaborators?tab=performance', manager);
    const { page } = open;
    const rows = page.getByRole('table', { name: 'Performance of partners' }).locator('tbody tr');
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.waitForURL(/sort=-firstTag/);
    await rows.nth(0).filter({ hasText: 'Tara Singh' }).waitFor();
    await page.getByRole('button', { name: 'Tags' }).click();
    await rows
      .nth(0)
      .filter({ hasText: /Uma Rao.*blog\s+video/s })
      .waitFor();
    await rows.nth(2).filter({ hasText: 'Vera Rubin' }).waitFor();
    await page.getByRole('button', { name: 'Custom rate' }).click();
    await page.waitForURL(/sort=-highestCustomRate/);
    await rows
      .nth(0)
      .filter({ hasText: /Uma Rao.*12% of the sale\s+US\$5.00 a sale/s })
      .waitFor();
    await rows.nth(1).filter({ hasText: 'Vera Rubin' }).waitFor();
    await audit(open);
    await open.close();
  });
});
