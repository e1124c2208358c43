import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { openTill, TAX_DETAILS } from '../../support/payouts.ts';
import { audit, card, IN_HAND, openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { type Collaborator, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

describe('tax details in the console and the portal', () => {
  let pages: Pages;
  let shop: Shop;
  let olga: Somebody;
  let ada: Collaborator;
  let adaId: number;
  let benId: number;
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', { name: 'Ada’s Mugs' });
    adaId = await shop.collaborator('ada', { name: 'Ada', email: 'ada@tax.example' });
    benId = await shop.collaborator('ben', { name: 'Ben' });
    for (const code of ['ada', 'ben']) await shop.sell(`order-${code}`, await shop.visit(code), { total: 120 });
    await service.settled();
    ada = await portal.enter('ada@tax.example');
    olga = await pages.person('owner', 'Olga Owner');
  });
  after(() => pages.close());

  it('are required in the settings, and a payout run then names the partners that it excludes', async () => {
    const open = await pages.open('/settings/payouts', olga);
    const { page } = open;
    const setting = card(page, 'Tax details');
    await setting.getByText('Required for payouts').click();
    await audit(open);
    await setting.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The payout settings are saved').waitFor();
    await page.goto(`${pages.url}/payouts?new=run`);
    await page.getByText('No tax details yet, and your settings require them').first().waitFor();
    await page.getByText('2 partners will be paid later').waitFor();
    await audit(open);
    await open.close();
  });

  it('are entered in the portal, which then shows only the end of the tax number', async () => {
    const open = await pages.openPortal('/mugs/payouts', ada.cookie, { viewport: IN_HAND.viewport });
    const { page } = open;
    await page.getByText('Ada’s Mugs can’t pay you without them.').waitFor();
    await page.getByRole('link', { name: 'Add tax details' }).click();
    await page.getByRole('button', { name: 'Add tax details' }).click();
    await page.getByRole('combobox', { name: 'Country of tax residence' }).selectOption('Germany');
    for (const [label, value] of [
      ['First name', 'Ada'],
      ['Last name', 'Lovelace'],
      ['Street and number', TAX_DETAILS.street],
      ['City', TAX_DETAILS.city],
      ['Tax identification number', TAX_DETAILS.tin],
    ] as const) {
      await page.getByRole('textbox', { name: label }).fill(value);
    }
    await audit(open);
    await page.getByRole('button', { name: 'Save tax details' }).click();
    await page.getByText('Enter the date of birth.').waitFor();
    await audit(open);
    await page.getByRole('textbox', { name: 'Date of birth' }).fill(TAX_DETAILS.dateOfBirth);
    await page.getByRole('button', { name: 'Save tax details' }).click();
    await page.getByText('••••1809 (Germany)').waitFor();
    await audit(open);
    // The masked number stays in the form, so that a new address needs no other field.
    await card(page, 'Tax details').getByRole('button', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'City' }).fill('Bonn');
    await page.getByRole('button', { name: 'Save tax details' }).click();
    await page.getByText('Torstraße 1, Bonn, Germany').waitFor();
    const { taxDetails } = await shop.get<{ taxDetails: object }>(`/v1/collaborators/${adaId}/export`);
    assert.partialDeepStrictEqual(taxDetails, { city: 'Bonn', tin: TAX_DETAILS.tin });
    await open.close();
  });

  it('are shown and entered on the partner’s page', async () => {
    const open = await pages.open(`/collaborators/${adaId}?tab=money`, olga);
    const { page } = open;
    await page.getByText('••••1809 (Germany)').waitFor();
    await audit(open);
    await page.goto(`${pages.url}/collaborators/${benId}?tab=money`);
    await page.getByRole('button', { name: 'Add tax details' }).click();
    await page.getByRole('radio', { name: 'Business' }).click();
    await page.getByRole('combobox', { name: 'Country of tax residence' }).selectOption('United States');
    for (const [label, value] of [
      ['Legal name', 'Ben’s Reviews LLC'],
      ['Street and number', '1 Main St'],
      ['City', 'Springfield'],
      ['State or province', 'IL'],
      ['Postal code', '62701'],
      ['Tax identification number', '12-3456789'],
    ] as const) {
      await page.getByRole('textbox', { name: label }).fill(value);
    }
    await audit(open);
    await page.getByRole('button', { name: 'Save tax details' }).click();
    await page.getByText('••••6789 (United States)').waitFor();
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByText('If you may have to report a past year').waitFor();
    await audit(open);
    await page.getByRole('button', { name: 'Remove tax details' }).click();
    await page.getByText('This partner has no tax details yet.').waitFor();
    await open.close();
  });

  it('are in the year-end export, which the console downloads', async () => {
    const till = openTill(pages.service);
    const [payout] = await till.payoutsOf(await till.runOne());
    await till.mark(payout?.id ?? 0, 'paid');
    const open = await pages.open('/payouts', olga);
    const { page } = open;
    await page.getByRole('button', { name: 'Year-end export' }).click();
    await page.getByText('each download is recorded in the audit log').waitFor();
    await audit(open);
    const arrival = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const file = await arrival;
    assert.equal(file.suggestedFilename(), `paid-${new Date().getUTCFullYear()}.csv`);
    const [, row = ''] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    assert.match(row, /^\d+,Ada,ada@tax\.example,individual,Ada,Lovelace,.*,36574261809,DE,.*,USD,12\.00,1,/);
    await open.close();
  });
});
