import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { validateXML } from 'xmllint-wasm';
import type { PayoutDetails } from '#collaborators/domain/payout-details.ts';
import { savePayoutDetails } from '#collaborators/store/payout-details.ts';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { type Fulfillment, openTill, type Payout, type Till } from '../support/payouts.ts';
import { lockWaits } from '../support/paused.ts';
import { faultCodes } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Files = {
  hasPayerAccount: boolean;
  files: { format: string; first: number; last: number; payouts: number; amount: number; notDownloaded: number }[];
  leftOut: { payoutId: number; collaboratorId: number; amount: number; reason: string }[];
};

const SCHEMA = readFileSync(new URL('../fixtures/pain.001.001.09.xsd', import.meta.url), 'utf8');
const IBANS = ['DE89370400440532013000', 'NL91ABNA0417164300'];
const EMPTY = { holder: null, bankCode: null, accountType: null };
/** The payout details of each payee. The last payee has none. */
const DETAILS: readonly (PayoutDetails | undefined)[] = [
  { ...EMPTY, method: 'iban', holder: 'Zoë & Søn <x>', account: IBANS[0] ?? '', bankCode: 'COBADEFFXXX' },
  { ...EMPTY, method: 'iban', holder: 'Bo', account: IBANS[1] ?? '' },
  { ...EMPTY, method: 'paypal', account: 'ada@paypal.example' },
  { ...EMPTY, method: 'wise', holder: '=1+1', account: 'bo@wise.example' },
  { ...EMPTY, method: 'uk', holder: 'Cy', account: '12345678', bankCode: '200000' },
  undefined,
];

describe('payment files of a run', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let run: Fulfillment;
  let payouts: Payout[];
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    for (const [at, details] of DETAILS.entries()) {
      const id = await shop.collaborator(`code-${at}`, { name: `Partner ${at}` });
      await shop.sell(`order-${at}`, await shop.visit(`code-${at}`), { total: 50, currency: 'EUR' });
      if (details !== undefined) await give(id, details);
    }
    await service.settled();
    run = await till.runOne();
    payouts = await till.payoutsOf(run);
  });
  after(() => service.stop());

  const give = (id: number, details: PayoutDetails, organizationId = 1 as OrganizationId) =>
    inTransaction(service.database, (connection) => {
      const tenant = { connection, organizationId };
      const box = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));
      return savePayoutDetails(tenant, box, id as CollaboratorId, details);
    });
  const files = async (): Promise<Files> => shop.get(`/v1/fulfillments/${run.id}/payment-files`);
  const tryDownload = (format: string, first = payouts[0]?.id, last = payouts.at(-1)?.id): Promise<Reply> =>
    service.request('POST', `/v1/fulfillments/${run.id}/payment-files`, {
      key: service.secretKey,
      body: { format, first, last },
    });
  const download = async (format: string): Promise<Reply> => {
    const reply = await tryDownload(format);
    assert.equal(reply.status, 200, reply.text);
    return reply;
  };
  const setAccount = (body: object) => service.request('PATCH', '/v1/payer-account', { key: service.secretKey, body });
  const idOf = (at: number): number => payouts[at]?.id ?? 0;

  it('are listed for each format, with the payouts that are left out and the reasons', async () => {
    const { hasPayerAccount, files: listed, leftOut } = await files();
    assert.equal(hasPayerAccount, false);
    const span = (format: string, first: number, last: number, count: number) => ({
      format,
      first: idOf(first),
      last: idOf(last),
      payouts: count,
      amount: count * 500,
      notDownloaded: count,
    });
    assert.deepEqual(listed, [
      span('sepa', 0, 1, 2),
      span('paypal', 2, 2, 1),
      span('wise', 3, 3, 1),
      span('other', 4, 4, 1),
      span('all', 0, 4, 5),
    ]);
    assert.deepEqual(
      leftOut.map(({ payoutId, amount, reason }) => [payoutId, amount, reason]),
      [
        [idOf(4), 500, 'other-method'],
        [idOf(5), 500, 'no-details'],
      ],
    );
  });

  it('are refused for SEPA without the merchant’s bank account, which is stored encrypted and shown masked', async () => {
    assert.deepEqual(faultCodes(await tryDownload('sepa')), { '/format': 'no-payer-account' });
    const none = { holder: null, iban: null, bic: null, updatedAt: null };
    assert.deepEqual(await shop.get('/v1/payer-account'), none);
    const refused = await setAccount({ holder: 'Mugs', iban: 'DE00 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' });
    assert.deepEqual([refused.status, faultCodes(refused)], [422, { '/iban': 'invalid-format' }]);
    const changed = await setAccount({ holder: 'Ada’s Mugs', iban: 'DE89 3704 0044 0532 0130 00' });
    assert.equal(changed.status, 200, changed.text);
    const shown = await shop.get<{ iban: string; holder: string }>('/v1/payer-account');
    assert.deepEqual([shown.holder, shown.iban], ['Ada’s Mugs', 'DE••••3000']);
    const { rows } = await service.database.query<{ text: string }>(
      `select encode(account, 'escape') as text from payer_accounts`,
    );
    assert.doesNotMatch(rows[0]?.text ?? '', /DE89|Mugs/);
    const audited = await service.database.query<{ text: string }>(
      `select concat(request, before, after) as text from audit_entries where operation = 'changePayerAccount'`,
    );
    assert.equal(audited.rowCount, 1);
    assert.doesNotMatch(audited.rows[0]?.text ?? '', /DE89/);
    assert.equal((await files()).hasPayerAccount, true);
  });

  it('are valid for SEPA according to the schema of pain.001.001.09', async () => {
    const reply = await download('sepa');
    assert.equal(reply.headers.get('content-type'), 'application/xml; charset=utf-8');
    assert.equal(reply.headers.get('content-disposition'), `attachment; filename="run-${run.id}-sepa-${idOf(0)}.xml"`);
    const { valid, errors } = await validateXML({ xml: reply.text, schema: SCHEMA });
    assert.ok(valid, JSON.stringify(errors));
    assert.match(reply.text, /<NbOfTxs>2<\/NbOfTxs><CtrlSum>10.00<\/CtrlSum>/);
    assert.match(reply.text, /<Cdtr><Nm>Zoe \+ Son x<\/Nm><\/Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</);
    assert.match(reply.text, new RegExp(`<EndToEndId>PAYOUT-${idOf(1)}</EndToEndId>`));
    const faulty = reply.text.replace('<ChrgBr>SLEV</ChrgBr>', '<ChrgBr>FREE</ChrgBr>');
    assert.equal((await validateXML({ xml: faulty, schema: SCHEMA })).valid, false, 'the schema is applied');
  });

  it('have no byte order mark for PayPal and Wise, and no cell that runs as a formula', async () => {
    const paypal = `ada@paypal.example,5.00,EUR,PAYOUT-${idOf(2)},Test: payout ${idOf(2)},PAYPAL\r\n`;
    assert.equal((await download('paypal')).text.replace(/,[^,]*: payout/, ',Test: payout'), paypal);
    for (const [format, first] of [
      ['paypal', 'a'],
      ['wise', 'n'],
    ] as const) {
      // Use fetch directly, because reading the body as text would drop a byte order mark.
      const reply = await fetch(`${service.url}/v1/fulfillments/${run.id}/payment-files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ format, first: idOf(0), last: idOf(5) }),
      });
      assert.equal(Buffer.from(await reply.arrayBuffer()).toString('latin1', 0, 1), first);
    }
    const wise = (await download('wise')).text.split('\r\n');
    assert.equal(wise[0], 'name,recipientEmail,sourceCurrency,targetCurrency,amount,amountCurrency,paymentReference');
    assert.equal(wise[1], `'=1+1,bo@wise.example,EUR,EUR,5.00,target,PAYOUT-${idOf(3)}`);
  });

  it('contain the unmasked accounts of payees in the CSV formats `all` and `other`', async () => {
    const lines = (await download('all')).text.split('\r\n').filter((line) => line !== '');
    assert.equal(lines.length, 6);
    const other = (await download('other')).text.split('\r\n');
    assert.equal(other[1]?.startsWith(`PAYOUT-${idOf(4)},uk,Cy,12345678,200000,,5.00,EUR,`), true, other[1]);
  });

  it('for a test organization, say in their name and in each payment text that they are not for a bank', async () => {
    const key = await service.foundOrganization('Try out', 'test');
    const testShop = openShop({ ...service, secretKey: key });
    const testTill = openTill({ ...service, secretKey: key });
    await testShop.program({ autoApprove: true });
    const id = await testShop.collaborator('test');
    const { id: organizationId } = await testShop.get<{ id: OrganizationId }>('/v1/organization');
    await give(id, { ...EMPTY, method: 'paypal', account: 'ada@paypal.example' }, organizationId);
    await testShop.sell('order-test', await testShop.visit('test'), { total: 50, currency: 'EUR' });
    await service.settled();
    const testRun = await testTill.runOne();
    const [payout] = await testTill.payoutsOf(testRun);
    const file = await service.request('POST', `/v1/fulfillments/${testRun.id}/payment-files`, {
      key,
      body: { format: 'paypal', first: payout?.id, last: payout?.id },
    });
    assert.match(file.headers.get('content-disposition') ?? '', /filename="test-not-for-a-bank-run-/);
    assert.match(file.text, /TEST, NOT FOR A BANK\. Try out: payout \d+/);
    assert.doesNotMatch((await download('paypal')).text, /TEST/);
  });

  it('are downloaded with an audit record, and a refused download leaves no record', async () => {
    const audited = async () =>
      (
        await service.database.query<{ request: object }>(
          `select request from audit_entries where operation = 'downloadPaymentFile' order by id`,
        )
      ).rows.map(({ request }) => request);
    const earlier = (await audited()).length;
    await download('wise');
    assert.deepEqual((await audited()).at(-1), { format: 'wise', first: idOf(0), last: idOf(5) });
    assert.deepEqual(faultCodes(await tryDownload('wise', idOf(0), idOf(1))), { '/first': 'not-applicable' });
    assert.equal((await audited()).length, earlier + 1);
    const unknown = await service.request('POST', '/v1/fulfillments/999/payment-files', {
      key: service.secretKey,
      body: { format: 'wise', first: 1, last: 2 },
    });
    assert.equal(unknown.status, 404);
    assert.equal(
      (await service.request('GET', '/v1/fulfillments/999/payment-files', { key: service.secretKey })).status,
      404,
    );
  });

  it('are recorded as downloaded before the key can be revoked, even if the download waits for the run', async () => {
    const made = await service.request('POST', '/v1/api-keys', {
      key: service.secretKey,
      body: { label: 'files', kind: 'secret', scopes: ['resources:write'] },
    });
    const { id, rawKey: key } = made.body as { id: number; rawKey: string };
    const [holder, watcher] = [0, 1].map(() => new Client({ connectionString: service.databaseUrl })) as [
      Client,
      Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
    try {
      await holder.query('begin');
      await holder.query('select from fulfillments where id = $1 for update', [run.id]);
      const body = { format: 'wise', first: idOf(0), last: idOf(5) };
      const downloading = service.request('POST', `/v1/fulfillments/${run.id}/payment-files`, { key, body });
      await lockWaits(watcher, 1);
      const revoking = service.request('DELETE', `/v1/api-keys/${id}`, { key: service.secretKey });
      // The revocation waits for the download, which waits for the run.
      await lockWaits(watcher, 2);
      await holder.query('rollback');
      assert.deepEqual([(await downloading).status, (await revoking).status], [200, 200]);
    } finally {
      await Promise.all([holder.end(), watcher.end()]);
    }
  });

  it('contain a payout in the format of only one payment service, even if its payee changes the payout method', async () => {
    const [payout] = payouts;
    assert.ok(payout);
    const before = DETAILS[0] as PayoutDetails;
    await give(payout.collaboratorId, { ...EMPTY, method: 'paypal', account: 'new@paypal.example' });
    const paypal = await download('paypal');
    assert.doesNotMatch(paypal.text, /new@paypal/);
    const { leftOut } = await files();
    assert.deepEqual(leftOut[0], {
      payoutId: payout.id,
      collaboratorId: payout.collaboratorId,
      amount: 500,
      reason: 'in-another-file',
    });
    await give(payout.collaboratorId, before);
    assert.match((await download('sepa')).text, new RegExp(`PAYOUT-${payout.id}<`));
  });

  it('contain a payout once if files of two formats are downloaded at the same time', async () => {
    const id = await shop.collaborator('moving', { name: 'Moving' });
    await shop.sell('order-moving', await shop.visit('moving'), { total: 50, currency: 'EUR' });
    await give(id, { ...EMPTY, method: 'wise', holder: 'Mo', account: 'mo@wise.example' });
    await service.settled();
    const own = await till.runOne();
    const [payout] = await till.payoutsOf(own);
    const fetched = async (format: string): Promise<string> => {
      const reply = await service.request('POST', `/v1/fulfillments/${own.id}/payment-files`, {
        key: service.secretKey,
        body: { format, first: payout?.id, last: payout?.id },
      });
      return reply.status === 200 ? reply.text : '';
    };
    const texts = await Promise.all([
      ...Array.from({ length: 4 }, () => fetched('wise')),
      give(id, { ...EMPTY, method: 'paypal', account: 'mo@paypal.example' }).then(() => ''),
      ...Array.from({ length: 4 }, () => fetched('paypal')),
    ]);
    const kinds = new Set(texts.flatMap((text) => /mo@(wise|paypal)/.exec(text)?.[1] ?? []));
    assert.equal(kinds.size, 1);
  });

  it('contain only payouts that are unpaid and not under review, while the run is open', async () => {
    await shop.refund('order-1');
    await service.settled();
    await till.mark(idOf(2), 'paid');
    const { files: listed, leftOut } = await files();
    assert.deepEqual(
      listed.map(({ format, payouts: count }) => [format, count]),
      [
        ['sepa', 1],
        ['wise', 1],
        ['other', 1],
        ['all', 3],
      ],
    );
    assert.deepEqual(leftOut[0], {
      payoutId: idOf(1),
      collaboratorId: payouts[1]?.collaboratorId,
      amount: 500,
      reason: 'under-review',
    });
    assert.doesNotMatch((await download('sepa')).text, /NL91ABNA/);
  });

  it('contain the paid payouts of a complete run, and their list counts the payouts that were never downloaded', async () => {
    const id = await shop.collaborator('late', { name: 'Late' });
    await give(id, { ...EMPTY, method: 'paypal', account: 'late@paypal.example' });
    await shop.sell('order-late', await shop.visit('late'), { total: 50, currency: 'EUR' });
    await service.settled();
    const late = await till.runOne();
    const listed = async () =>
      (await shop.get<Files>(`/v1/fulfillments/${late.id}/payment-files`)).files.map(
        ({ format, payouts: count, notDownloaded }) => [format, count, notDownloaded],
      );
    assert.deepEqual(await listed(), [
      ['paypal', 1, 1],
      ['all', 1, 1],
    ]);
    await till.move(late.id, 'process');
    assert.equal((await till.move(late.id, 'complete')).status, 'complete');
    const [payout] = await till.payoutsOf(late);
    const reply = await service.request('POST', `/v1/fulfillments/${late.id}/payment-files`, {
      key: service.secretKey,
      body: { format: 'paypal', first: payout?.id, last: payout?.id },
    });
    assert.match(reply.text, /late@paypal\.example/);
    assert.deepEqual(await listed(), [
      ['paypal', 1, 0],
      ['all', 1, 0],
    ]);
  });

  it('contain at most as many payouts as the payment service accepts', async () => {
    const own = openDatabase(service.databaseUrl, { connections: 1 });
    // Replica mode disables the triggers of the ledger, so that payouts can be inserted without obligations.
    await own.query('set session_replication_role = replica');
    const { rows } = await own.query<{ id: number; first: number; last: number }>(
      `with run as (
         insert into fulfillments (organization_id, currency, author) values (1, 'EUR', 'key 1') returning id
       ), people as (
         insert into collaborators (organization_id, name, status)
         select 1, 'Bo ' || n, 'active' from generate_series(1, 1001) n returning id
       ), details as (
         insert into payout_details (organization_id, collaborator_id, method, details)
         select 1, people.id, method, details from people, payout_details
         where organization_id = 1 and method = 'wise'
       ), made as (
         insert into payouts (organization_id, fulfillment_id, collaborator_id, currency, amount)
         select 1, run.id, people.id, 'EUR', 500 from run, people returning id, fulfillment_id
       )
       select fulfillment_id as id, min(id) as first, max(id) as last from made group by fulfillment_id`,
    );
    await own.end();
    const { id, first, last } = rows[0] as { id: number; first: number; last: number };
    const { files: listed } = await shop.get<Files>(`/v1/fulfillments/${id}/payment-files`);
    const parts = listed.filter(({ format }) => format === 'wise');
    assert.deepEqual(
      parts.map((part) => part.payouts),
      [1_000, 1],
    );
    const ask = (range: { first?: number; last?: number }) =>
      service.request('POST', `/v1/fulfillments/${id}/payment-files`, {
        key: service.secretKey,
        body: { format: 'wise', first, last, ...range },
      });
    assert.deepEqual(faultCodes(await ask({})), { '/last': 'too-many' });
    const whole = await ask({ last: parts[0]?.last ?? 0 });
    assert.equal(whole.text.split('\r\n').length, 1_002);
  });
});
