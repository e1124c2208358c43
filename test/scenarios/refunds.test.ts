import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemCode } from '#test/support/replies.ts';
import { type TestService, startService } from '#test/support/service.ts';
import { letPass, type Obligation, openShop, type Shop, startBeside } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

describe('a full refund', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.program({ name: 'By hand', reward: { type: 'per-sale', amount: 250 } });
    await shop.collaborator('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const states = async (sale: string): Promise<string[][]> => {
    const earned = await shop.earned(sale);
    const obligations = await Promise.all(
      earned.map((each) => shop.get<Obligation[]>(`/v1/obligations?conversionId=${each.id}`)),
    );
    return earned.map((each, index) => [each.status, ...(obligations[index] ?? []).map(({ status }) => status)]);
  };

  it('rejects unpaid commissions and their obligations, and keeps the amounts as records', async () => {
    await shop.sell('r1', await shop.visit('ada'));
    assert.deepEqual(await states('r1'), [
      ['approved', 'pending'],
      ['pending', 'draft'],
    ]);
    await shop.refund('r1');
    assert.equal((await shop.transactionOf('r1')).status, 'refunded');
    assert.deepEqual(await states('r1'), [
      ['rejected', 'rejected'],
      ['rejected', 'rejected'],
    ]);
    const earned = await shop.earned('r1');
    assert.deepEqual(
      earned.map((each) => [each.amount, each.reason]),
      [
        [1000, 'refunded'],
        [250, 'refunded'],
      ],
    );
  });

  it('returns 200 and changes nothing when it is repeated', async () => {
    await shop.sell('r2', await shop.visit('ada'));
    await Promise.all(Array.from({ length: 16 }, () => shop.refund('r2')));
    await service.settled();
    await shop.refund('r2');
    const { id } = await shop.transactionOf('r2');
    const events = await shop.get<{ type: string }[]>(`/v1/events?transactionId=${id}&sort=id`);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['SaleTriggered', 'RefundTriggered'],
    );
  });

  it('gets 404 with the submitted fields if the sale was never reported', async () => {
    for (const body of [
      { source: 'shop', externalId: 'never' },
      { source: 'elsewhere', externalId: 1001 },
      { source: 'shop', externalId: '1001.0' },
    ]) {
      const reply = await service.request('POST', '/v1/event/refund', { key: service.secretKey, body });
      assert.equal(reply.status, 404);
      assert.equal(problemCode(reply), 'sale-not-found');
      const { source, externalId } = reply.body as Record<string, unknown>;
      assert.deepEqual({ source, externalId }, body);
    }
  });

  it('finds a sale by an integer externalId, but only in the same source', async () => {
    await shop.sell('2002', await shop.visit('ada'));
    const refund = (body: unknown) => service.request('POST', '/v1/event/refund', { key: service.secretKey, body });
    assert.equal((await refund({ source: 'SHOP', externalId: '2002' })).status, 404);
    assert.equal((await refund({ source: 'shop', externalId: 2002 })).status, 200);
  });

  it('immediately prevents the approval of a pending conversion', async () => {
    await shop.sell('r4', await shop.visit('ada'));
    const byHand = (await shop.earned('r4')).find((each) => each.status === 'pending');
    await shop.refund('r4');
    const path = `/v1/conversions/${byHand?.id}/approve`;
    const reply = await service.request('POST', path, { key: service.secretKey });
    assert.equal(reply.status, 409, reply.text);
    assert.equal(problemCode(reply), 'invalid-transition');
    assert.deepEqual(await states('r4'), [
      ['rejected', 'rejected'],
      ['rejected', 'rejected'],
    ]);
  });

  it('stays in effect if the sale is reported again', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('r5', oid);
    await shop.refund('r5');
    await shop.sell('r5', oid);
    assert.deepEqual(await states('r5'), [
      ['rejected', 'rejected'],
      ['rejected', 'rejected'],
    ]);
  });
});

describe('a refund before the decision', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('results in the same conversions and explanation as a refund after the decision', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('early', oid);
    await shop.refund('early');
    assert.equal((await shop.get<unknown[]>('/v1/conversions')).length, 0);
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    try {
      const [early] = await shop.earned('early');
      await shop.sell('late', oid);
      await service.settled();
      await shop.refund('late');
      const [late] = await shop.earned('late');
      const seen = (each: typeof early) => [each?.status, each?.amount, each?.reason, each?.collaboratorId];
      assert.deepEqual(seen(early), ['rejected', 1000, 'refunded', early?.collaboratorId]);
      assert.deepEqual(seen(early), seen(late));
      const said = ({ base, reason, candidates }: Awaited<ReturnType<Shop['explain']>>) => ({
        base,
        reason,
        candidates,
      });
      assert.deepEqual(said(await shop.explain('early')), said(await shop.explain('late')));
    } finally {
      await worker.stop();
    }
  });
});

describe('a program that approves after some days', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ approveAfterDays: 14 });
    await shop.collaborator('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  /**
   * Returns the status of a sale's conversion once it is `until`, or after 5 seconds. The service checks for due
   * approvals once a second.
   */
  const status = async (sale: string, until: string): Promise<string | undefined> => {
    const deadline = performance.now() + 5_000;
    for (;;) {
      const [conversion] = await shop.earned(sale);
      if (conversion?.status === until || performance.now() > deadline) return conversion?.status;
    }
  };

  it('approves unrefunded conversions by itself on the scheduled day', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('kept', oid);
    await shop.sell('returned', oid);
    const [waiting] = await shop.earned('kept');
    const { createdAt = '', approvesAt = '' } = waiting as { createdAt?: string; approvesAt?: string };
    assert.equal(
      Math.round((Date.parse(approvesAt) - Date.parse(createdAt)) / 3_600_000),
      14 * 24,
      'approvesAt is 14 days after the sale',
    );
    await letPass(service, '13 days 23 hours');
    await shop.sell('young', oid);
    assert.equal(await status('kept', 'pending'), 'pending');
    await shop.refund('returned');
    await letPass(service, '1 hour');
    assert.equal(await status('kept', 'approved'), 'approved');
    const [kept] = await shop.earned('kept');
    const owed = await shop.get<Obligation[]>(`/v1/obligations?conversionId=${kept?.id}`);
    assert.deepEqual(
      owed.map((each) => each.status),
      ['pending'],
    );
    assert.equal(await status('returned', 'rejected'), 'rejected');
    assert.equal(await status('young', 'pending'), 'pending');
  });
});

describe('manual approval and rejection', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const act = (id: number | undefined, action: string, body: unknown = {}) =>
    service.request('POST', `/v1/conversions/${id}/${action}`, { key: service.secretKey, body });
  const owed = async (id: number | undefined) =>
    (await shop.get<Obligation[]>(`/v1/obligations?conversionId=${id}`)).map(({ status }) => status);

  it('an approval makes the obligation pending, and a repeat changes nothing', async () => {
    await shop.sell('a1', await shop.visit('ada'));
    const [conversion] = await shop.earned('a1');
    assert.deepEqual(await owed(conversion?.id), ['draft']);
    for (let n = 0; n < 2; n += 1) {
      const reply = await act(conversion?.id, 'approve');
      assert.equal(reply.status, 200, reply.text);
      assert.equal((reply.body as { status: string }).status, 'approved');
    }
    assert.deepEqual(await owed(conversion?.id), ['pending']);
  });

  it('a rejection keeps its reason, rejects the obligation, and is final', async () => {
    await shop.sell('a2', await shop.visit('ada'));
    const [conversion] = await shop.earned('a2');
    const reply = await act(conversion?.id, 'reject', { reason: 'stolen card' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal((reply.body as { reason: string }).reason, 'stolen card');
    assert.deepEqual(await owed(conversion?.id), ['rejected']);
    const approval = await act(conversion?.id, 'approve');
    assert.equal(approval.status, 409);
    assert.equal(problemCode(approval), 'invalid-transition');
  });

  it('a rejection is possible after an approval', async () => {
    await shop.sell('a3', await shop.visit('ada'));
    const [conversion] = await shop.earned('a3');
    await act(conversion?.id, 'approve');
    assert.equal((await act(conversion?.id, 'reject', { reason: 'returned' })).status, 200);
    assert.deepEqual(await owed(conversion?.id), ['rejected']);
  });
});
