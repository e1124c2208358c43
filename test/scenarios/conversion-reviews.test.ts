import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '#test/support/service.ts';
import { type Conversion, type Obligation, openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

describe('POST /v1/conversions/bulk', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const bulk = (body: unknown) => service.request('POST', '/v1/conversions/bulk', { key: service.secretKey, body });
  /** Returns the status of a sale's only conversion and the status of the conversion's obligation. */
  const states = async (sale: string) => {
    const [earned] = await shop.earned(sale);
    const [owed] = await shop.get<Obligation[]>(`/v1/obligations?conversionId=${earned?.id}`);
    return [earned?.status, owed?.status];
  };

  it('returns the outcome of each conversion once, in the order in which the request lists the ids', async () => {
    const oid = await shop.visit('ada');
    const sales = ['b1', 'b2', 'b3'];
    for (const sale of sales) await shop.sell(sale, oid);
    const ids = await Promise.all(sales.map(async (sale) => (await shop.earned(sale))[0]?.id));
    await shop.refund('b2');
    await service.settled();
    const approved = await bulk({ action: 'approve', ids: [ids[2], ids[1], 999, String(ids[2]), ids[0]] });
    assert.deepEqual(approved.body, [
      { id: ids[2], outcome: 'changed', status: 'approved' },
      { id: ids[1], outcome: 'invalid-transition', status: 'rejected' },
      { id: 999, outcome: 'not-found' },
      { id: ids[0], outcome: 'changed', status: 'approved' },
    ]);
    const rejected = await bulk({ action: 'reject', reason: 'test orders', ids: [ids[0], ids[1]] });
    assert.deepEqual(rejected.body, [
      { id: ids[0], outcome: 'changed', status: 'rejected' },
      { id: ids[1], outcome: 'changed', status: 'rejected' },
    ]);
    const [first, second] = await Promise.all(sales.map((sale) => shop.earned(sale)));
    assert.deepEqual([first?.[0]?.reason, second?.[0]?.reason], ['test orders', 'test orders']);
    assert.deepEqual(await states('b1'), ['rejected', 'rejected']);
    assert.deepEqual(await states('b3'), ['approved', 'pending']);
  });

  it('accepts 1,000 ids, and does not find conversions of another organization', async () => {
    const [conversion] = await shop.earned('b3');
    const key = await service.foundOrganization('Other');
    const ids = Array.from({ length: 1000 }, (_, n) => (conversion?.id ?? 0) + n);
    const reply = await service.request('POST', '/v1/conversions/bulk', {
      key,
      body: { action: 'reject', reason: 'x', ids },
    });
    assert.deepEqual(
      reply.body,
      ids.map((id) => ({ id, outcome: 'not-found' })),
    );
    assert.equal((await shop.earned('b3'))[0]?.status, 'approved');
  });

  it('returns 422 for missing, invalid or too many ids, a missing reason or an unknown action', async () => {
    for (const [body, pointer, code] of [
      [{ action: 'approve', ids: [] }, '/ids', 'too-few'],
      [{ action: 'approve' }, '/ids', 'required'],
      [{ action: 'approve', ids: Array.from({ length: 1001 }, (_, n) => n + 1) }, '/ids', 'too-many'],
      [{ action: 'approve', ids: [1, 'x'] }, '/ids/1', 'invalid-format'],
      [{ action: 'reject', ids: [1] }, '/reason', 'required'],
      [{ action: 'pay', ids: [1] }, '/action', 'unknown-value'],
    ] as const) {
      const reply = await bulk(body);
      assert.equal(reply.status, 422, reply.text);
      const { errors } = reply.body as { errors: { pointer: string; code: string }[] };
      assert.deepEqual(
        errors.map((each) => [each.pointer, each.code]),
        [[pointer, code]],
      );
    }
  });
});

describe('concurrent refunds, approvals and decisions', () => {
  it('end in the same state as the same calls in sequence', async () => {
    const service = await startService();
    const shop = openShop(service);
    const key = service.secretKey;
    const refund = (externalId: string, part: object) =>
      service.request('POST', '/v1/event/refund', { key, body: { source: 'shop', externalId, ...part } });
    try {
      await shop.program();
      await shop.collaborator('ada');
      const oid = await shop.visit('ada');
      const items = [
        { externalId: 'mug', name: 'Mug', amount: 30, quantity: 2 },
        { externalId: 'hat', name: 'Hat', amount: 40 },
      ];
      const rounds = Array.from({ length: 60 }, (_, n) => `storm-${n}`);
      const tryAll = async (sale: string, n: number): Promise<void> => {
        await shop.sell(sale, oid, { items });
        const { id } = await shop.transactionOf(sale);
        const [conversion] = await shop.get<Conversion[]>(`/v1/conversions?transactionId=${id}`);
        const replies = await Promise.all([
          refund(sale, { refundId: 'a', amount: 10 }),
          refund(sale, { refundId: 'b', items: [{ externalId: 'mug' }] }),
          refund(sale, { refundId: 'a', amount: '10.00' }),
          n % 3 === 0 ? refund(sale, {}) : refund(sale, { refundId: 'c', amount: 1000 }),
          service.request('POST', '/v1/conversions/bulk', {
            key,
            body: { action: 'approve', ids: [conversion?.id ?? 1_000_000] },
          }),
        ]);
        // A partial refund returns 422 if it follows the full refund or exceeds the remainder. No other error is
        // allowed.
        for (const { status, text } of replies) assert.ok([200, 422].includes(status), text);
      };
      // With more concurrent sales, the service on a busy machine would respond with 503.
      const queue = rounds.entries();
      const caller = async (): Promise<void> => {
        for (const [n, sale] of queue) await tryAll(sale, n);
      };
      await Promise.all(Array.from({ length: 12 }, caller));
      for (const [n, sale] of rounds.entries()) {
        const [conversion] = await shop.earned(sale);
        if (n % 3 === 0) assert.equal(conversion?.status, 'rejected', sale);
        else assert.equal(conversion?.amount, 600, sale);
      }
      assert.deepEqual((await verify(service.database)).breaches, []);
    } finally {
      await service.stop();
    }
  });
});
