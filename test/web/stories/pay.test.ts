import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { validateXML } from 'xmllint-wasm';
import type { OpenPage } from '../../support/browser.ts';
import { card, type Somebody, waitForRows } from '../../support/pages.ts';
import { TAX_DETAILS } from '../../support/payouts.ts';
import { openPortal, type Portal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { describeStory } from '../../support/stories.ts';

const SCHEMA = readFileSync(new URL('../../fixtures/pain.001.001.09.xsd', import.meta.url), 'utf8');
const IBAN = 'DE89 3704 0044 0532 0130 00';

/** A port that refuses connections, so that emails stay queued, but the pages say that emails are sent. */
const SMTP_URL = 'smtp://127.0.0.1:9';

const OTHER_IBAN = 'DE75 5121 0800 1245 1261 99';

/** Makes the newest login an hour old. */
const OLDER_SESSION = `update sessions set created_at = created_at - interval '1 hour'
  where id = (select max(id) from sessions)`;

/** The partners. Only the first four enter payout details, and only the last has no tax details. */
const PARTNERS = ['ada', 'ben', 'cy', 'dee', 'fay', 'gus', 'hal'] as const;

/** The payout methods of three partners, each with an invalid value. */
const METHODS = [
  {
    who: 'ben',
    method: 'PayPal',
    wrong: ['PayPal email', 'ben'],
    fault: 'email address',
    fields: [['PayPal email', 'ben@paypal.example']],
    shown: 'b••••@paypal.example',
  },
  {
    who: 'cy',
    method: 'Wise',
    wrong: ['Wise email', 'cy@'],
    fault: 'email address',
    fields: [
      ['Recipient', 'Cy Young'],
      ['Wise email', 'cy@wise.example'],
    ],
    shown: 'c••••@wise.example',
  },
  {
    who: 'dee',
    method: 'UK bank account',
    wrong: ['Sort code', '20'],
    fault: 'sort code',
    fields: [
      ['Account holder', 'Dee Dee'],
      ['Account number', '12345678'],
      ['Sort code', '20-00-00'],
    ],
    shown: '••••5678',
  },
] as const;

const INDIVIDUAL = [
  ['First name', 'Ada'],
  ['Last name', 'Lovelace'],
  ['Street and number', TAX_DETAILS.street],
  ['City', TAX_DETAILS.city],
  ['Tax identification number', TAX_DETAILS.tin],
] as const;

const BUSINESS = [
  ['Legal name', 'Ben’s Reviews LLC'],
  ['Street and number', '1 Main St'],
  ['City', 'Springfield'],
  ['State or province', 'IL'],
  ['Postal code', '62701'],
  ['Tax identification number', '12-3456789'],
] as const;

describeStory('Pay: partners enter their payout details, and a merchant pays them', { SMTP_URL }, (stage) => {
  let shop: Shop;
  let portal: Portal;
  let olga: Somebody;
  before(async () => {
    const { service, mailbox, person } = stage();
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', { name: 'Ada’s Mugs' });
    for (const name of PARTNERS) {
      await shop.collaborator(name, { name: nameOf(name), email: `${name}@pay.example` });
      await shop.sell(`order-${name}`, await shop.visit(name), { total: 600, currency: 'EUR' });
    }
    await service.settled();
    olga = await person('owner', 'Olga Owner');
  });

  const enter = async (who: string, path: string): Promise<OpenPage> =>
    stage().openPortal(path, (await portal.enter(`${who}@pay.example`)).cookie);
  const fill = async (within: Page | Locator, fields: Iterable<readonly [string, string]>): Promise<void> => {
    for (const [label, value] of fields) await within.getByRole('textbox', { name: label }).fill(value);
  };
  /** Closes a toast, which would cover the buttons at the bottom of a phone for some seconds. */
  const closeToast = async (page: Page): Promise<void> => {
    const toast = page.locator('[data-toast]');
    await stage().press(toast.getByLabel('Close'));
    await toast.waitFor({ state: 'detached' });
  };
  const isMailed = async (who: string, subject: RegExp): Promise<number> => {
    const mails = await stage().mailbox.mailsTo(`${who}@pay.example`);
    return mails.filter((mail) => subject.test(mail.subject)).length;
  };

  it('Ada enters an IBAN, which is checked, and an email confirms the change', async () => {
    const { press, check } = stage();
    const open = await enter('ada', '/mugs/payouts');
    const { page } = open;
    await page.getByText('Set your payout method').waitFor();
    await check(open, 'portal payouts without details');
    await press(page.getByRole('link', { name: 'Add payout details' }));
    await press(page.getByRole('button', { name: 'Add payout details' }));
    await fill(page, [
      ['Account holder', 'Ada Lovelace'],
      ['IBAN', 'DE89 3704 0044 0532 0130 01'],
    ]);
    await press(page.getByRole('button', { name: 'Save details' }));
    await page.getByText('This is not a valid IBAN.').waitFor();
    await check(open, 'portal wrong IBAN');
    await fill(page, [['IBAN', IBAN]]);
    await press(page.getByRole('button', { name: 'Save details' }));
    await page.getByText('••••3000').waitFor();
    await page.getByText('We email you about it, in case it wasn’t you.').waitFor();
    await check(open, 'portal IBAN saved');
    assert.equal(await isMailed('ada', /payout details/), 1);
    await open.close();
  });

  it('Ben, Cy and Dee enter PayPal, Wise and UK accounts, and each method refuses an invalid value', async () => {
    const { press, check } = stage();
    for (const { who, method, wrong, fault, fields, shown } of METHODS) {
      const open = await enter(who, '/mugs/settings');
      const { page } = open;
      await press(page.getByRole('button', { name: 'Add payout details' }));
      await press(page.getByRole('radio', { name: method }));
      await fill(page, fields);
      await fill(page, [wrong]);
      await press(page.getByRole('button', { name: 'Save details' }));
      await page.getByText(fault).first().waitFor();
      await check(open, `portal wrong ${method}`);
      await fill(page, fields);
      await press(page.getByRole('button', { name: 'Save details' }));
      await page.getByText(shown).waitFor();
      await open.close();
    }
  });

  it('an hour after the login, Ada must log in again to change the account', async () => {
    const { press, check, mailbox, service } = stage();
    const open = await enter('ada', '/mugs/settings');
    const { page } = open;
    await service.database.query(OLDER_SESSION);
    await press(page.getByRole('button', { name: 'Change', exact: true }));
    await page.getByText('For your security, enter the full account again.').waitFor();
    await fill(page, [['IBAN', OTHER_IBAN]]);
    await press(page.getByRole('button', { name: 'Save details' }));
    const again = page.getByRole('dialog', { name: 'Log in again to continue' });
    await press(again.getByRole('button', { name: 'Request a code' }));
    await again.getByLabel('Code').waitFor();
    await check(open, 'portal log in again');
    await again.getByLabel('Code').fill((await mailbox.entryOf('ada@pay.example')).code);
    await press(again.getByRole('button', { name: 'Log in', exact: true }));
    await page.getByText('Your payout details are saved').waitFor();
    assert.equal(await isMailed('ada', /payout details/), 2);
    await open.close();
  });

  it('Olga requires tax details, allows payout requests, and sets the bank account, which is checked', async () => {
    const { open: enterConsole, press, check } = stage();
    const open = await enterConsole('/settings/payouts', olga);
    const { page } = open;
    const account = card(page, 'Your bank account');
    await fill(account, [
      ['Account holder', 'Ada’s Mugs'],
      ['IBAN', 'DE00 0000'],
    ]);
    await press(account.getByRole('button', { name: 'Save' }));
    await account.getByText('This is not a valid IBAN.').waitFor();
    await check(open, 'payout settings wrong IBAN');
    await fill(account, [['IBAN', IBAN]]);
    await press(account.getByRole('button', { name: 'Save' }));
    await page.getByText('DE••••3000').waitFor();
    await closeToast(page);
    const requests = card(page, 'Payout requests');
    await press(requests.getByRole('switch', { name: 'Allow payout requests' }));
    await fill(requests, [['Minimum', '50']]);
    await press(requests.getByRole('button', { name: 'Save' }));
    await page.getByText('The payout settings are saved').waitFor();
    await closeToast(page);
    const tax = card(page, 'Tax details');
    await press(tax.getByText('Required for payouts'));
    await press(tax.getByRole('button', { name: 'Save' }));
    await page.getByText('The payout settings are saved').waitFor();
    await check(open, 'payout settings saved');
    await page.goto(`${stage().url}/payouts?new=run`);
    await page.getByText('7 partners will be paid later').waitFor();
    await page.getByText('No tax details yet, and your settings require them').first().waitFor();
    await check(open, 'run without tax details');
    await open.close();
  });

  it('Ada enters tax details, Olga enters Ben’s, and both see only the end of the tax number', async () => {
    const { press, check, service } = stage();
    const open = await enter('ada', '/mugs/payouts');
    const { page } = open;
    await page.getByText('Ada’s Mugs can’t pay you without them.').waitFor();
    await press(page.getByRole('link', { name: 'Add tax details' }));
    await press(page.getByRole('button', { name: 'Add tax details' }));
    await page.getByRole('combobox', { name: 'Country of tax residence' }).selectOption('Germany');
    await fill(page, INDIVIDUAL);
    await press(page.getByRole('button', { name: 'Save tax details' }));
    await page.getByText('Enter the date of birth.').waitFor();
    await check(open, 'portal tax without date of birth');
    await fill(page, [['Date of birth', TAX_DETAILS.dateOfBirth]]);
    await press(page.getByRole('button', { name: 'Save tax details' }));
    await page.getByText('••••1809 (Germany)').waitFor();
    await check(open, 'portal tax saved');
    assert.equal(await isMailed('ada', /tax details/), 1);
    await open.close();

    const ben = await stage().open('/collaborators/2?tab=money', olga);
    await press(ben.page.getByRole('button', { name: 'Add tax details' }));
    await press(ben.page.getByRole('radio', { name: 'Business' }));
    await ben.page.getByRole('combobox', { name: 'Country of tax residence' }).selectOption('United States');
    await fill(ben.page, BUSINESS);
    await check(ben, 'tax details of Ben');
    await press(ben.page.getByRole('button', { name: 'Save tax details' }));
    await ben.page.getByText('••••6789 (United States)').waitFor();
    await press(ben.page.getByRole('button', { name: 'Show' }));
    await ben.page.getByText('ben@paypal.example').waitFor();
    await check(ben, 'money of Ben');
    await ben.close();
    for (const id of [3, 4, 5, 6]) {
      await service.request('PATCH', `/v1/collaborators/${id}/tax-details`, {
        key: service.secretKey,
        body: { taxDetails: TAX_DETAILS },
      });
    }
  });

  it('Olga creates a payout run without Gus, and reminds Fay, who has no payout details', async () => {
    const { press, check, goTo } = stage();
    const open = await stage().open('/', olga);
    const { page } = open;
    await goTo(open, 'Payouts');
    await press(page.getByRole('button', { name: 'New payout run' }).first());
    const dialog = page.getByRole('dialog');
    await dialog.getByText('6 partners will be paid').waitFor();
    await dialog.getByText('2 partners without payout details').waitFor();
    await dialog.getByText('No tax details yet, and your settings require them').waitFor();
    await press(dialog.getByRole('checkbox', { name: 'Pay Gus' }));
    await dialog.getByText('You left them out').waitFor();
    await dialog.getByText('1 partner without payout details').waitFor();
    await check(open, 'run preview');
    await press(dialog.getByRole('button', { name: 'Send reminder' }));
    await page.getByText('Reminder sent to 1 partner').waitFor();
    assert.deepEqual([await isMailed('fay', /payout details/), await isMailed('gus', /payout details/)], [1, 0]);
    await press(dialog.getByRole('button', { name: 'Create 5 payouts' }));
    await page.getByRole('heading', { name: 'Run 1' }).waitFor();
    await waitForRows(page, 5);
    await page.getByText('1 partner without payout details').waitFor();
    await check(open, 'run');
    await open.close();
  });

  it('Olga downloads a SEPA file that the schema accepts, and files for PayPal, Wise and other accounts', async () => {
    const { press, check } = stage();
    const open = await stage().open('/payouts/runs/1', olga);
    const { page } = open;
    await press(page.getByRole('button', { name: 'Payment files' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No payout details yet. Not in any file').waitFor();
    await check(open, 'payment files');
    const files = new Map<string, string>();
    for (const label of ['SEPA credit transfer', 'PayPal', 'Wise', 'Other accounts', 'All accounts']) {
      const arrival = page.waitForEvent('download');
      await press(dialog.getByRole('button', { name: `Download ${label}` }));
      files.set(label, readFileSync(await (await arrival).path(), 'utf8'));
    }
    const xml = files.get('SEPA credit transfer') ?? '';
    assert.ok((await validateXML({ xml, schema: SCHEMA })).valid);
    assert.match(xml, /<InstdAmt Ccy="EUR">60.00<\/InstdAmt>/);
    assert.match(files.get('PayPal') ?? '', /^ben@paypal\.example,60\.00,EUR,/);
    assert.match(files.get('Wise') ?? '', /Cy Young,cy@wise\.example,.*60\.00/);
    assert.match(files.get('Other accounts') ?? '', /Dee Dee,.*12345678/);
    assert.equal((files.get('All accounts') ?? '').match(/PAYOUT-/g)?.length, 4);
    await open.close();
  });

  it('Olga imports a result file, which marks three payouts as paid and one as failed', async () => {
    const { press, check } = stage();
    const open = await stage().open('/payouts/runs/1', olga);
    const { page } = open;
    await press(page.getByRole('button', { name: 'Start paying' }));
    await page.getByText('Being paid', { exact: true }).waitFor();
    await press(page.getByRole('button', { name: 'Import results' }));
    const dialog = page.getByRole('dialog');
    const chosen = page.waitForEvent('filechooser');
    await press(dialog.getByRole('button', { name: /Choose a/ }));
    const lines = ['reference,amount,currency,status,reason', 'PAYOUT-2,60.00,EUR,failed,Account closed'];
    for (const id of [1, 3, 4]) lines.push(`PAYOUT-${id},60.00,EUR,paid,`);
    lines.push('PAYOUT-5,59.00,EUR,paid,', 'RENT,900.00,EUR,paid,');
    await (await chosen).setFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
    await dialog.getByText('3 payouts will be marked as paid').waitFor();
    await dialog.getByText('1 payout failed').waitFor();
    await dialog.getByText('The amount differs from the payout').waitFor();
    await dialog.getByText('1 other payment').waitFor();
    await check(open, 'results');
    await press(dialog.getByRole('button', { name: 'Save results' }));
    await page.getByText('3 payouts marked as paid, 1 failed').waitFor();
    await check(open, 'run partly paid');
    await page.goto(`${stage().url}/payouts/2`);
    await page.getByText('The payment failed: Account closed').waitFor();
    await check(open, 'failed payout');
    await open.close();
  });

  it('Ben reads why the payment failed, changes the account and requests a payout, and Olga pays the request', async () => {
    const { press, check } = stage();
    const ben = await enter('ben', '/mugs/payouts');
    await ben.page.getByText('The payment failed: Account closed.').first().waitFor();
    await check(ben, 'portal failed payment');
    await ben.page.goto(ben.page.url().replace('/payouts', '/settings'));
    await press(card(ben.page, 'How you are paid').getByRole('button', { name: 'Change' }));
    await fill(ben.page, [['PayPal email', 'reviews@paypal.example']]);
    await press(ben.page.getByRole('button', { name: 'Save details' }));
    await ben.page.getByText('r••••@paypal.example').waitFor();
    await ben.page.goBack();
    await press(ben.page.getByRole('button', { name: 'Request payout in EUR' }));
    await ben.page.getByText('Payout requested on').waitFor();
    await check(ben, 'portal requested');
    await ben.close();

    const open = await stage().open('/', olga);
    const { page } = open;
    await open.still();
    await check(open, 'overview with request');
    await press(page.getByRole('link', { name: '1 payout request' }));
    await page.getByText('PayPal').waitFor();
    await check(open, 'requests');
    await press(page.getByRole('checkbox', { name: 'Select request 1' }));
    await press(page.getByRole('button', { name: 'Create payout run' }));
    await page.getByRole('heading', { name: 'Run 2' }).waitFor();
    await press(page.getByRole('button', { name: 'Start paying' }));
    await page.getByText('Being paid', { exact: true }).waitFor();
    await press(page.getByRole('button', { name: 'Mark all as paid' }));
    await check(open, 'mark all as paid');
    await press(page.getByRole('alertdialog').getByRole('button', { name: 'Mark all as paid' }));
    await page.getByText('All of its payouts are paid.').waitFor();
    await check(open, 'run done');
    await open.close();
  });

  it('Ada sees the payment, and the year-end export has totals and tax details', async () => {
    const { press, check } = stage();
    const ada = await enter('ada', '/mugs/payouts');
    await ada.page.getByText('Paid on').first().waitFor();
    await check(ada, 'portal paid');
    await ada.close();

    const open = await stage().open('/payouts', olga);
    const { page } = open;
    await press(page.getByRole('button', { name: 'Year-end export' }));
    await check(open, 'year-end export');
    const arrival = page.waitForEvent('download');
    await press(page.getByRole('button', { name: 'Download', exact: true }));
    const rows = readFileSync(await (await arrival).path(), 'utf8').split('\r\n');
    assert.match(rows[1] ?? '', /^1,Ada,ada@pay\.example,individual,Ada,Lovelace,.*,36574261809,DE,.*,EUR,60\.00,1,/);
    assert.match(rows[2] ?? '', /^2,Ben,.*business,.*Ben’s Reviews LLC.*,EUR,60\.00,1,/);
    await open.close();
  });
});

function nameOf(who: string): string {
  return `${who.charAt(0).toUpperCase()}${who.slice(1)}`;
}
