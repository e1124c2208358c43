import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit, DESK, openPages, type Pages, PHONE, type Somebody } from '../../support/pages.ts';
import { makePerson } from '../../support/people.ts';
import { openShop } from '../../support/shop.ts';
import { checkoutCompleted, eventOf, SECRET, signBody, type StripeEvent } from '../../support/stripe.ts';

describe('the Connect pages of the console', () => {
  let pages: Pages;
  let olga: Somebody;
  before(async () => {
    pages = await openPages();
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  async function send(page: Page, ...events: readonly StripeEvent[]): Promise<void> {
    const id = new URL(page.url()).pathname.split('/').at(-1);
    for (const event of events) {
      const body = JSON.stringify(event);
      const headers = { 'content-type': 'application/json', 'stripe-signature': signBody(body) };
      const { status, text } = await pages.service.request('POST', `/v1/connectors/${id}/webhook`, { body, headers });
      assert.equal(status, 200, text);
    }
  }

  it('an owner connects Stripe, sees the first referred order, and dismisses a failed event', async () => {
    const shop = openShop(pages.service);
    await shop.program({ name: 'Friends' });
    await shop.collaborator('ada');
    const trackingId = await shop.visit('ada');
    const open = await pages.open('/connectors', olga);
    const { page } = open;
    await page.getByRole('heading', { name: 'Nothing connected yet' }).waitFor();
    await audit(open);
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Live events only').waitFor();
    await audit(open);
    await dialog.getByRole('button', { name: 'Create connector' }).click();
    await page.getByRole('heading', { name: 'Stripe', exact: true }).waitFor();
    await page.getByText('Step 1 of 3').waitFor();
    await page.getByText(/\/v1\/connectors\/\d+\/webhook$/).waitFor();
    await page.getByText('invoice_payment.paid').waitFor();
    await audit(open);

    await page.getByLabel('Signing secret').fill(SECRET);
    await page.getByRole('button', { name: 'Save secret' }).click();
    await page.getByText('Waiting for events').waitFor();
    assert.equal(await page.getByText('Done', { exact: true }).count(), 2);

    const webhook = `/v1/connectors/${new URL(page.url()).pathname.split('/').at(-1)}/webhook`;
    const forged = { body: '{}', headers: { 'stripe-signature': signBody('{}', 'whsec_of_another_destination') } };
    assert.equal((await pages.service.request('POST', webhook, forged)).status, 401);
    await page.getByText('A message with an invalid signature was refused').waitFor();
    await audit(open);

    const sold = checkoutCompleted({
      id: 'cs_1',
      mode: 'payment',
      payment_intent: 'pi_1',
      amount_total: 5_000,
      amount_subtotal: 5_000,
      client_reference_id: trackingId,
    });
    await send(page, sold, eventOf('promotion_code.created', { id: 'promo_1' }));
    await page.getByRole('link', { name: 'pi_1' }).waitFor();
    await page.getByText('One event failed').waitFor();
    await page.getByText('A message with an invalid signature was refused').waitFor({ state: 'hidden' });
    await audit(open);

    await page.getByRole('row').filter({ hasText: 'Sale pi_1' }).getByText('checkout.session.completed').click();
    await dialog.getByText('Referred by link').waitFor();
    await audit(open);
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Show failed events' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: 'The promotion code has no code.' })
      .getByText('promotion_code.created')
      .click();
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    const asking = page.getByRole('dialog', { name: 'Dismiss this event?' });
    await asking.getByLabel('Note').fill('A code of the old shop');
    await audit(open);
    await asking.getByRole('button', { name: 'Dismiss' }).click();
    await asking.waitFor({ state: 'hidden' });
    await dialog.getByText('A code of the old shop').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Receiving').waitFor();

    await page.getByRole('link', { name: 'pi_1' }).click();
    await page.waitForURL(`${pages.url}/sales?externalId=pi_1`);
    await page.getByRole('row').filter({ hasText: 'pi_1' }).waitFor();
    await open.close();
  });

  it('the overview counts connectors with failed events, and an owner renames and deletes a connector', async () => {
    const open = await pages.open('/connectors', olga);
    const { page } = open;
    await page.getByRole('row').getByText('Stripe').first().click();
    await send(page, eventOf('promotion_code.created', { id: 'promo_2' }));
    await page.getByText('One event failed').waitFor();
    const other = await pages.open('/', olga);
    await other.page.getByRole('link', { name: '1 connector has failed events' }).waitFor();
    await other.close();

    await menu(page, 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('Stripe, Germany');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Stripe, Germany' }).waitFor();
    await menu(page, 'Delete …');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${pages.url}/connectors`);
    await page.getByRole('heading', { name: 'Nothing connected yet' }).waitFor();
    await open.close();
  });

  it('pages of a test organization are marked, and state that its connectors are for test events only', async () => {
    const { service } = pages;
    const key = await service.foundOrganization('Ada’s Mugs, for tests of the checkout', 'test');
    const { cookie } = await makePerson(service, 'owner', 'olga@test.example', key);
    const tess = { ...olga, cookie: cookie.replace('whence=', '') };
    for (const viewport of [DESK, PHONE]) {
      const open = await pages.open('/connectors?new=connector', tess, { viewport });
      const { page } = open;
      await page.getByText('This is a test organization. Its orders are not real.').waitFor();
      await page.getByText('Test', { exact: true }).filter({ visible: true }).first().waitFor();
      await page.getByRole('dialog').getByText('Test events only').waitFor();
      await audit(open);
      await open.close();
    }
    const open = await pages.open('/payouts', tess);
    await open.page.getByText('This is a test organization. Its orders are not real.').waitFor();
    await open.close();
  });

  it('a viewer sees the steps without the form for the secret', async () => {
    const { secretKey: key } = pages.service;
    const body = { kind: 'stripe', name: 'Shop' };
    const created = await pages.service.request('POST', '/v1/connectors', { key, body });
    assert.equal(created.status, 201, created.text);
    const viewer = await pages.person('viewer', 'Vera Viewer');
    const open = await pages.open(`/connectors/${(created.body as { id: number }).id}`, viewer);
    await open.page.getByText('Step 2 of 3').waitFor();
    assert.equal(await open.page.getByLabel('Signing secret').count(), 0);
    assert.equal(await open.page.getByRole('button', { name: 'More actions' }).count(), 0);
    await open.close();
  });
});

async function menu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).first().click();
  await page.getByRole('menuitem', { name: item }).click();
}
