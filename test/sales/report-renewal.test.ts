import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { liteKey, openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

const RENEWAL = '/v1/event/renewal';

type Transaction = {
  id: number;
  type: string;
  renewsTransactionId?: number;
  renewalNumber?: number;
  opportunityId: number;
  total: number;
  currency: string;
  lines: { name: string; amount: number; total: number }[];
};

describe('POST /v1/event/renewal', () => {
  let service: TestService;
  let shop: Shop;
  let oid: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ pays: ['sale', 'renewal'] });
    await shop.collaborator('ada');
    oid = await shop.visit('ada');
    await shop.sell('sale', oid);
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const report = (body: object, key: string | undefined = service.secretKey) =>
    service.request('POST', RENEWAL, {
      key,
      body: { source: 'shop', externalId: 'never-taken', saleExternalId: 'sale', total: 10, ...body },
    });
  const found = async (externalId: string): Promise<Transaction> => {
    const [transaction] = await shop.get<Transaction[]>(`/v1/transactions?externalId=${externalId}`);
    assert.ok(transaction, externalId);
    return transaction;
  };

  it('returns 200 with an empty body and the sale’s opportunity in X-Service-OID', async () => {
    const reply = await report({ externalId: 'first' });
    assert.deepEqual([reply.status, reply.text, reply.headers.get('content-length')], [200, '', '0']);
    assert.equal(reply.headers.get('X-Service-OID'), oid);
  });

  it('uses the sale’s currency by default, and accepts repeats with or without it', async () => {
    await shop.sell('euro', oid, { currency: 'EUR' });
    const renewal = { source: 'shop', externalId: 'euro-1', saleExternalId: 'euro', total: 10 };
    for (const body of [renewal, { ...renewal, currency: 'EUR' }, renewal]) {
      assert.equal((await report(body)).status, 200);
    }
    assert.equal((await report({ ...renewal, currency: 'USD' })).status, 409);
    const [found] = await shop.get<Transaction[]>('/v1/transactions?externalId=euro-1');
    assert.equal(found?.currency, 'EUR');
  });

  it('accepts amounts in the smallest unit of the renewal’s currency', async () => {
    await shop.sell('yen', oid, { currency: 'JPY', total: 1000 });
    const items = [
      { name: 'Seat', quantity: 2, amountMinor: 500 },
      { name: 'Support', quantity: 3, total: 234 },
    ];
    const renewal = { externalId: 'yen-1', saleExternalId: 'yen', total: undefined, totalMinor: 1234, items };
    for (const body of [renewal, { ...renewal, currency: 'JPY' }]) assert.equal((await report(body)).status, 200);
    const [found] = await shop.get<Transaction[]>('/v1/transactions?externalId=yen-1');
    assert.deepEqual([found?.total, found?.currency], [123_400, 'JPY']);
    assert.deepEqual(
      found?.lines.map(({ amount, total }) => [amount, total]),
      [
        [50_000, 100_000],
        [7800, 23_400],
      ],
    );
    const twice = await report({ ...renewal, total: 1234 });
    assert.deepEqual([twice.status, faultCodes(twice)], [422, { '/totalMinor': 'conflicting' }]);
    const beyond = await report({ ...renewal, totalMinor: 90_071_992_547_410 });
    assert.deepEqual([beyond.status, faultCodes(beyond)], [422, { '/totalMinor': 'out-of-range' }]);
  });

  it('records a separate transaction with lines, numbered among the sale’s renewals', async () => {
    await shop.sell('counted', oid);
    await shop.renew('counted-1', 'counted', { total: '49.99' });
    await shop.renew('counted-2', 'counted', { currency: 'eur', items: [{ name: 'Plan', amount: 12.5 }] });
    await shop.renew('counted-3', 'counted', { source: 'billing', saleSource: 'shop' });
    const sale = await found('counted');
    assert.deepEqual([sale.type, sale.renewsTransactionId, sale.renewalNumber], ['sale', undefined, undefined]);
    for (const [n, total, currency, name, amount] of [
      [1, 4999, 'USD', 'Order', 4999],
      [2, 10_000, 'EUR', 'Plan', 1250],
      [3, 10_000, 'USD', 'Order', 10_000],
    ] as const) {
      const renewal = await found(`counted-${n}`);
      assert.deepEqual(
        [renewal.type, renewal.renewsTransactionId, renewal.renewalNumber, String(renewal.opportunityId)],
        ['renewal', sale.id, n, oid],
      );
      assert.deepEqual([renewal.total, renewal.currency], [total, currency]);
      assert.deepEqual(
        renewal.lines.map((line) => [line.name, line.amount]),
        [[name, amount]],
      );
    }
    const ids = async (query: string) => (await shop.get<Transaction[]>(`/v1/transactions?${query}`)).length;
    assert.equal(await ids(`renewsTransactionId=${sale.id}`), 3);
    assert.equal(await ids(`renewsTransactionId=${sale.id}&type=sale`), 0);
    const events = await shop.get<{ type: string }[]>(`/v1/events?transactionId=${(await found('counted-2')).id}`);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['RenewalTriggered'],
    );
    const { steps } = await shop.get<{ steps: Record<string, unknown>[] }>(`/v1/opportunities/${oid}/journey`);
    const step = steps.find(({ externalId }) => externalId === 'counted-2');
    assert.deepEqual([step?.['kind'], step?.['renewsTransactionId'], step?.['total']], ['renewal', sale.id, 10_000]);
  });

  it('accepts an identical repeat without changes, and returns 409 for other content', async () => {
    await shop.sell('other', oid);
    await shop.renew('repeated', 'sale', { total: '49.90' });
    const { renewalNumber } = await found('repeated');
    await shop.renew('repeated', 'sale', { total: 49.9, saleSource: 'shop', items: [] });
    assert.equal((await found('repeated')).renewalNumber, renewalNumber);
    for (const [change, differing] of [
      [{ total: 50 }, '/total'],
      [{ currency: 'EUR' }, '/currency'],
      [{ saleExternalId: 'other' }, '/saleExternalId'],
      [{ saleExternalId: 'never' }, '/saleExternalId'],
      [{ items: [{ name: 'Plan', amount: 49.9 }] }, '/items'],
    ] as const) {
      const reply = await report({ externalId: 'repeated', total: 49.9, ...change });
      assert.deepEqual([reply.status, problemCode(reply)], [409, 'sale-conflict'], JSON.stringify(change));
      assert.deepEqual(faultCodes(reply), { [differing]: 'differs' });
    }
    await shop.lead(oid, { source: 'shop', externalId: 'lead' });
    for (const externalId of ['sale', 'lead']) {
      const reply = await report({ externalId, saleExternalId: 'other' });
      assert.deepEqual([reply.status, problemCode(reply)], [409, 'sale-conflict'], externalId);
    }
  });

  it('returns 404 with the submitted fields for a sale that was never reported', async () => {
    for (const [body, echoed] of [
      [{ saleExternalId: 'never' }, { source: 'shop', externalId: 'never' }],
      [
        { saleSource: 'elsewhere', saleExternalId: 1001 },
        { source: 'elsewhere', externalId: 1001 },
      ],
    ] as const) {
      const reply = await report(body);
      assert.deepEqual([reply.status, problemCode(reply)], [404, 'sale-not-found']);
      const { source, externalId } = reply.body as Record<string, unknown>;
      assert.deepEqual({ source, externalId }, echoed);
    }
    const other = await service.foundOrganization('Other');
    assert.equal((await report({}, other)).status, 404);
  });

  it('rejects a renewal of a renewal or of a lead', async () => {
    await shop.renew('renewal-of-sale', 'sale');
    await shop.lead(oid, { source: 'shop', externalId: 'lead-of-sale' });
    for (const saleExternalId of ['renewal-of-sale', 'lead-of-sale']) {
      const reply = await report({ saleExternalId });
      assert.equal(reply.status, 422);
      assert.deepEqual(faultCodes(reply), { '/saleExternalId': 'not-a-sale' });
    }
  });

  it('accepts a renewal of a refunded sale', async () => {
    await shop.sell('returned', oid);
    await shop.refund('returned');
    await shop.renew('after-return', 'returned');
    assert.equal((await found('after-return')).renewalNumber, 1);
  });

  it('returns 422 with every fault of a renewal report', async () => {
    const reply = await report({
      source: '',
      externalId: null,
      saleExternalId: undefined,
      saleSource: 'x'.repeat(65),
      total: -1,
      currency: 'XXX',
      items: [{ name: 'Plan' }],
    });
    assert.deepEqual(faultCodes(reply), {
      '/source': 'too-short',
      '/externalId': 'required',
      '/saleExternalId': 'required',
      '/saleSource': 'too-long',
      '/total': 'out-of-range',
      '/currency': 'unknown-value',
      '/items/0/amount': 'required',
    });
  });

  it('requires a secret key and a tier that includes renewal reports', async () => {
    const byBrowser = await report({}, service.publishableKey);
    assert.deepEqual([byBrowser.status, problemCode(byBrowser)], [403, 'scope-required']);
    const lite = await report({}, await liteKey(service));
    assert.deepEqual([lite.status, problemCode(lite)], [403, 'tier-required']);
  });
});
