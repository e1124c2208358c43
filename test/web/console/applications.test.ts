import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { audit, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { openMailbox, openPortal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

describe('applications in the console', () => {
  let pages: Pages;
  let shop: Shop;
  let manager: Somebody;
  before(async () => {
    pages = await openPages();
    shop = openShop(pages.service);
    await openPortal(pages.service, await openMailbox(pages.service), 'mugs', pages.service.secretKey);
    manager = await pages.person('manager');
  });
  after(() => pages.close());

  it('the console approves and rejects several pending collaborators at once, with undo', async () => {
    const ids = [
      await shop.collaborator('ben', { name: 'Ben Babbage', status: 'pending' }),
      await shop.collaborator('cy', { name: 'Cy Caroll', status: 'pending' }),
    ];
    const statusOf = async (id: number) => (await shop.get<{ status: string }>(`/v1/collaborators/${id}`)).status;
    const statuses = () => Promise.all(ids.map(statusOf));
    const open = await pages.open('/collaborators?tab=waiting', manager);
    const { page } = open;
    await page.getByRole('row', { name: 'Ben Babbage' }).waitFor();
    await audit(open);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.keyboard.press('r');
    const question = page.getByRole('alertdialog', { name: 'Reject 2 partners?' });
    await question.getByText('can’t be activated later').waitFor();
    await question.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejecting 2 partners').waitFor();
    await page.getByRole('heading', { name: 'No applications' }).waitFor();
    await page.getByText(/\/portal\/mugs\/sign-up$/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row', { name: 'Ben Babbage' }).waitFor();
    assert.deepEqual(await statuses(), ['pending', 'pending'], 'the statuses are unchanged');

    await page.getByRole('checkbox', { name: 'Select partner Ben Babbage' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approving 1 partner').waitFor();
    // The decision is sent when the user leaves the page.
    await page.goto('about:blank');
    while ((await statuses())[0] === 'pending') await setImmediate();
    assert.deepEqual(await statuses(), ['active', 'pending']);
    await page.goto(`${pages.url}/collaborators?tab=waiting`);
    await page.getByRole('link', { name: 'Cy Caroll' }).click();
    await page.getByRole('link', { name: 'Waiting', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Select partner Cy Caroll' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Reject …' }).click();
    await page.getByRole('alertdialog', { name: 'Reject Cy Caroll?' }).getByLabel('Reason').fill('No visitors');
    await audit(open);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).click();
    await page.goto('about:blank');
    while ((await statuses())[1] === 'pending') await setImmediate();
    await page.goto(`${pages.url}/collaborators/${ids[1]}`);
    await page.getByText('This partner was rejected: No visitors').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Waiting', exact: true }).count(), 0);
    await open.close();
  });

  it('an applicant can be rejected with a reason on their page, which links to the other applications', async () => {
    const id = await shop.collaborator('dot', { name: 'Dot Dimension', status: 'pending' });
    const open = await pages.open(`/collaborators/${id}`, manager);
    const { page } = open;
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('alertdialog').getByLabel('Reason').fill('The site has no visitors.');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('This partner was rejected: The site has no visitors.').waitFor();
    await page.getByRole('link', { name: 'Waiting', exact: true }).click();
    await page.getByRole('heading', { name: 'No applications' }).waitFor();
    await open.close();
  });
});
