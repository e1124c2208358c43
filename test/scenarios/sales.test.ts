import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestService, startService } from '#test/support/service.ts';
import { letPass, openShop, oidOf, saleBody, type Shop, startBeside } from '#test/support/shop.ts';
import { problemCode } from '#test/support/replies.ts';
import { verify } from '#verify/verify.ts';

describe('a reported sale', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let oid: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    ada = await shop.collaborator('ada');
    oid = await shop.visit('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const report = (body: unknown) => service.request('POST', '/v1/event/sale', { key: service.secretKey, body });

  it('earns a commission for the collaborator who referred it, with an obligation and an explanation', async () => {
    await shop.sell('first', oid, { total: 49.99 });
    const [conversion] = await shop.earned('first');
    assert.equal(conversion?.status, 'pending');
    assert.equal(conversion?.amount, 500);
    assert.equal(conversion?.collaboratorId, ada);
    const obligations = await shop.get<{ amount: number; status: string }[]>(
      `/v1/obligations?conversionId=${conversion?.id}`,
    );
    assert.deepEqual(
      obligations.map(({ amount, status }) => [amount, status]),
      [[500, 'draft']],
    );
    const explanation = await shop.explain('first');
    assert.match(explanation.text, /10% of 49\.99 USD = 5\.00 USD/);
  });

  it('has one Order line with the total if it has no items', async () => {
    await shop.sell('no-items', oid, { total: '12.50', currency: 'eur', items: [] });
    const { id } = await shop.transactionOf('no-items');
    const { lines, currency, total } = await shop.get<Record<string, unknown>>(`/v1/transactions/${id}`);
    assert.deepEqual(
      [lines, currency, total],
      [[{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: 1250, total: 1250 }], 'EUR', 1250],
    );
  });

  it('keeps one exact line for each item, in order', async () => {
    const items = [
      { externalId: 7, name: 'Mug', quantity: '3', amount: 1.005 },
      { name: 'Voucher', amount: '-0.29', type: 'discount' },
      { externalId: 'p', name: 'Postage', amount: 4.35e1, type: 'shipping' },
    ];
    await shop.sell('items', oid, { total: 19.989999999999998, items });
    const { id } = await shop.transactionOf('items');
    const { lines, total } = await shop.get<{ lines: unknown; total: number }>(`/v1/transactions/${id}`);
    assert.equal(total, 1999);
    assert.deepEqual(lines, [
      { externalId: '7', name: 'Mug', type: 'product', quantity: 3, amount: 101, total: 303 },
      { externalId: null, name: 'Voucher', type: 'discount', quantity: 1, amount: -29, total: -29 },
      { externalId: 'p', name: 'Postage', type: 'shipping', quantity: 1, amount: 4350, total: 4350 },
    ]);
    assert.deepEqual(
      (await shop.earned('items')).map((each) => each.amount),
      [27],
    );
  });

  it('is recognized as the same sale if it is repeated in another notation', async () => {
    await shop.sell('again', oid, { total: 49.9, items: [{ name: 'Mug', amount: 49.9 }] });
    const words = [
      { total: '49.90', items: [{ name: 'Mug', amount: '4990e-2', quantity: 1 }] },
      { total: 49.9, currency: null, items: [{ name: 'Mug', amount: 49.9, type: 'product', externalId: null }] },
      { total: 49.9, trackingId: Number(oid), items: [{ name: 'Mug', amount: 49.9 }], somethingElse: true },
    ];
    for (const change of words) assert.equal(oidOf(await shop.sell('again', oid, change)), oid);
    assert.equal((await shop.earned('again')).length, 1);
  });

  it('is refused with 409 if it is reported again with other content, and stays unchanged', async () => {
    await shop.sell('conflict', oid);
    const other = await shop.visit('ada');
    for (const change of [
      { total: 100.01 },
      { currency: 'EUR' },
      { items: [{ name: 'Mug', amount: 100 }] },
      { trackingId: other },
    ]) {
      const reply = await report(saleBody('conflict', oid, change));
      assert.equal(reply.status, 409, reply.text);
      assert.equal(problemCode(reply), 'sale-conflict');
    }
    assert.deepEqual(
      (await shop.earned('conflict')).map((each) => each.amount),
      [1000],
    );
  });

  it('is a separate sale if another source has the same externalId', async () => {
    await shop.sell('two-sources', oid);
    await shop.sell('two-sources', oid, { source: 'Shop' });
    const both = await shop.get<unknown[]>('/v1/transactions?externalId=two-sources');
    assert.equal(both.length, 2);
  });

  it('is rejected with 422 for an unknown trackingId, but with 409 if it conflicts with an existing sale', async () => {
    const reply = await report(saleBody('never', '123456789'));
    assert.equal(reply.status, 422);
    assert.deepEqual(
      (reply.body as { errors: { pointer: string; code: string }[] }).errors.map((each) => [each.pointer, each.code]),
      [['/trackingId', 'unknown-opportunity']],
    );
    await shop.sell('known', oid);
    assert.equal((await report(saleBody('known', '123456789'))).status, 409);
  });

  it('succeeds in a batch with faulty reports', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        report(saleBody(`neighbour-${n}`, n % 3 === 0 ? '42' : oid, n % 3 === 1 ? { total: 'x' } : {})),
      ),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map((_, n) => (n % 3 === 2 ? 200 : 422)),
    );
  });

  it('can have more than 100 lines, such as 1,000, and all of them count', async () => {
    for (const count of [101, 1000]) {
      const items = Array.from({ length: count }, (_, n) => ({ name: `Line ${n}`, amount: 0.01 }));
      await shop.sell(`long-${count}`, oid, { items });
      const [conversion] = await shop.earned(`long-${count}`);
      assert.equal(conversion?.amount, Math.round(count / 10));
    }
  });

  it('earns a commission even if it is the visitor’s second order', async () => {
    const visitor = await shop.visit('ada');
    await shop.sell('order-1', visitor);
    await shop.sell('order-2', visitor);
    assert.deepEqual([(await shop.earned('order-1')).length, (await shop.earned('order-2')).length], [1, 1]);
  });

  it('is accepted for an invalid opportunity, and earns nothing', async () => {
    const invalid = await shop.visit('ada');
    await shop.sell('mark', invalid);
    const { id } = await shop.transactionOf('mark');
    await service.database.query(
      'update opportunities set invalidated_at = now() where id = (select opportunity_id from transactions where id = $1)',
      [id],
    );
    assert.equal(oidOf(await shop.sell('of-invalid', invalid)), invalid);
    assert.equal((await shop.explain('of-invalid')).reason, 'opportunity-invalid');
    assert.deepEqual(await shop.earned('of-invalid'), []);
    assert.notEqual(await shop.visit('ada', { oid: invalid }), invalid);
  });
});

describe('a sale that is decided late', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    // Without a worker, sales are not decided until a test starts one.
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('uses visits, programs and collaborators as of the time it was reported', async () => {
    const program = await shop.program({ attribution: 'last-touch', windowDays: 5 });
    const weighted = await shop.program({ attribution: 'top-score', reward: { type: 'per-sale', amount: 300 } });
    const ada = await shop.collaborator('ada');
    const bob = await shop.collaborator('bob');
    const oid = await shop.visit('ada');
    await shop.visit('ada', { oid });
    await shop.visit('bob', { oid });
    await shop.sell('late', oid);
    const expired = await shop.visit('ada');
    await letPass(service, '6 days');
    await shop.sell('expired', expired);

    // The following visits and changes are made after both sales, so they must not affect the decisions.
    for (let n = 0; n < 3; n += 1) await shop.visit('ada', { oid });
    await shop.visit('bob', { oid });
    await shop.visit('bob', { oid });
    await shop.visit('ada', { oid: expired });
    await shop.change(`/v1/programs/${program}`, { reward: { type: 'percent', percent: 50 }, windowDays: 90 });
    await shop.change(`/v1/programs/${weighted}`, { status: 'inactive' });
    await shop.change(`/v1/collaborators/${bob}`, { status: 'inactive' });
    const older = await shop.visit('ada');
    await shop.visit('ada', { oid: older, userId: 1 });

    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    const earned = await shop.earned('late');
    assert.deepEqual(
      earned.map((each) => [each.programId, each.programVersion, each.collaboratorId, each.amount]),
      [
        [program, 1, bob, 1000],
        [weighted, 1, ada, 300],
      ],
    );
    const scores = (await shop.explain('late')).candidates.map((each) => [
      each.programId,
      each.collaboratorId,
      each.score,
    ]);
    assert.deepEqual(
      scores.map(String).sort(),
      [
        [program, ada, 2],
        [program, bob, 1],
        [weighted, ada, 2],
        [weighted, bob, 1],
      ]
        .map(String)
        .sort(),
    );
    const late = (await shop.explain('expired')).candidates.find((each) => each.programId === program);
    assert.equal(late?.reason, 'window-expired');
    await worker.stop();
  });

  it('treats opportunities as merged only if they were merged before the sale', async () => {
    await shop.program({ name: 'Linear', attribution: 'linear', reward: { type: 'per-sale', amount: 1000 } });
    await shop.collaborator('eve');
    await shop.collaborator('fay');
    const older = await shop.visit('eve');
    const newer = await shop.visit('fay', { userId: 9 });
    await shop.sell('unmerged', newer);
    await shop.visit('eve', { oid: older, userId: 9 });
    await shop.sell('merged', newer);
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    const linear = async (sale: string) =>
      (await shop.earned(sale))
        .filter((each) => each.amount % 500 === 0 && each.amount >= 500 && each.programVersion === 1)
        .map((each) => each.amount);
    assert.deepEqual((await linear('unmerged')).filter((amount) => amount === 1000).length, 1);
    assert.deepEqual((await linear('merged')).filter((amount) => amount === 500).length, 2);
    await worker.stop();
  });
});

describe('late decisions of a program that credits once per opportunity', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    await shop.program({ creditsPer: 'opportunity', reward: { type: 'per-sale', amount: 900 } });
    await shop.collaborator('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('pay the same as immediate decisions', async () => {
    const [again, refunded, visited] = [await shop.visit('ada'), await shop.visit('ada'), await shop.visit('ada')];
    await shop.sell('again-1', again);
    await shop.sell('again-2', again);
    await shop.refund('again-1');
    await shop.sell('again-3', again);
    await shop.sell('refunded-1', refunded);
    await shop.refund('refunded-1');
    await shop.sell('refunded-2', refunded);
    await shop.sell('visited-1', visited);
    await shop.visit('ada', { oid: visited });
    await shop.sell('visited-2', visited);
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    const earned = async (sale: string) => (await shop.earned(sale)).map((each) => each.status);
    assert.deepEqual(
      [await earned('again-1'), await earned('again-2'), await earned('again-3')],
      [['rejected'], [], ['pending']],
    );
    assert.deepEqual([await earned('refunded-1'), await earned('refunded-2')], [['rejected'], ['pending']]);
    assert.deepEqual([await earned('visited-1'), await earned('visited-2')], [['pending'], ['pending']]);
    await worker.stop();
  });
});

describe('a program that credits an opportunity once', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ creditsPer: 'opportunity', reward: { type: 'per-sale', amount: 900 } });
    await shop.collaborator('ada');
    await shop.collaborator('bob');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const amounts = async (sale: string) => (await shop.earned(sale)).map((each) => each.amount);

  it('pays the first sale, and a later visit starts a new engagement', async () => {
    const oid = await shop.visit('ada');
    await shop.visit('bob', { oid });
    await shop.sell('a1', oid);
    assert.deepEqual(await amounts('a1'), [900]);
    await shop.sell('a2', oid);
    assert.deepEqual(await amounts('a2'), []);
    assert.deepEqual(
      (await shop.explain('a2')).candidates.map((each) => each.reason),
      ['already-credited', 'already-credited'],
    );
    await shop.visit('ada', { oid });
    await shop.sell('a3', oid);
    assert.deepEqual(await amounts('a3'), [900]);
  });

  it('reopens its engagements when the credited sale is refunded', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('b1', oid);
    assert.deepEqual(await amounts('b1'), [900]);
    await shop.refund('b1');
    await service.settled();
    await shop.sell('b2', oid);
    assert.deepEqual(await amounts('b2'), [900]);
  });

  it('reopens the engagement of a refunded sale, and adds the score of a later engagement to it', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('c1', oid);
    await amounts('c1');
    await shop.visit('ada', { oid });
    await shop.refund('c1');
    await service.settled();
    const engagements = await shop.get<{ status: string; score: number }[]>(
      `/v1/engagements?opportunityId=${oid}&sort=id`,
    );
    assert.deepEqual(
      engagements.map(({ status, score }) => [status, score]),
      [
        ['active', 2],
        ['invalid', 1],
      ],
    );
  });

  it('reopens engagements after a chain of refunds, decided one by one or together', async () => {
    for (const [name, wait] of [
      ['slow', true],
      ['quick', false],
    ] as const) {
      const oid = await shop.visit('ada');
      await shop.sell(`${name}-1`, oid);
      if (wait) await service.settled();
      await shop.visit('ada', { oid });
      await shop.sell(`${name}-2`, oid);
      if (wait) await service.settled();
      assert.deepEqual([await amounts(`${name}-1`), await amounts(`${name}-2`)], [[900], [900]], name);
      await shop.refund(`${name}-1`);
      await shop.refund(`${name}-2`);
      await service.settled();
      await shop.sell(`${name}-3`, oid);
      assert.deepEqual(await amounts(`${name}-3`), [900], name);
      const { rows } = await service.database.query<{ n: number }>('select count(*) as n from jobs');
      assert.equal(rows[0]?.n, 0, 'nothing is dead-lettered or retried');
    }
  });

  it('pays exactly one of many concurrent sales', async () => {
    const oid = await shop.visit('ada');
    await Promise.all(Array.from({ length: 20 }, (_, n) => shop.sell(`d${n}`, oid)));
    await service.settled();
    const paid = await Promise.all(Array.from({ length: 20 }, (_, n) => amounts(`d${n}`)));
    assert.equal(paid.flat().length, 1);
  });
});
