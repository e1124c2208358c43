import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Fulfillment, type Till } from '../support/payouts.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { type Obligation, openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

const UNFLAGGED = { state: 'none', reasons: [], reasonCount: 0, openCount: 0, openAmount: 0 };

describe('payout runs', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let ada: number;
  let bob: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    ada = await shop.collaborator('ada');
    bob = await shop.collaborator('bob');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const call = (method: string, path: string, body?: object, key = service.secretKey): Promise<Reply> =>
    service.request(method, path, { key, body });
  let sales = 0;
  /** Reports a visit and a sale that pays the collaborator a tenth. Returns the id of the first obligation. */
  const owe = async (code: string, total: number, change: Record<string, unknown> = {}): Promise<number> => {
    sales += 1;
    await shop.sell(`order-${sales}`, await shop.visit(code), { total, ...change });
    const [conversion] = await shop.earned(`order-${sales}`);
    return conversion?.obligationId ?? 0;
  };
  const owed = (id: number) => shop.get<Obligation & { payoutId: number | null }>(`/v1/obligations/${id}`);
  const assertProblem = (reply: Reply, status: number, code: string) =>
    assert.deepEqual([reply.status, problemCode(reply)], [status, code], reply.text);

  it('are not created if nothing is payable', async () => {
    assert.deepEqual(await till.preview(), []);
    assert.deepEqual(await till.run(), []);
    assert.deepEqual(await shop.get('/v1/fulfillments'), []);
  });

  it('are created per currency with one payout per collaborator, exactly as previewed', async () => {
    const [first, second, euro, bobs] = [
      await owe('ada', 100),
      await owe('ada', 50),
      await owe('ada', 20, { currency: 'EUR' }),
      await owe('bob', 30),
    ];
    const preview = await till.preview();
    assert.deepEqual(preview, [
      {
        currency: 'EUR',
        amount: 200,
        payouts: [{ collaboratorId: ada, amount: 200, obligationIds: [euro], payoutMethod: 'none' }],
        carriedForward: [],
      },
      {
        currency: 'USD',
        amount: 1800,
        payouts: [
          { collaboratorId: ada, amount: 1500, obligationIds: [first, second], payoutMethod: 'none' },
          { collaboratorId: bob, amount: 300, obligationIds: [bobs], payoutMethod: 'none' },
        ],
        carriedForward: [],
      },
    ]);
    assert.equal((await owed(first)).status, 'pending', 'a preview changes nothing');
    assert.deepEqual(await till.preview(), preview);

    const runs = await till.run();
    assert.deepEqual(
      runs.map(({ currency, status, amount, payouts, minimum }) => [currency, status, amount, payouts, minimum]),
      [
        ['EUR', 'pending', 200, 1, null],
        ['USD', 'pending', 1800, 2, null],
      ],
    );
    assert.match(runs[0]?.author ?? '', /^key \d+$/);
    for (const run of runs) assert.deepEqual(await shop.get(`/v1/fulfillments/${run.id}`), run);
    const payouts = await till.payoutsOf(runs[1] as Fulfillment);
    assert.deepEqual(
      payouts.map(({ collaboratorId, amount, status, review, paidAt }) => [
        collaboratorId,
        amount,
        status,
        review,
        paidAt,
      ]),
      [
        [ada, 1500, 'unpaid', UNFLAGGED, null],
        [bob, 300, 'unpaid', UNFLAGGED, null],
      ],
    );
    for (const id of [first, second]) {
      const { status, payoutId } = await owed(id);
      assert.deepEqual([status, payoutId], ['fulfilled', payouts[0]?.id]);
    }
    const inPayout = await shop.get<Obligation[]>(`/v1/obligations?payoutId=${payouts[0]?.id}&sort=id`);
    assert.deepEqual(
      inPayout.map(({ id }) => id),
      [first, second],
    );
    assert.deepEqual(await till.run(), [], 'obligations in a run are not taken again');
  });

  it('include no draft obligations', async () => {
    const program = await shop.program({ name: 'By hand', reward: { type: 'per-sale', amount: 77 } });
    await owe('ada', 0);
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
    assert.deepEqual(await till.preview(), []);
  });

  it('include only one currency if the request names it', async () => {
    const [dollars, euros] = [await owe('ada', 10), await owe('ada', 10, { currency: 'EUR' })];
    const run = await till.runOne({ currency: 'eur' });
    assert.deepEqual([run.currency, run.amount], ['EUR', 100]);
    assert.equal((await owed(dollars)).status, 'pending');
    assert.equal((await owed(euros)).status, 'fulfilled');
    await till.runOne({ currency: 'USD' });
  });

  it('carry forward payouts below the minimum', async () => {
    const [adas, bobs] = [await owe('ada', 100), await owe('bob', 99.9)];
    const request = { minimum: 1000 };
    const [preview] = await till.preview(request);
    assert.deepEqual(preview?.carriedForward, [{ collaboratorId: bob, amount: 999, reason: 'below-minimum' }]);
    const run = await till.runOne(request);
    assert.deepEqual([run.amount, run.minimum, run.payouts], [1000, 1000, 1]);
    assert.deepEqual([(await owed(adas)).status, (await owed(bobs)).status], ['fulfilled', 'pending']);
    assert.deepEqual(await till.run(request), []);
    assert.deepEqual(
      (await till.preview(request)).map(({ amount, payouts }) => [amount, payouts]),
      [[0, []]],
    );
    await owe('bob', 0.1);
    assert.equal((await till.runOne(request)).amount, 1000);
  });

  it('include each pending obligation of a requested list once', async () => {
    const [one, two, other] = [await owe('ada', 10), await owe('ada', 20), await owe('bob', 10)];
    const names = [one, one, String(two), 999_999];
    const [preview] = await till.preview({ obligationIds: names });
    assert.deepEqual(preview?.payouts, [
      { collaboratorId: ada, amount: 300, obligationIds: [one, two], payoutMethod: 'none' },
    ]);
    await till.runOne({ obligationIds: [one] });
    assert.equal((await till.runOne({ obligationIds: names })).amount, 200);
    assert.equal((await owed(other)).status, 'pending');
    assert.deepEqual(await till.run({ obligationIds: [] }), [], 'an empty list of ids takes no obligations');
    assert.deepEqual(await till.run({ obligationIds: names }), []);
    assert.deepEqual(await till.run({ obligationIds: [other], currency: 'EUR' }), []);
    await till.runOne({ obligationIds: null, minimum: null, currency: null });
  });

  it('never include an obligation of another organization, even if the request names it', async () => {
    const mine = await owe('ada', 10);
    const key = await service.foundOrganization('Other');
    const reply = await call('POST', '/v1/fulfillments', { obligationIds: [mine] }, key);
    assert.deepEqual([reply.status, reply.body], [201, []]);
    await till.runOne();
  });

  it('exclude a sale while its refund is being processed', async () => {
    const waiting = await owe('ada', 10);
    const paid = await owe('ada', 20);
    const sale = `order-${sales - 1}`;
    const { id } = await shop.transactionOf(sale);
    await service.database.query(
      `insert into jobs (organization_id, event_id, transaction_id, type, dead_lettered_at, error)
       select organization_id, event_id, id, 'RefundTriggered', now(), 'boom' from transactions where id = $1`,
      [id],
    );
    const [preview] = await till.preview();
    assert.deepEqual(preview?.payouts, [
      { collaboratorId: ada, amount: 200, obligationIds: [paid], payoutMethod: 'none' },
    ]);
    assert.equal((await till.runOne({ obligationIds: [waiting, paid] })).amount, 200);
    await service.database.query('delete from jobs where transaction_id = $1', [id]);
    assert.equal((await till.runOne()).amount, 100);
  });

  it('pay collaborators who were deactivated or deleted after they earned', async () => {
    const cleo = await shop.collaborator('cleo');
    await owe('cleo', 10);
    await shop.change(`/v1/collaborators/${cleo}`, { status: 'inactive' });
    const [preview] = await till.preview();
    assert.equal(preview?.payouts[0]?.collaboratorId, cleo);
    assert.equal((await call('DELETE', `/v1/collaborators/${cleo}`)).status, 200);
    assert.equal((await till.runOne()).amount, 100);
  });

  it('move from pending to processing to complete, and repeated calls change nothing', async () => {
    await owe('ada', 10);
    const { id } = await till.runOne();
    assertProblem(await till.tryRun(id, 'complete'), 409, 'invalid-transition');
    const processing = await till.move(id, 'process');
    assert.equal(processing.status, 'processing');
    assert.deepEqual(await till.move(id, 'process'), processing);
    const complete = await till.move(id, 'complete');
    assert.equal(complete.status, 'complete');
    assert.deepEqual(await till.move(id, 'complete'), complete);
    const [payout] = await till.payoutsOf({ id });
    assert.equal(payout?.status, 'paid');
    assert.notEqual(payout?.paidAt, null);
    for (const verb of ['process', 'fail']) assertProblem(await till.tryRun(id, verb), 409, 'invalid-transition');
  });

  it('can be marked as failed unless a payout is paid, and their obligations become pending again', async () => {
    for (const isProcessing of [false, true]) {
      const obligation = await owe('ada', 10);
      const { id } = await till.runOne();
      if (isProcessing) await till.move(id, 'process');
      const [payout] = await till.payoutsOf({ id });
      await till.mark(payout?.id ?? 0, 'paid');
      assertProblem(await till.tryRun(id, 'fail'), 409, 'invalid-transition');
      await till.mark(payout?.id ?? 0, 'unpaid');
      const failed = await till.move(id, 'fail');
      assert.deepEqual([failed.status, failed.amount, failed.payouts], ['failed', 0, 1]);
      assert.deepEqual(await till.move(id, 'fail'), failed);
      const after = await till.payout(payout?.id ?? 0);
      assert.deepEqual([after.status, after.amount], ['void', 0]);
      const { status, payoutId } = await owed(obligation);
      assert.deepEqual([status, payoutId], ['pending', null]);
      for (const verb of ['process', 'complete']) assertProblem(await till.tryRun(id, verb), 409, 'invalid-transition');
      assert.equal((await till.runOne()).amount, 100, 'a later run pays it');
    }
  });

  it('can be filtered by status and currency, and are listed newest first', async () => {
    const all = await shop.get<Fulfillment[]>('/v1/fulfillments?perPage=100');
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).toSorted((a, b) => b - a),
    );
    for (const status of ['pending', 'complete', 'failed']) {
      const found = await shop.get<Fulfillment[]>(`/v1/fulfillments?status=${status}&currency=usd&perPage=100`);
      assert.ok(found.length > 0);
      assert.deepEqual(
        found,
        all.filter((each) => each.status === status && each.currency === 'USD'),
      );
    }
    const byAge = await shop.get<Fulfillment[]>('/v1/fulfillments?sort=createdAt&perPage=100');
    assert.deepEqual(byAge, all.toReversed());
  });

  it('are refused in one response that lists every fault of the selection', async () => {
    for (const path of ['/v1/fulfillments', '/v1/fulfillments/preview']) {
      const reply = await call('POST', path, { obligationIds: [1, 0, 'x'], minimum: -1, currency: 'XXY' });
      assert.deepEqual(faultCodes(reply), {
        '/obligationIds/1': 'out-of-range',
        '/obligationIds/2': 'invalid-format',
        '/minimum': 'out-of-range',
        '/currency': 'unknown-value',
      });
      const tooMany = await call('POST', path, { obligationIds: Array.from({ length: 10_001 }, (_, n) => n + 1) });
      assert.deepEqual(faultCodes(tooMany), { '/obligationIds': 'too-many' });
    }
    assertProblem(await till.tryRun(999_999, 'process'), 404, 'not-found');
  });
});
