import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { Whence } from '@whence/sdk';
import { type Somebody, waitForRows } from '../../support/pages.ts';
import { openPortal, type Portal } from '../../support/portal.ts';
import { describeStory } from '../../support/stories.ts';

type Sale = { readonly by: 'ada' | 'ben' | 'cy'; readonly referrer?: string; readonly buyer?: string };

describeStory('Watch: a merchant finds and decides suspicious commissions', {}, (stage) => {
  let whence: Whence;
  let portal: Portal;
  let mia: Somebody;
  before(async () => {
    const { service, mailbox, person } = stage();
    whence = new Whence({ baseUrl: service.url, apiKey: service.secretKey });
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    const reward = { type: 'percent', percent: 10 } as const;
    await whence.programs.create({ name: 'Friends', reward, autoApprove: true });
    await whence.programs.create({ name: 'Ambassadors', reward, enrollment: 'selected', holds: { ownCoupon: true } });
    for (const [name, code] of [
      ['Ada Lovelace', 'ada'],
      ['Ben Bitdiddle', 'ben'],
      ['Cy Young', 'cy'],
    ] as const) {
      const email = `${code}@watch.example`;
      await whence.collaborators.create({ name, email, aliases: [{ type: 'tracking', code }] });
    }
    mia = await person('manager', 'Mia Manager');
  });

  const sell = async (externalId: string, { by, referrer, buyer }: Sale): Promise<void> => {
    const visit = { collaboratorId: `tracking:${by}`, ...(referrer === undefined ? {} : { referrer }) };
    const trackingId = await whence.report.visit(visit);
    const sale = { source: 'shop', externalId, total: 80, currency: 'USD', trackingId };
    await whence.report.sale({ ...sale, ...(buyer === undefined ? {} : { buyer: { email: buyer } }) });
  };
  /** Waits until the decisions of a page that was left are stored. Returns the status and review of each conversion. */
  const decided = async (held: number): Promise<string[]> => {
    for (;;) {
      const { data } = await whence.conversions.list({ sort: 'id' }).page();
      if (data.filter(({ review }) => review === 'held').length === held) {
        return data.map(({ status, review }) => `${status}, ${review}`);
      }
    }
  };

  it('Mia sees the fraud signals of each program, and sets limits for one program', async () => {
    const { press, check, goTo } = stage();
    const open = await stage().open('/', mia);
    const { page } = open;
    await goTo(open, 'Fraud');
    await page.getByText('Nothing to review').waitFor();
    await check(open, 'fraud empty');
    await press(page.getByRole('link', { name: 'See the signals' }));
    await waitForRows(page, 2);
    await page.getByText('Sold very soon').first().waitFor();
    await check(open, 'signals off');
    await press(page.getByRole('link', { name: 'Friends' }));
    await press(page.getByText('Fraud signals', { exact: true }));
    await page.getByLabel('Soonest sale').fill('100000');
    await page.getByText('This must be a whole number from 1 to 86400.').first().waitFor();
    await check(open, 'limit too high');
    await page.getByLabel('Soonest sale').fill('3600');
    await page.getByLabel('Clicks from search engines').fill('google.* bing.com');
    await page.getByLabel('Highest conversion rate').fill('2.5');
    await press(page.getByRole('checkbox', { name: 'Email address' }));
    await check(open, 'limits');
    await press(page.getByRole('button', { name: 'Review changes' }));
    await page.getByRole('dialog').getByRole('button', { name: 'Save version 2' }).waitFor();
    await check(open, 'limits in review');
    await press(page.getByRole('button', { name: 'Save version 2' }));
    await page.getByRole('heading', { name: 'Friends', level: 1 }).waitFor();
    await goTo(open, 'Fraud');
    await press(page.getByRole('tab', { name: 'Signals' }));
    await page.getByText('within 3,600 s').waitFor();
    await check(open, 'signals on');
    await open.close();
  });

  it('three commissions are held with the facts of each fraud signal, and the portal lists them', async () => {
    const { service, press, check, goTo } = stage();
    await sell('order-soon', { by: 'ada' });
    await sell('order-ad', { by: 'ada', referrer: 'https://www.google.com/' });
    await sell('order-own', { by: 'ada', buyer: 'ada+shop@watch.example' });
    await service.settled();
    const open = await stage().open('/', mia);
    const { page } = open;
    await open.still();
    await check(open, 'overview with reviews');
    await goTo(open, 'Fraud');
    await waitForRows(page, 3);
    await page
      .getByText(/Seconds from the first click to the sale: \d+\. The limit is 3,600\./)
      .first()
      .waitFor();
    await page.getByText('The click came from www.google.com. A link there is usually an ad.').waitFor();
    await page.getByText('The buyer shares with the partner: email address.').waitFor();
    await check(open, 'fraud queue');
    await press(page.getByRole('link', { name: 'Ada Lovelace' }).first());
    await page.getByRole('heading', { name: /Ada Lovelace/ }).waitFor();
    await check(open, 'held commission');
    await open.close();
    const ada = await stage().openPortal('/mugs/conversions', (await portal.enter('ada@watch.example')).cookie);
    await waitForRows(ada.page, 3);
    await check(ada, 'portal held');
    await ada.close();
  });

  it('Mia clears a commission, approves another and rejects a third, and the partner reads the reason', async () => {
    const { press, check } = stage();
    const open = await stage().open('/fraud', mia);
    const { page } = open;
    await waitForRows(page, 3);
    const row = (order: string) => page.getByRole('row').filter({ hasText: order });
    await press(row('order-soon').getByRole('button', { name: 'Clear from review' }));
    await waitForRows(page, 2);
    await press(row('order-ad').getByRole('button', { name: 'Approve', exact: true }));
    await waitForRows(page, 1);
    await press(row('order-own').getByRole('button', { name: 'Reject …' }));
    const dialog = page.getByRole('dialog');
    await press(dialog.getByRole('button', { name: 'Own purchase' }));
    await check(open, 'reject dialog');
    await press(dialog.getByRole('button', { name: 'Reject', exact: true }));
    await page.getByText('Nothing to review').waitFor();
    await check(open, 'all decided');
    await page.goto(`${stage().url}/fraud?tab=past`);
    assert.deepEqual(await decided(0), ['approved, resolved', 'approved, resolved', 'rejected, resolved']);
    await page.reload();
    await waitForRows(page, 3);
    await check(open, 'past reviews');
    await open.close();
    const ada = await stage().openPortal('/mugs', (await portal.enter('ada@watch.example')).cookie);
    await ada.page.getByText('Rejected, with this reason: “Own purchase”.').waitFor();
    await check(ada, 'portal rejected');
    await ada.close();
  });

  it('the deny list and the allow list that Mia fills apply to later sales', async () => {
    const { service, press, check } = stage();
    const open = await stage().open('/fraud?tab=lists', mia);
    const { page } = open;
    const choose = async (name: string): Promise<void> => {
      await press(page.getByRole('combobox', { name: 'Partner' }));
      await page.keyboard.type(name);
      await press(page.getByRole('option', { name }));
    };
    await choose('Ben');
    await press(page.getByRole('button', { name: 'Always review', exact: true }));
    await waitForRows(page, 1);
    await page.getByLabel('Kind').selectOption('Email domain of buyers');
    await page.getByRole('textbox', { name: 'Value' }).fill('not a domain');
    await press(page.getByRole('button', { name: 'Add to the deny list' }));
    await page.getByText('This must be').first().waitFor();
    await check(open, 'deny list wrong domain');
    await page.getByRole('textbox', { name: 'Value' }).fill('burner.example');
    await page.getByRole('textbox', { name: 'Note' }).fill('Throwaway addresses');
    await press(page.getByRole('button', { name: 'Add to the deny list' }));
    await page.getByRole('button', { name: 'Remove burner.example' }).waitFor();
    await check(open, 'deny list');
    await press(page.getByRole('button', { name: 'Allow list', exact: true }));
    await choose('Cy');
    await press(page.getByRole('button', { name: 'Never review', exact: true }));
    await page.getByText('No commission of Cy Young will be reviewed').waitFor();
    await page.getByLabel('Kind').selectOption('Referring site');
    await page.getByRole('textbox', { name: 'Value' }).fill('*.google.com');
    await press(page.getByRole('button', { name: 'Add to the allow list' }));
    await page.getByRole('button', { name: 'Remove *.google.com' }).waitFor();
    await check(open, 'allow list');

    await sell('order-watched', { by: 'ben' });
    await sell('order-trusted', { by: 'cy' });
    await sell('order-burner', { by: 'cy', buyer: 'x@burner.example' });
    await service.settled();
    await press(page.getByRole('tab', { name: 'In review' }));
    await waitForRows(page, 2);
    await page.getByText('All commissions of this partner are reviewed.').waitFor();
    await page.getByText('Your deny list includes burner.example.').waitFor();
    await check(open, 'queue after lists');
    await press(page.getByRole('checkbox', { name: 'Select all on this page' }));
    await press(page.getByRole('toolbar').getByRole('button', { name: 'Clear from review' }));
    await page.getByText('Nothing to review').waitFor();
    await page.goto(`${stage().url}/fraud?tab=partners`);
    assert.deepEqual((await decided(0)).slice(3), ['approved, resolved', 'approved, none', 'approved, resolved']);
    await page.getByText('No partner has unusual results').waitFor();
    await check(open, 'no unusual partners');
    await open.close();
  });

  it('a partner whose conversion rate is too high is listed with the limit', async () => {
    const { service, press, check } = stage();
    await Promise.all(Array.from({ length: 97 }, () => whence.report.visit({ collaboratorId: 'tracking:ada' })));
    await service.settled();
    const open = await stage().open('/fraud?tab=partners', mia);
    const { page } = open;
    await waitForRows(page, 1);
    await page.getByText('Conversion rate: 3%. The program expects at most 2.5%.').waitFor();
    await check(open, 'unusual partner');
    await press(page.getByRole('link', { name: 'Ada Lovelace' }));
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await check(open, 'partner page');
    await open.close();
  });
});
