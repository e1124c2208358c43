import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOLDS_OFF } from '../../support/plain-terms.ts';
import { audit, card, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';
import { openShop, type Shop } from '../../support/shop.ts';

describe('programs in the console', () => {
  let pages: Pages;
  let shop: Shop;
  let manager: Somebody;
  before(async () => {
    pages = await openPages();
    shop = openShop(pages.service);
    manager = await pages.person('manager', 'Mary Somerville');
  });
  after(() => pages.close());

  it('the console creates a program from a recipe, with a live summary and example', async () => {
    const open = await pages.open('/programs', manager);
    const { page } = open;
    await page.getByRole('heading', { name: 'No programs yet' }).waitFor();
    await audit(open);
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New program', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Royalty' }).waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'Ten-percent affiliate' }).click();

    const words = card(page, 'In words');
    await words.getByText('Partners earn 10% of each sale').waitFor();
    await page.getByLabel('Percent', { exact: true }).fill('12.5');
    await words.getByText('Partners earn 12.5% of each sale').waitFor();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('12.50').first().waitFor();
    await page.getByLabel('Total', { exact: true }).fill('240');
    await result.getByText('30.00').first().waitFor();
    await page.getByRole('radio', { name: 'All, in equal parts' }).click();
    await result.getByText('15.00').first().waitFor();
    await audit(open);

    // The error appears at the field, and the focus stays in the field.
    await page.getByLabel('Percent', { exact: true }).fill('250');
    await page.getByText('A percentage must be above 0 and at most 100.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.value'), '250');
    await audit(open);
    await page.getByLabel('Percent', { exact: true }).fill('12.5');
    await page.getByText('A percentage must be above 0 and at most 100.').waitFor({ state: 'detached' });

    await page.getByText('Tiers', { exact: true }).click();
    await page.getByRole('button', { name: 'Add tiers' }).click();
    await page.getByLabel('From', { exact: true }).fill('100');
    await words.getByText('After US$100.00 earned in a calendar month').waitFor();
    await audit(open);
    await page.getByLabel('Name', { exact: true }).first().fill('');
    await page.getByRole('button', { name: 'Create program' }).click();
    await page.getByText('This must not be empty.').waitFor();
    await page.getByLabel('Name', { exact: true }).first().fill('Bloggers');
    await page.getByRole('button', { name: 'Create program' }).click();
    await page.getByRole('heading', { name: 'Bloggers', level: 1 }).waitFor();
    await page.getByText('After US$100.00 earned in a calendar month').waitFor();
    await audit(open);
    await open.close();
  });

  it('the console saves the fraud signals for which a conversion is reviewed', async () => {
    const id = await shop.program({ name: 'Watched' });
    const open = await pages.open(`/programs/${id}/edit`, manager);
    const { page } = open;
    await page.getByText('Fraud signals', { exact: true }).click();
    await page.getByLabel('Clicks from one address').fill('20');
    await page.getByLabel('Soonest sale').fill('-3');
    await page.getByLabel('Lowest conversion rate').fill('101');
    await page.getByText('Enter 1 or more.').waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText('Enter a number from 0 to 100.').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0, 'the editor refuses a number out of range');
    assert.equal(await page.getByLabel('Soonest sale').inputValue(), '-3');
    await page.getByLabel('Soonest sale').fill('10');
    await page.getByRole('checkbox', { name: 'Coupons used by their owners' }).check();
    await page.getByLabel('Clicks from search engines').fill('google.*, bing.com');
    await page.getByLabel('Lowest conversion rate').fill('0.05');
    await page.getByRole('checkbox', { name: 'Card' }).check();
    await card(page, 'In words').getByText('Held for review: more than 20 clicks').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('dialog').getByText('more than 20 clicks an hour from an address, own coupons').waitFor();
    await page.getByRole('button', { name: 'Save version 2' }).click();
    await page.getByText('Version 2 is live').waitFor();
    const { holds } = await shop.get<{ holds: object }>(`/v1/programs/${id}`);
    const numbers = { visitsFromAddress: 20, secondsToSale: 10, minConversionRate: 0.05 };
    const lists = { adReferrers: ['google.*', 'bing.com'], buyerDetails: ['card'] };
    assert.deepEqual(holds, { ...HOLDS_OFF, ...numbers, ...lists, ownCoupon: true });
    await open.close();
  });

  it('the console saves a reward for renewals, and removes it if the program no longer pays renewals', async () => {
    const id = await shop.program({ name: 'Plan', reward: { type: 'percent', percent: 50 } });
    const open = await pages.open(`/programs/${id}/edit`, manager);
    const { page } = open;
    await page.getByText('What it pays for', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Renewals of subscriptions' }).check();
    await page.getByRole('button', { name: 'Add a reward for renewals' }).click();
    const reward = page.getByRole('group', { name: 'Renewal reward 1' });
    await reward.getByLabel('Percent', { exact: true }).fill('20');
    await card(page, 'In words').getByText('From 12 months after the first sale, a renewal pays 20%.').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('dialog').getByText('from 12 months: 20% of the sale').waitFor();
    await page.getByRole('button', { name: 'Save version 2' }).click();
    await page.getByText('Version 2 is live').waitFor();
    const rewards = async () => (await shop.get<{ renewalRewards: object }>(`/v1/programs/${id}`)).renewalRewards;
    assert.deepEqual(await rewards(), [{ afterMonths: 12, reward: { type: 'percent', percent: 20 } }]);

    await page.keyboard.press('e');
    await page.getByText('What it pays for', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Renewals of subscriptions' }).uncheck();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Save version 3' }).click();
    await page.getByText('Version 3 is live').waitFor();
    assert.deepEqual(await rewards(), []);
    await open.close();
  });

  it('the console shows the changes of a new version, and reports a version that another person saved meanwhile', async () => {
    const id = await shop.program({ name: 'Shared', windowDays: 30 });
    const open = await pages.open(`/programs/${id}`, manager);
    const { page } = open;
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Window').fill('45');
    await page.getByText('within 45 days').waitFor();
    await page.getByText('Custom rates').click();
    await page.getByRole('button', { name: 'Add a partner', exact: true }).click();
    await page.getByText('Complete the marked fields to update this text.').waitFor();
    assert.equal(await page.locator('[aria-invalid=true]').count(), 0, 'a missing partner is no fault before the save');
    await page.getByRole('button', { name: 'Remove custom rate 1' }).click();
    await shop.change(`/v1/programs/${id}`, { reward: { type: 'percent', percent: 20 } });
    await page.getByRole('button', { name: 'Review changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('New: The sale must occur within 45 days of the last touch.').waitFor();
    await dialog.getByText('No longer: The sale must occur within 30 days of the last touch.').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Save version 2' }).click();
    await page.getByRole('dialog', { name: 'Someone else has saved version 2' }).waitFor();
    await dialog.getByText('Your changes and theirs don’t overlap').waitFor();
    await dialog.getByText('New: Partners earn 20% of each sale').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Keep mine on top of theirs' }).click();
    await page.getByText('Version 3 is live').waitFor();
    const { reward, windowDays } = await shop.get<{ reward: object; windowDays: number }>(`/v1/programs/${id}`);
    assert.deepEqual([reward, windowDays], [{ type: 'percent', percent: 20 }, 45]);

    await page.getByRole('tab', { name: 'Versions' }).click();
    await waitForRows(page, 3);
    await page.getByRole('row', { name: 'Version 3' }).getByText('Live', { exact: true }).waitFor();
    await audit(open);
    await page.getByText('Window', { exact: true }).click();
    await page.getByText('No longer: The sale must occur within 30 days').waitFor();
    await audit(open);
    await open.close();
  });

  it('the rate of a partner in a program can be changed and removed on the page of the partner', async () => {
    const rae = await shop.collaborator('rae', { name: 'Rae Rated' });
    const bo = await shop.collaborator('bo', { name: 'Bo Billed' });
    const rates = [{ collaboratorId: bo, reward: { type: 'percent', percent: 15 } }];
    const id = await shop.program({ name: 'Rated', collaboratorRewards: rates });
    const rewards = async () =>
      (await shop.get<{ collaboratorRewards: object[] }>(`/v1/programs/${id}`)).collaboratorRewards;
    const open = await pages.open(`/collaborators/${rae}?tab=programs&search=Rated`, manager);
    const { page } = open;
    const row = page.getByRole('row', { name: 'Rated' });
    const dialog = page.getByRole('dialog', { name: 'Change rate in Rated' });
    await row.getByRole('button', { name: 'Change rate in Rated' }).click();
    // Remove Bo's rate after the page has loaded, so that Rae's rate gets another position in the request.
    await shop.change(`/v1/programs/${id}`, { collaboratorRewards: [] });
    await dialog.getByLabel('Percent').fill('250');
    await dialog.getByRole('button', { name: 'Change rate' }).click();
    await dialog.getByText('A percentage must be above 0 and at most 100.').waitFor();
    assert.equal(await dialog.getByLabel('Percent').getAttribute('aria-invalid'), 'true');
    await shop.change(`/v1/programs/${id}`, { collaboratorRewards: rates });
    await audit(open);
    await dialog.getByLabel('Percent').fill('20');
    await dialog.getByRole('button', { name: 'Change rate' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('20% of the sale').waitFor();
    await row.getByText('Custom rate', { exact: true }).waitFor();
    await audit(open);
    assert.deepEqual(await rewards(), [{ collaboratorId: rae, reward: { type: 'percent', percent: 20 } }, ...rates]);
    await row.getByRole('button', { name: 'Change rate in Rated' }).click();
    await dialog.getByRole('button', { name: 'Remove custom rate' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('Custom rate', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(await rewards(), rates);
    await open.close();
  });

  it('the console lists versions with their differences, and a version has its own URL', async () => {
    const id = await shop.program({ name: 'Long-lived', windowDays: 1 });
    for (let windowDays = 2; windowDays <= 27; windowDays += 1) await shop.change(`/v1/programs/${id}`, { windowDays });
    const open = await pages.open(`/programs/${id}?tab=versions`, manager);
    const { page } = open;
    // For the last version on a page, the previous version is on the next page.
    await waitForRows(page, 25);
    assert.equal(await page.getByText('Window', { exact: true }).count(), 25);
    await page.getByRole('button', { name: 'Next page' }).click();
    await waitForRows(page, 2);
    await page.getByText('The first version').waitFor();
    await page.getByRole('columnheader', { name: 'Version' }).getByRole('button').click();
    await waitForRows(page, 25);
    assert.match(page.url(), /[?&]sort=version(&|$)/);
    const [first] = await page.locator('tbody tr td:first-child').allTextContents();
    assert.equal(first, 'Version 1');
    await page.getByRole('link', { name: 'Version 2', exact: true }).click();
    await page.getByRole('dialog', { name: 'Version 2' }).getByText('within 1 day of the last touch').waitFor();
    assert.match(page.url(), /sort=version/, 'the list keeps its order');
    await page.keyboard.press('Escape');

    await page.goto(`${pages.url}/programs/${id}?tab=versions&version=1`);
    await page.getByRole('dialog').getByText('Partners earn').waitFor();
    await page.goto(`${pages.url}/programs/${id}?tab=versions&version=99`);
    await page.getByText('The program has no such version.').waitFor();
    await page.goto(`${pages.url}/programs/${id}?tab=versions&createdUntil=2020-01-01T00:00:00.000Z`);
    await page.getByText('Nothing matches').waitFor();
    await open.close();
  });

  it('the console asks for confirmation before it discards unsaved changes', async () => {
    const id = await shop.program({ name: 'Half done' });
    const open = await pages.open(`/programs/${id}/edit`, manager);
    const { page } = open;
    await page.getByLabel('Window').fill('7');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Half done' }).waitFor();
    await open.close();
  });

  it('each page of a partner’s programs begins with the programs in which the partner can earn', async () => {
    const peg = await shop.collaborator('peg', { name: 'Peg Parrot' });
    await shop.program({ name: 'Order 1, for everyone' });
    const chosen = await shop.program({ name: 'Order 2, for Peg', enrollment: 'selected' });
    await shop.program({ name: 'Order 3, for others', enrollment: 'selected' });
    const body = { collaboratorId: peg };
    await pages.service.request('POST', `/v1/programs/${chosen}/collaborators`, { key: pages.service.secretKey, body });
    const seen = await pages.open(`/collaborators/${peg}?tab=programs&search=order`, manager);
    const { page } = seen;
    await waitForRows(page, 3);
    const names = page.locator('tbody tr td:first-child');
    assert.deepEqual(await names.allTextContents(), [
      'Order 2, for Peg',
      'Order 1, for everyone',
      'Order 3, for others',
    ]);
    await page.getByRole('button', { name: 'Program', exact: true }).click();
    await page.waitForURL(/sort=-name/);
    await page.getByRole('row').nth(1).getByText('Order 3, for others').waitFor();
    await seen.close();
  });

  it('the console enrolls collaborators, configures sign-up, and deactivates a program', async () => {
    const id = await shop.program({ name: 'Chosen few', enrollment: 'selected' });
    await shop.collaborator('lovelace', { name: 'Ada Lovelace', email: 'ada@example.com' });
    const open = await pages.open(`/programs/${id}?tab=collaborators`, manager);
    const { page } = open;
    await page.getByRole('heading', { name: 'Nobody is enrolled yet' }).waitFor();
    await page.getByRole('combobox', { name: 'Enroll a partner' }).click();
    await page.keyboard.type('lovel');
    await page.getByRole('option', { name: 'Ada Lovelace' }).click();
    await page.getByRole('button', { name: 'Enroll', exact: true }).click();
    await page.getByRole('row', { name: 'Ada Lovelace' }).getByText('Enrolled').waitFor();
    await page.getByRole('button', { name: 'Remove Ada Lovelace' }).click();
    await page.getByRole('heading', { name: 'Nobody is enrolled yet' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('row', { name: 'Ada Lovelace' }).waitFor();
    await audit(open);

    await page.getByRole('tab', { name: 'Sign-up' }).click();
    await page.getByRole('radio', { name: 'With your approval' }).click();
    for (const label of ['Your channel', 'Where will you tell people about us?']) {
      await page.getByRole('button', { name: 'Add a field' }).click();
      await page.getByLabel('Label').last().fill(label);
    }
    await page
      .getByRole('group', { name: 'Field 1' })
      .getByLabel('Answer', { exact: true })
      .selectOption('One of several choices');
    await page.getByRole('group', { name: 'Field 2' }).getByLabel('Answer', { exact: true }).selectOption('Long text');
    await page.getByRole('checkbox', { name: 'An answer is required' }).last().check();
    await page.getByRole('button', { name: 'Save sign-up' }).click();
    await page.getByText('Add at least one choice.').waitFor();
    await page.getByLabel('Choices, one on each line').fill('A blog\n\nA podcast ');
    await page.getByRole('button', { name: 'Move field 2 up' }).click();
    await audit(open);
    await page.getByRole('button', { name: 'Save sign-up' }).click();
    await page.getByText('Where they sign up').waitFor();
    assert.deepEqual(await shop.get(`/v1/programs/${id}/sign-up`), {
      mode: 'approval',
      headline: null,
      acceptedDomains: [],
      signUpsFromNetwork: 3,
      fields: [
        { label: 'Where will you tell people about us?', type: 'long-text', required: true, choices: [] },
        { label: 'Your channel', type: 'choice', required: false, choices: ['A blog', 'A podcast'] },
      ],
    });

    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await page.getByRole('alertdialog').getByText('new sales are not paid').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('This program is inactive').waitFor();
    await open.close();
  });

  it('the console creates a program group from a recipe, edits the group and deletes it', async () => {
    const open = await pages.open('/programs/new?recipe=tiered-with-vip-group', manager);
    const { page } = open;
    await page.getByText('After US$500.00 earned').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Create 2 programs' }).click();
    await page.getByRole('row', { name: 'VIP partners' }).waitFor();
    await page.goto(`${pages.url}/groups`);
    const row = page.getByRole('row', { name: 'Partner or VIP' });
    await row.getByRole('link', { name: 'VIP partners' }).waitFor();
    await audit(open);
    await row.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'The oldest touch' }).click();
    await dialog.getByRole('button', { name: 'Remove Partners' }).click();
    await audit(open);
    await dialog.getByRole('button', { name: 'Save group' }).click();
    await row.getByText('The oldest touch').waitFor();
    await row.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete group' }).click();
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await open.close();
  });

  it('the console registers the custom event that a recipe requires', async () => {
    const open = await pages.open('/programs/new?recipe=royalty', manager);
    const { page } = open;
    await page.getByRole('button', { name: 'Register “work-sold”' }).click();
    await card(page, 'In words').getByText('It counts the event “work-sold”.').waitFor();
    await page.getByRole('button', { name: 'Register “work-sold”' }).waitFor({ state: 'detached' });
    await open.close();
  });

  it('the console shows a viewer no buttons to edit programs', async () => {
    const id = await shop.program({ name: 'Seen by all' });
    const open = await pages.open('/programs', await pages.person('viewer', 'Only Looking'));
    const { page } = open;
    await page.getByRole('link', { name: 'Seen by all' }).click();
    await page.waitForURL(`${pages.url}/programs/${id}`);
    await page.getByText('Partners earn 10% of each sale').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'More', exact: true }).count(), 0);
    await audit(open);
    await open.close();
  });
});
