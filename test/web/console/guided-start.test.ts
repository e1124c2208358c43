import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { QueryClient } from '@tanstack/react-query';
import { Whence } from '@whence/sdk';
import { trialCode } from '#web/console/start/shop-code.ts';
import { codeOf, createMissing, needsQuery, testSaleOf, trialProgramOf, usualTotal } from '#web/console/start/trial.ts';
import { RECIPES, recipeOf } from '#examples/recipes/recipes.ts';
import { audit, openPages, type Pages } from '../../support/pages.ts';
import { openMailbox } from '../../support/portal.ts';

const run = promisify(execFile);

describe('the guided start', () => {
  let pages: Pages;
  let whence: Whence;
  before(async () => {
    pages = await openPages();
    whence = new Whence({ baseUrl: pages.service.url, apiKey: pages.service.secretKey });
  });
  after(() => pages.close());

  it('shows the missing step of a program, and why a sale earned nothing', async () => {
    const [coupons] = recipeOf('coupon-influencer').programs;
    const program = await whence.programs.create({ ...coupons, currency: 'EUR', status: 'draft' });
    await whence.portalSettings.update({ slug: 'mugs', name: 'Mugs', landingUrl: 'https://shop.example/' });
    const mailbox = await openMailbox(pages.service);
    const open = await pages.open('/start', await pages.person('owner', 'Grace Hopper'));
    const { page } = open;
    const step = (name: string) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name });
    await page.getByText('“Influencers” is a draft').waitFor();
    await page.getByRole('link', { name: 'Coupon influencer' }).waitFor();
    await step('Partner').click();
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByRole('checkbox', { name: 'Invite to the portal' }).click();
    await audit(open);
    await page.getByRole('button', { name: 'Add partner', exact: true }).click();
    await page.getByText('No email is sent, because no mail server is set up').waitFor();
    const [mail] = await mailbox.mailsTo('ada@example.com');
    assert.match(mail?.text ?? '', /Grace Hopper of Mugs added you as a partner/);
    await whence.programs.update(program.id, { status: 'active' });
    const trackingId = await whence.report.visit({ collaboratorId: 'tracking:ada' });
    const { id } = await sold(trackingId);
    await page.reload();
    await step('Connect').click();
    await page.getByText('The newest sale earned nothing.').waitFor();
    await page.getByText('“Influencers” pays for coupons, and Ada has none.').waitFor();
    await audit(open);
    await page.getByRole('link', { name: 'See why not' }).click();
    await page.waitForURL(`${pages.url}/sales/${id}`);
    await page.goBack();
    await step('Connect').click();
    await page.getByRole('button', { name: 'Give them the coupon ada' }).click();
    await page.getByText('Ada has none').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create new keys' }).click();
    await page.getByText('shown only once').waitFor();
    assert.match(await page.getByRole('group', { name: 'On your server' }).innerText(), /currency: 'EUR'/);
    await run('bash', ['-c', await page.getByRole('group', { name: 'In a terminal' }).locator('code').innerText()]);
    await page.getByText('You are set up').waitFor();
    await page.getByText('€6.00').waitFor();
    await page.getByText('earned nothing').waitFor({ state: 'detached' });
    await audit(open);
    await open.close();
    await whence.programs.delete(program.id);
  });

  it('a test sale shows its commission and the reason for it, and is removed with one click', async () => {
    const [affiliates] = recipeOf('ten-percent-affiliate').programs;
    const program = await whence.programs.create({ ...affiliates, currency: 'EUR' });
    const known = await whence.transactions.list({ perPage: 1 }).page();
    const open = await pages.open('/start', await pages.person('manager', 'Mia Manager'));
    const { page } = open;
    await page.getByRole('heading', { name: 'Send a test sale' }).waitFor();
    await page.getByLabel('Amount of the sale').fill('80');
    await audit(open);
    await page.getByRole('button', { name: 'Send a test sale' }).click();
    await page.getByText('The test sale earned a commission').waitFor();
    await page.getByText('A buyer opened the link of Ada.').waitFor();
    await page.getByText('The buyer paid €80.00').waitFor();
    await page.getByText('10% of €80.00 = €8.00').waitFor();
    await page.getByText('awarded €8.00, waiting for approval').waitFor();
    await page.getByText('The ledger recorded one entry.').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Remove test sale' }).click();
    await page.getByLabel('Amount of the sale').waitFor();
    assert.deepEqual((await whence.transactions.list({ perPage: 1 }).page()).data, known.data);
    await open.close();
    await whence.programs.delete(program.id);
  });

  async function sold(trackingId: number) {
    await whence.report.sale({ source: 'shop', externalId: 'first', total: 20, currency: 'EUR', trackingId });
    await pages.service.settled();
    const [sale] = (await whence.transactions.list({ perPage: 1 }).page()).data;
    assert.ok(sale !== undefined);
    return sale;
  }

  for (const { slug, customEvents, programs } of RECIPES) {
    it(`reports a first sale or lead that earns a commission with the recipe ${slug}`, async () => {
      for (const event of customEvents) await whence.customEvents.create(event);
      for (const program of programs) await whence.programs.create(program);
      const active = await whence.programs.list({ status: 'active', sort: '-id' }).page();
      const program = trialProgramOf(active.data);
      assert.ok(program !== undefined);
      const aliases = [{ type: 'tracking', code: `${slug}’s “own” 'code'` }];
      const { id } = await whence.collaborators.create({ name: 'Ada', aliases });
      const ada = await whence.collaborators.get(id);
      const needs = needsQuery(whence, program, ada);
      const queries = new QueryClient();
      for (const need of await queries.fetchQuery(needs)) await createMissing(whence, need, program, ada);
      const ready = await whence.collaborators.get(id);
      assert.deepEqual(await queries.fetchQuery(needsQuery(whence, program, ready)), []);

      const { explanation } = await whence.transactions.test(testSaleOf(ready, program, usualTotal(program)));
      assert.deepEqual(
        explanation.conversions.map(({ collaboratorId, amount }) => [collaboratorId, amount > 0]),
        [[id, true]],
      );
      const codes = { tracking: codeOf(ready, 'tracking'), coupon: codeOf(ready, 'coupon') };
      const { url, secretKey } = pages.service;
      const { stdout } = await run('bash', ['-c', trialCode(url, secretKey, codes, program)]);
      assert.doesNotMatch(stdout, /^HTTP\/1\.1 [45]/m);
      await pages.service.settled();
      const { data } = await whence.conversions.list({ programId: program.id }).page();
      assert.deepEqual(
        data.map(({ collaboratorId, amount }) => [collaboratorId, amount > 0]),
        [[id, true]],
      );
      for (const each of active.data) await whence.programs.delete(each.id);
    });
  }
});
