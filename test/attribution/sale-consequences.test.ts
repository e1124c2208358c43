import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

type Transaction = { id: number; opportunityId: number; externalId: string; status: string; [field: string]: unknown };
type Conversion = {
  id: number;
  status: string;
  amount: number;
  collaboratorId: number;
  transactionId: number;
  obligationId: number;
  opportunityId: number;
  engagementId: number;
  reason?: string;
};
type Obligation = { id: number; status: string; amount: number; payoutId: null };
type Explanation = {
  text: string;
  reason?: string;
  base: number;
  candidates: { outcome: string; reason?: string; share?: number; collaboratorId: number }[];
};
type Event = {
  id: number;
  type: string;
  state: string;
  opportunityId: number;
  transactionId?: number;
  source?: string;
  error?: string;
};
type Journey = {
  opportunityId: number;
  memberIds: number[];
  steps: { kind: string; [field: string]: unknown }[];
  omitted: number;
};

describe('the records of a sale', () => {
  let service: TestService;
  let ada: number;
  let bo: number;
  let programId: number;
  before(async () => {
    service = await startService();
    programId = await create('/v1/programs', { name: 'Friends', reward: { type: 'percent', percent: 10 } });
    ada = await create('/v1/collaborators', { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
    bo = await create('/v1/collaborators', { name: 'Bo' });
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const create = async (path: string, body: object): Promise<number> => {
    const reply = await call('POST', path, body);
    assert.equal(reply.status, 201, reply.text);
    return (reply.body as { id: number }).id;
  };
  const get = async <Body>(path: string): Promise<Body> => {
    const reply = await call('GET', path);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Body;
  };
  const visit = async (collaboratorId: unknown, more: object = {}, oid?: number): Promise<number> => {
    const reply = await service.request('POST', '/v1/event/site-visited', {
      key: service.secretKey,
      body: { collaboratorId, ...more },
      ...(oid === undefined ? {} : { headers: { 'x-service-oid': String(oid) } }),
    });
    assert.equal(reply.status, 200, reply.text);
    return Number(reply.headers.get('x-service-oid'));
  };
  let orders = 0;
  const sell = async (trackingId: number, more: object = {}): Promise<string> => {
    orders += 1;
    const externalId = `order-${orders}`;
    const reply = await call('POST', '/v1/event/sale', { source: 'shop', externalId, total: 100, trackingId, ...more });
    assert.equal(reply.status, 200, reply.text);
    return externalId;
  };
  const refund = (externalId: string) => call('POST', '/v1/event/refund', { source: 'shop', externalId });
  const transactionOf = async (externalId: string): Promise<Transaction> => {
    const [found] = await get<Transaction[]>(`/v1/transactions?source=shop&externalId=${externalId}`);
    assert.ok(found);
    return found;
  };
  /** Reports a visit through Ada and its sale. Returns the order id, the opportunity and the first conversion. */
  const earned = async (more: object = {}): Promise<{ externalId: string; oid: number; conversion: Conversion }> => {
    const oid = await visit(ada);
    const externalId = await sell(oid, more);
    await service.settled();
    const { id } = await transactionOf(externalId);
    const [conversion] = await get<Conversion[]>(`/v1/conversions?transactionId=${id}`);
    assert.ok(conversion);
    return { externalId, oid, conversion };
  };
  const assertProblem = (reply: Reply, status: number, code: string) =>
    assert.deepEqual([reply.status, problemCode(reply)], [status, code], reply.text);

  it('a transaction has its lines and the public number of its opportunity', async () => {
    const oid = await visit(ada);
    const externalId = await sell(oid, {
      total: '38.98',
      currency: 'eur',
      items: [
        { name: 'Mug', amount: 19.99, quantity: 2, externalId: 'sku-7' },
        { name: 'Less', amount: -1, type: 'discount' },
      ],
    });
    const found = await transactionOf(externalId);
    const { id, occurredAt, createdAt, ...rest } = found;
    assert.equal(occurredAt, createdAt);
    assert.deepEqual(rest, {
      type: 'sale',
      opportunityId: oid,
      source: 'shop',
      externalId,
      total: 3898,
      refundedAmount: 0,
      currency: 'EUR',
      status: 'complete',
      lines: [
        { externalId: 'sku-7', name: 'Mug', type: 'product', quantity: 2, amount: 1999, total: 3998 },
        { externalId: null, name: 'Less', type: 'discount', quantity: 1, amount: -100, total: -100 },
      ],
      refundedAt: null,
    });
    assert.deepEqual(await get(`/v1/transactions/${id}`), found);
    const single = await transactionOf(await sell(oid));
    assert.deepEqual(single['lines'], [
      { externalId: null, name: 'Order', type: 'product', quantity: 1, amount: 10000, total: 10000 },
    ]);
  });

  it('transactions can be filtered by opportunity, status, currency and externalId', async () => {
    const oid = await visit(ada);
    const externalId = await sell(oid, { currency: 'GBP' });
    await sell(oid);
    await refund(externalId);
    for (const query of [
      `opportunityId=${oid}&currency=gbp`,
      `status=refunded&externalId=${externalId}`,
      `opportunityId=${oid}&status=refunded`,
    ]) {
      const found = await get<Transaction[]>(`/v1/transactions?${query}`);
      assert.deepEqual(
        found.map((each) => each.externalId),
        [externalId],
        query,
      );
    }
    const unknown = await get<Transaction[]>('/v1/transactions?opportunityId=12345');
    assert.deepEqual(unknown, []);
  });

  it('a sale creates a conversion and an obligation, which can be found with the filters of lists', async () => {
    const { conversion, oid } = await earned();
    assert.deepEqual([conversion.status, conversion.amount, conversion.collaboratorId], ['pending', 1000, ada]);
    assert.equal(conversion.opportunityId, oid);
    assert.ok(!('reason' in conversion));
    assert.deepEqual(await get(`/v1/conversions/${conversion.id}`), conversion);
    const obligation = await get<Obligation>(`/v1/obligations/${conversion.obligationId}`);
    assert.deepEqual([obligation.status, obligation.amount, obligation.payoutId], ['draft', 1000, null]);
    for (const query of [
      `conversionId=${conversion.id}`,
      `conversionId=${conversion.id}&status=draft&currency=USD&collaboratorId=${ada}`,
    ]) {
      assert.deepEqual(await get(`/v1/obligations?${query}`), [obligation]);
    }
    const { engagementId, transactionId } = conversion;
    const query = `transactionId=${transactionId}&programId=${programId}&collaboratorId=${ada}`;
    assert.deepEqual(await get(`/v1/conversions?${query}&opportunityId=${oid}&status=pending&type=sale&currency=USD`), [
      conversion,
    ]);
    const engagement = await get<{ opportunityId: number }>(`/v1/engagements/${engagementId}`);
    assert.equal(engagement.opportunityId, oid);
    assert.deepEqual(
      await get(`/v1/engagements?opportunityId=${oid}&programId=${programId}&collaboratorId=${ada}&status=active`),
      [engagement],
    );
  });

  it('an approval makes the obligation payable, and a repeated approval changes nothing', async () => {
    const { conversion } = await earned();
    const approved = await call('POST', `/v1/conversions/${conversion.id}/approve`);
    assert.deepEqual([approved.status, (approved.body as Conversion).status], [200, 'approved']);
    assert.equal((await get<Obligation>(`/v1/obligations/${conversion.obligationId}`)).status, 'pending');
    const again = await call('POST', `/v1/conversions/${conversion.id}/approve`, {});
    assert.deepEqual(again.body, approved.body);
  });

  it('a rejection also rejects the obligation, even after an approval, and a repeat changes nothing', async () => {
    for (const isApproved of [false, true]) {
      const { conversion } = await earned();
      if (isApproved) await call('POST', `/v1/conversions/${conversion.id}/approve`);
      const rejected = await call('POST', `/v1/conversions/${conversion.id}/reject`, { reason: 'A test' });
      const { status, reason, amount } = rejected.body as Conversion;
      assert.deepEqual([rejected.status, status, reason, amount], [200, 'rejected', 'A test', 1000]);
      assert.equal((await get<Obligation>(`/v1/obligations/${conversion.obligationId}`)).status, 'rejected');
      const again = await call('POST', `/v1/conversions/${conversion.id}/reject`, { reason: 'Another' });
      assert.deepEqual(again.body, rejected.body);
      assertProblem(await call('POST', `/v1/conversions/${conversion.id}/approve`), 409, 'invalid-transition');
    }
  });

  it('a conversion can’t be rejected without a reason', async () => {
    const { conversion } = await earned();
    assertProblem(await call('POST', `/v1/conversions/${conversion.id}/reject`, {}), 422, 'invalid-request');
  });

  it('a conversion can’t be approved once the sale is refunded, even before its rejection is decided', async () => {
    const { conversion, externalId } = await earned();
    await call('POST', `/v1/conversions/${conversion.id}/approve`);
    const approvals = Array.from({ length: 10 }, () => call('POST', `/v1/conversions/${conversion.id}/approve`));
    const [refunded, ...approved] = await Promise.all([refund(externalId), ...approvals]);
    assert.equal(refunded?.status, 200);
    assert.ok(approved.every(({ status }) => status === 200 || status === 409));
    assertProblem(await call('POST', `/v1/conversions/${conversion.id}/approve`), 409, 'invalid-transition');
    await service.settled();
    assertProblem(await call('POST', `/v1/conversions/${conversion.id}/approve`), 409, 'invalid-transition');
    assert.equal((await get<Obligation>(`/v1/obligations/${conversion.obligationId}`)).status, 'rejected');
    const { status, refundedAmount, refundedAt } = await transactionOf(externalId);
    assert.deepEqual([status, refundedAmount], ['refunded', 10_000]);
    assert.notEqual(refundedAt, null);
  });

  it('a transaction and its conversions have the same explanation', async () => {
    const oid = await visit(bo);
    await visit(ada, {}, oid);
    const externalId = await sell(oid);
    await service.settled();
    const { id } = await transactionOf(externalId);
    const explanation = await get<Explanation>(`/v1/transactions/${id}/explanation`);
    assert.equal(explanation.base, 10_000);
    assert.deepEqual(
      explanation.candidates
        .map(({ collaboratorId, outcome, reason, share }) => [collaboratorId, outcome, reason, share])
        .toSorted(([a], [b]) => Number(a) - Number(b)),
      [
        [ada, 'won', undefined, 1000],
        [bo, 'lost', 'lost-to-newer', 0],
      ],
    );
    assert.match(explanation.text, /earned 10\.00 USD/);
    const [conversion] = await get<Conversion[]>(`/v1/conversions?transactionId=${id}`);
    assert.deepEqual(await get(`/v1/conversions/${conversion?.id}/explanation`), explanation);
  });

  it('the explanation returns 404 before the sale is decided', async () => {
    const { conversion } = await earned();
    const { transactionId } = conversion;
    await service.database.query('delete from explanations where transaction_id = $1', [transactionId]);
    assertProblem(await call('GET', `/v1/transactions/${transactionId}/explanation`), 404, 'not-decided');
    assertProblem(await call('GET', `/v1/conversions/${conversion.id}/explanation`), 404, 'not-decided');
  });

  it('the events of a visit, a sale and a refund are done once they are decided', async () => {
    const { conversion, externalId, oid } = await earned();
    await refund(externalId);
    await service.settled();
    const events = await get<Event[]>(`/v1/events?opportunityId=${oid}&sort=id`);
    assert.deepEqual(
      events.map(({ type, state, opportunityId, transactionId, source }) => [
        type,
        state,
        opportunityId,
        transactionId,
        source,
      ]),
      [
        ['SiteVisited', 'done', oid, undefined, undefined],
        ['SaleTriggered', 'done', oid, conversion.transactionId, 'shop'],
        ['RefundTriggered', 'done', oid, conversion.transactionId, 'shop'],
      ],
    );
    for (const event of events) assert.deepEqual(await get(`/v1/events/${event.id}`), event);
    const refunds = await get<Event[]>(
      `/v1/events?type=RefundTriggered&source=shop&transactionId=${conversion.transactionId}`,
    );
    assert.deepEqual(
      refunds.map(({ id }) => id),
      [events[2]?.id],
    );
    assert.deepEqual(await get(`/v1/events?type=SiteVisited&opportunityId=${oid}&state=done`), [events[0]]);
    assertProblem(await call('POST', `/v1/events/${events[1]?.id}/retry`), 409, 'invalid-transition');
    assertProblem(await call('POST', `/v1/events/${events[0]?.id}/retry`), 409, 'invalid-transition');
  });

  it('a dead-lettered event has an error and can be retried', async () => {
    const { conversion } = await earned();
    const [{ id } = { id: 0 }] = await get<Event[]>(`/v1/events?transactionId=${conversion.transactionId}`);
    await service.database.query(
      `insert into jobs (organization_id, event_id, transaction_id, type, attempts, run_at, dead_lettered_at, error)
       select organization_id, id, transaction_id, type, 5, now() + interval '1 day', now(), 'boom' from events where id = $1`,
      [id],
    );
    const [parked] = await get<Event[]>('/v1/events?state=parked');
    assert.deepEqual([parked?.id, parked?.state, parked?.error], [id, 'parked', 'boom']);
    assert.deepEqual(await get(`/v1/events/${id}`), parked);
    const retried = await call('POST', `/v1/events/${id}/retry`);
    assert.deepEqual([retried.status, (retried.body as Event).state], [200, 'pending']);
    await service.settled();
    assert.deepEqual(await get('/v1/events?state=parked'), []);
    assert.deepEqual(await get('/v1/events?state=pending'), []);
    assert.equal((await get<Event>(`/v1/events/${id}`)).state, 'done');
  });

  it('a journey is in chronological order across merged opportunities', async () => {
    const anonymous = await visit('tracking:Ada');
    await visit(ada, {}, anonymous);
    const known = await visit(bo, { userId: 77 });
    const externalId = await sell(known);
    assert.equal(await visit(bo, { userId: 77 }, anonymous), anonymous, 'the opportunity created first survives');
    await refund(externalId);
    await service.settled();
    const journey = await get<Journey>(`/v1/opportunities/${known}/journey`);
    assert.deepEqual([journey.opportunityId, journey.memberIds, journey.omitted], [anonymous, [anonymous, known], 0]);
    assert.deepEqual(await get(`/v1/opportunities/${anonymous}/journey`), journey);
    assert.deepEqual(
      journey.steps.map(({ kind, opportunityId, collaboratorId }) => [kind, opportunityId, collaboratorId]),
      [
        ['visit', anonymous, ada],
        ['engagement', anonymous, ada],
        ['visit', anonymous, ada],
        ['visit', known, bo],
        ['engagement', known, bo],
        ['sale', known, undefined],
        ['merge', known, undefined],
        ['visit', anonymous, bo],
        ['engagement', anonymous, bo],
        ['refund', undefined, undefined],
      ],
    );
    const [first, engaged] = journey.steps;
    assert.equal(first?.['alias'], 'tracking:ada');
    assert.equal(engaged?.['score'], 2);
    const merged = await get<{ status: string; mergedInto: number }>(`/v1/opportunities/${known}`);
    assert.deepEqual([merged.status, merged.mergedInto], ['merged', anonymous]);
    const sold = await get<Transaction[]>(`/v1/transactions?opportunityId=${anonymous}`);
    assert.deepEqual(
      sold.map((each) => each.externalId),
      [externalId],
      'the filter also finds sales of merged opportunities',
    );
  });

  it('an opportunity is shown only under its public number, in lists and as a single resource', async () => {
    const oid = await visit(ada, { userId: 99 });
    const [listed] = await get<{ id: number; status: string; userId: number }[]>(
      '/v1/opportunities?userId=99&status=active',
    );
    assert.deepEqual([listed?.id, listed?.status, listed?.userId], [oid, 'active', 99]);
    assert.deepEqual(await get(`/v1/opportunities/${oid}`), listed);
    const numbers: number[] = [];
    let path: string | undefined = '/v1/opportunities?perPage=2';
    while (path !== undefined) {
      const reply = await call('GET', path);
      numbers.push(...(reply.body as { id: number }[]).map(({ id }) => id));
      path = /^<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    const { rows } = await service.database.query('select count(*) as count from opportunities');
    assert.equal(new Set(numbers).size, rows[0]?.count);
    const ids = await service.database.query<{ id: number }>('select id from opportunities');
    assert.ok(
      ids.rows.every(({ id }) => !numbers.includes(id)),
      'the service never returns an internal id',
    );
  });
});
