import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Whence } from '@whence/sdk';
import { openMailbox, openPortal } from '../../support/portal.ts';
import { audit, openPages, type Pages, type Somebody, waitForRows } from '../../support/pages.ts';

describe('the fraud page', () => {
  let pages: Pages;
  let whence: Whence;
  let mia: Somebody;
  before(async () => {
    pages = await openPages();
    whence = new Whence({ baseUrl: pages.service.url, apiKey: pages.service.secretKey });
    mia = await pages.person('manager', 'Mia Manager');
    const holds = { secondsToSale: 3_600, visitsOfCollaborator: 1_200, maxConversionRate: 1.5 };
    await whence.programs.create({ name: 'Friends', reward: { type: 'percent', percent: 10 }, holds });
    await whence.programs.create({ name: 'Calm', status: 'draft', reward: { type: 'percent', percent: 5 } });
    await whence.collaborators.create({ name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
    for (const n of [1, 2, 3, 4]) {
      const trackingId = await whence.report.visit({ collaboratorId: 'tracking:ada' });
      const sale = { source: 'shop', externalId: `order-${n}`, total: 10 * n, currency: 'USD', trackingId };
      await whence.report.sale(sale);
    }
    await Promise.all(Array.from({ length: 96 }, () => whence.report.visit({ collaboratorId: 'tracking:ada' })));
    await pages.service.settled();
  });
  after(() => pages.close());

  it('the Signals tab shows a program without fraud signals, and turns its default fraud signals on and off again', async () => {
    const { id } = await whence.programs.create({ name: 'Bare', reward: { type: 'percent', percent: 10 } });
    const open = await pages.open('/fraud?tab=signals', mia);
    const { page } = open;
    await waitForRows(page, 2);
    const row = page.getByRole('row').filter({ hasText: 'Bare' });
    await row.getByText('No signals').waitFor();
    await audit(open);
    await row.getByRole('button', { name: 'Turn on default signals of Bare' }).click();
    await row.getByText('Sold very soon within 10 s').waitFor();
    await row.getByText('Few sales per click under 0.05%').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('No signals').waitFor();
    await open.close();
    const viewer = await pages.open('/fraud?tab=signals', await pages.person('viewer'));
    await viewer.page.getByText('No signals').waitFor();
    assert.equal(await viewer.page.getByRole('button', { name: /Turn on/ }).count(), 0);
    await viewer.close();
    await whence.programs.update(id, { status: 'inactive' });
  });

  it('the Signals tab shows the limits of each active program, and links to its editor', async () => {
    const open = await pages.open('/fraud?programId=2', mia);
    const { page } = open;
    await page.getByRole('tab', { name: 'Signals' }).click();
    await waitForRows(page, 1);
    await page.getByText('over 1,200 an hour').waitFor();
    await page.getByText('within 3,600 s').waitFor();
    await page.getByText('Many sales per click over 1.5%').waitFor();
    await page.getByText('Many sign-ups from one network 3 or more').waitFor();
    for (const term of ['Sold very soon', 'Few sales per click', 'Many sales per click', 'Many refunds']) {
      await page.getByRole('term').getByText(term, { exact: true }).waitFor();
    }
    await audit(open);
    await page.getByRole('link', { name: 'Friends' }).click();
    await page.waitForURL(`${pages.url}/programs/1/edit`);
    await open.close();
  });

  it('a viewer sees the commissions held for review without checkboxes and without buttons for decisions', async () => {
    const { page, close } = await pages.open('/fraud', await pages.person('viewer', 'Vera Viewer'));
    await waitForRows(page, 4);
    assert.equal(await page.getByRole('checkbox').count(), 0);
    for (const name of ['Clear from review', 'Approve']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    }
    await close();
  });

  it('a commission is cleared or approved with one click, and several are rejected at once', async () => {
    const open = await pages.open('/', mia);
    const { page } = open;
    const explained: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/explanation')) explained.push(request.url());
    });
    await page.locator('nav a[aria-description="4 waiting"]', { hasText: 'Fraud' }).waitFor();
    await page.getByRole('link', { name: '4 commissions held for review' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Fraud' }).click();
    const clock = await open.takeClock();
    await waitForRows(page, 4);
    await page
      .getByText(/Seconds from the first click to the sale: \d+\. The limit is 3,600\./)
      .first()
      .waitFor();
    assert.deepEqual(explained, [], 'the list has the facts of the signals');
    await audit(open);
    await page.getByRole('button', { name: 'Clear from review' }).first().click();
    await waitForRows(page, 3);
    await page.getByRole('button', { name: 'Approve', exact: true }).first().click();
    await waitForRows(page, 2);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Reject …' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Bought clicks');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('Nothing to review').waitFor();
    await audit(open);
    await clock.runFor(10_000);
    await page.getByText('2 commissions rejected').waitFor();
    const { data } = await whence.conversions.list({ sort: 'id' }).page();
    assert.deepEqual(
      data.map(({ status, review, reason }) => [status, review, reason]),
      [
        ['pending', 'resolved', undefined],
        ['approved', 'resolved', undefined],
        ['rejected', 'resolved', 'Bought clicks'],
        ['rejected', 'resolved', 'Bought clicks'],
      ],
    );
    await page.getByRole('tab', { name: 'Reviewed' }).click();
    await waitForRows(page, 4);
    await audit(open);
    await open.close();
  });

  it('a partner can be added to the list of partners that are always reviewed, and removed from the list', async () => {
    const open = await pages.open('/fraud?tab=lists', mia);
    const { page } = open;
    await page.getByText('No partner is always reviewed').waitFor();
    await audit(open);
    await page.getByRole('combobox', { name: 'Partner' }).click();
    await page.keyboard.type('ada');
    await page.getByRole('option', { name: 'Ada' }).click();
    await page.getByRole('button', { name: 'Always review', exact: true }).click();
    await waitForRows(page, 1);
    assert.equal((await whence.collaborators.get(1)).fraudReview, 'always');
    await audit(open);
    await page.getByRole('button', { name: 'Allow list', exact: true }).click();
    await page.getByText('No partner is exempt from review').waitFor();
    await page.getByRole('button', { name: 'Deny list', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Ada from the list' }).click();
    await page.getByText('No partner is always reviewed').waitFor();
    assert.equal((await whence.collaborators.get(1)).fraudReview, 'signals');
    await open.close();
  });

  it('a partner with unusual results is listed with the limit of the program', async () => {
    const open = await pages.open('/fraud?tab=partners', mia);
    const { page } = open;
    await waitForRows(page, 1);
    const facts = page.getByText('Conversion rate: 4%. The program expects at most 1.5%.');
    await facts.waitFor();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('dialog', { name: 'View' }).getByRole('checkbox', { name: 'Signal' }).click();
    await facts.waitFor({ state: 'detached' });
    assert.match(page.url(), /hidden=signal/);
    await audit(open);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.waitForURL(`${pages.url}/collaborators/1`);
    await open.close();
  });

  it('a network is added to the deny list and removed from it, also on a phone', async () => {
    for (const width of [1440, 390]) {
      const open = await pages.open('/fraud?tab=lists', mia);
      const { page } = open;
      await page.setViewportSize({ width, height: 900 });
      await page.getByText('The deny list is empty').waitFor();
      await page.getByRole('textbox', { name: 'Value' }).fill('everywhere');
      await page.getByRole('button', { name: 'Add to the deny list' }).click();
      await page.getByText('This must be a network such as 203.0.113.0/24').first().waitFor();
      await page.getByRole('textbox', { name: 'Value' }).fill(' 203.0.113.77/24 ');
      await page.getByRole('textbox', { name: 'Note' }).fill('Click farm');
      await page.getByRole('button', { name: 'Add to the deny list' }).click();
      await page.getByText('203.0.113.0/24').first().waitFor();
      await audit(open);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      const [entry] = await whence.fraudListEntries.list().toArray({ limit: 10 });
      assert.deepEqual([entry?.list, entry?.value, entry?.note], ['deny', '203.0.113.0/24', 'Click farm']);
      await page.getByRole('button', { name: 'Remove 203.0.113.0/24' }).click();
      await page.getByText('The deny list is empty').waitFor();
      await open.close();
    }
  });

  it('commissions in review are not counted and listed as waiting for approval, and stay if several commissions are approved', async () => {
    const sell = async (externalId: string) => {
      const trackingId = await whence.report.visit({ collaboratorId: 'tracking:ada' });
      await whence.report.sale({ source: 'shop', externalId, total: 50, currency: 'USD', trackingId });
    };
    await sell('held-1');
    await sell('held-2');
    await whence.programs.update(1, { holds: null });
    await sell('plain-1');
    await sell('plain-2');
    await pages.service.settled();
    const open = await pages.open('/conversions?sort=-id', mia);
    const { page } = open;
    await page.getByRole('row').filter({ hasText: 'plain-1' }).waitFor();
    assert.equal(await page.getByRole('row').filter({ hasText: 'held-1' }).count(), 0);
    const waiting = await page.locator('tbody tr').count();
    await page.getByRole('tab', { name: `To approve ${waiting}` }).waitFor();
    await page.locator(`nav a[aria-description="${waiting} waiting"]`, { hasText: 'Commissions' }).waitFor();
    await page.goto(`${pages.url}/`);
    await page.getByRole('link', { name: new RegExp(`^${waiting} commissions? to approve`) }).waitFor();

    const staying = '2 commissions are held for review and stay. Decide them under Fraud.';
    await page.goto(`${pages.url}/conversions?tab=all&sort=-id`);
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByRole('button', { name: 'Not held' }).click();
    await page.getByRole('row').filter({ hasText: 'held-1' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'plain-1' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Review' }).click();
    for (const order of ['plain-1', 'plain-2', 'held-1', 'held-2']) {
      await page.getByRole('row').filter({ hasText: order }).getByRole('checkbox').click();
    }
    await page.getByRole('toolbar').getByRole('button', { name: 'Approve 2 of 4' }).click();
    await page.getByText('Approving 2 commissions').waitFor();
    await page.getByText(`US$10.00. ${staying}`).waitFor();
    await page.getByRole('row').filter({ hasText: 'plain-1' }).getByText('Being approved').waitFor();
    await audit(open);
    for (const order of ['held-1', 'held-2']) {
      await page.getByRole('row').filter({ hasText: order }).getByRole('checkbox').click();
    }
    await page.getByRole('toolbar').getByRole('button', { name: 'Approve 0 of 2' }).click();
    await page.getByText('No commission was approved').waitFor();
    await page.goto('about:blank');
    const reviews = async () => {
      const { data } = await whence.conversions.list({ sort: '-id', perPage: 4 }).page();
      return data.map(({ status, review }) => [status, review]);
    };
    while ((await reviews())[0]?.[0] === 'pending') continue;
    assert.deepEqual(await reviews(), [
      ['approved', 'none'],
      ['approved', 'none'],
      ['pending', 'held'],
      ['pending', 'held'],
    ]);
    await open.close();
  });

  it('partners who applied from one network are listed, and each application names the other partners', async () => {
    const mailbox = await openMailbox(pages.service);
    const portal = await openPortal(pages.service, mailbox, 'mugs', pages.service.secretKey);
    await whence.programs.changeSignUp(1, { mode: 'open' });
    for (const [n, name] of ['Ben', 'Cyd', 'Dan'].entries()) {
      const email = `${name.toLowerCase()}@net.example`;
      const from = { 'x-forwarded-for': `203.0.113.${n}` };
      const asked = await portal.visit('POST', '/sign-ups', { programId: 1, name, email }, from);
      assert.equal(asked.status, 200, asked.text);
      const { token } = await mailbox.entryOf(email);
      assert.equal((await portal.visit('POST', '/sessions', { token })).status, 201);
    }
    const open = await pages.open('/fraud?tab=partners', mia);
    const { page } = open;
    await waitForRows(page, 3);
    const facts = (others: string) => `3 applications from one network within 7 days. The others: ${others}.`;
    await page.getByText(facts('Ben, Cyd')).waitFor();
    await page.getByText(facts('Cyd, Dan')).waitFor();
    await audit(open);
    await page.goto(`${pages.url}/collaborators?tab=waiting`);
    await waitForRows(page, 1);
    await page.getByText('Many sign-ups from one network').waitFor();
    await page.getByText(facts('Ben, Cyd')).waitFor();
    await audit(open);
    const [ben] = await whence.collaborators.list({ email: 'ben@net.example' }).toArray({ limit: 1 });
    await page.goto(`${pages.url}/collaborators/${ben?.id}?tab=sign-ups`);
    await page.getByText(facts('Cyd, Dan')).waitFor();
    await audit(open);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByText(facts('Cyd, Dan')).waitFor();
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    await audit(open);
    await page.goto(`${pages.url}/programs/1?tab=sign-up`);
    const limit = page.getByRole('textbox', { name: 'Review sign-ups from one network' });
    assert.equal(await limit.inputValue(), '3');
    await limit.fill('4');
    await audit(open);
    await page.getByRole('button', { name: 'Save sign-up' }).click();
    await page.getByText('Saved').waitFor();
    await page.goto(`${pages.url}/fraud?tab=partners`);
    await page.getByText('No partner has unusual results or sign-ups').waitFor();
    await open.close();
  });
});
