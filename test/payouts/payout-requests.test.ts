import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Till } from '../support/payouts.ts';
import { type Collaborator, openMailbox, openPortal } from '../support/portal.ts';
import { problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Request = { id: number; collaboratorId: number; amount: number; currency: string; payoutMethod: string };
type Own = { minimum: number | null; requests: { currency: string }[] };

describe('payout requests', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let ada: Collaborator;
  let adaId: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    adaId = await shop.collaborator('ada', { email: 'ada@request.example' });
    await shop.collaborator('ben');
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    ada = await portal.enter('ada@request.example');
    await sell('order-1', 'ada', 400);
    await sell('order-2', 'ben', 400);
  });
  after(() => service.stop());

  const sell = async (order: string, code: string, total: number): Promise<void> => {
    await shop.sell(order, await shop.visit(code), { total });
    await service.settled();
  };
  const setMinimum = async (requestMinimum: number | null): Promise<void> => {
    await shop.change('/v1/payout-settings', { requestMinimum });
  };
  const ask = (currency = 'USD') => ada.call('POST', '/v1/portal/payout-requests', { currency });
  const own = () => ada.must<Own>('GET', '/v1/portal/payout-requests');
  const list = () => shop.get<Request[]>('/v1/payout-requests');

  it('are refused without the merchant’s permission, payout details or enough earnings', async () => {
    assert.deepEqual(await own(), { minimum: null, requests: [] });
    assert.equal(problemCode(await ask()), 'invalid-transition', 'not offered');
    await setMinimum(4_001);
    assert.equal((await own()).minimum, 4_001);
    assert.equal(problemCode(await ask()), 'invalid-transition', 'below the minimum');
    await setMinimum(4_000);
    assert.equal(problemCode(await ask()), 'invalid-transition', 'no payout details');
    const payoutDetails = { method: 'paypal', account: 'ada@paypal.example' };
    await ada.must('PATCH', '/v1/portal/account', { payoutDetails });
    assert.equal(problemCode(await ask('EUR')), 'invalid-transition', 'nothing earned in EUR');
    assert.deepEqual(await list(), []);
  });

  it('are listed for the merchant once, with the amount that is ready to pay', async () => {
    const replies = await Promise.all([ask(), ask(), ask()]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201, 201],
    );
    const [request, ...others] = await list();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [request?.collaboratorId, request?.amount, request?.currency, request?.payoutMethod],
      [adaId, 4_000, 'USD', 'paypal'],
    );
    assert.deepEqual(
      (await own()).requests.map(({ currency }) => currency),
      ['USD'],
    );
    assert.deepEqual(await shop.get('/v1/payout-requests?currency=EUR'), []);
  });

  it('are closed by a run that pays the collaborator, and stay open after any other run', async () => {
    await till.run({ minimum: 5_000 });
    assert.equal((await list()).length, 1);
    await till.runOne();
    assert.deepEqual(await list(), []);
    assert.deepEqual((await own()).requests, []);
    await sell('order-3', 'ada', 500);
    assert.equal((await ask()).status, 201);
  });

  it('don’t include sales whose refund is still being processed', async () => {
    const amounts = async () => (await list()).map(({ amount }) => amount);
    assert.deepEqual(await amounts(), [5_000]);
    const { id } = await shop.transactionOf('order-3');
    await service.database.query(
      `insert into jobs (organization_id, event_id, transaction_id, type, dead_lettered_at, error)
       select organization_id, event_id, id, 'RefundTriggered', now(), 'boom' from transactions where id = $1`,
      [id],
    );
    assert.deepEqual(await amounts(), [0]);
    await service.database.query('delete from payout_requests');
    assert.equal(problemCode(await ask()), 'invalid-transition', 'below the minimum');
    await service.database.query('delete from jobs where transaction_id = $1', [id]);
    assert.equal((await ask()).status, 201);
    assert.deepEqual(await amounts(), [5_000]);
  });

  it('are deleted when the collaborator is erased', async () => {
    await till.run();
    await sell('order-4', 'ada', 500);
    assert.equal((await ask()).status, 201);
    await shop.refund('order-4');
    for (const { id } of await shop.get<{ id: number }[]>('/v1/fulfillments')) {
      await till.move(id, 'process');
      await till.move(id, 'complete');
    }
    await service.settled();
    assert.deepEqual(
      (await list()).map(({ amount }) => amount),
      [0],
    );
    const body = { collaboratorId: adaId };
    const erased = await service.request('POST', '/v1/collaborators/erase', { key: service.secretKey, body });
    assert.equal(erased.status, 200, erased.text);
    assert.equal((await service.database.query('select from payout_requests')).rowCount, 0);
  });
});
