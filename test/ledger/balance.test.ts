import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Till } from '../support/payouts.ts';
import { problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

type Balance = Record<'balance' | 'draft' | 'pending' | 'inPayout' | 'paid', number> & { currency: string };

describe('a collaborator’s balance', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let ada: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    ada = await shop.collaborator('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const balances = async (id = ada) => {
    await service.settled();
    return shop.get<Balance[]>(`/v1/collaborators/${id}/balance`);
  };
  const dollars = async () => (await balances()).find(({ currency }) => currency === 'USD');

  it('is an empty list before anything is earned', async () => {
    assert.deepEqual(await balances(), []);
  });

  it('follows earnings through a payout run, its payment and a later refund', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('b1', oid, { total: 100 });
    await shop.sell('b2', oid, { total: 50 });
    const all = { currency: 'USD', balance: 1500, draft: 0, pending: 1500, inPayout: 0, paid: 0 };
    assert.deepEqual(await dollars(), all);
    const run = await till.runOne();
    assert.deepEqual(await dollars(), { ...all, pending: 0, inPayout: 1500 });
    const [payout] = await till.payoutsOf(run);
    await till.mark(payout?.id ?? 0, 'paid');
    assert.deepEqual(await dollars(), { ...all, balance: 0, pending: 0, paid: 1500 });
    await shop.refund('b2');
    await service.settled();
    await till.review(payout?.id ?? 0, 'claw-back');
    assert.deepEqual(await dollars(), { ...all, balance: -500, pending: -500, paid: 1500 });
  });

  it('separates unapproved amounts, and has a row for each currency', async () => {
    await shop.program({ name: 'By hand', reward: { type: 'percent', percent: 5 } });
    await shop.sell('b3', await shop.visit('ada'), { total: 100, currency: 'EUR' });
    const [euros, usd] = await balances();
    assert.deepEqual(euros, { currency: 'EUR', balance: 1000, draft: 500, pending: 1000, inPayout: 0, paid: 0 });
    assert.equal(usd?.currency, 'USD');
  });

  it('stays readable after the collaborator is deleted', async () => {
    const bob = await shop.collaborator('bob');
    await shop.sell('b4', await shop.visit('bob'));
    await service.settled();
    const { status } = await service.request('DELETE', `/v1/collaborators/${bob}`, { key: service.secretKey });
    assert.equal(status, 200);
    assert.equal((await balances(bob))[0]?.balance, 1000);
  });

  it('returns 404 for an unknown collaborator', async () => {
    const reply = await service.request('GET', '/v1/collaborators/8999999/balance', { key: service.secretKey });
    assert.deepEqual([reply.status, problemCode(reply)], [404, 'not-found']);
  });
});
