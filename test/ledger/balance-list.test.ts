import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill } from '../support/payouts.ts';
import { extendAllChains } from '../support/chain.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

type Accounts = { draft: number; pending: number; inPayout: number; paid: number };
type Listed = Accounts & {
  id: number;
  collaboratorId: number;
  collaboratorName: string;
  currency: string;
  balance: number;
};

describe('the balances of an organization', () => {
  let service: TestService;
  let shop: Shop;
  const people: number[] = [];
  before(async () => {
    service = await startService();
    shop = openShop(service);
    const till = openTill(service);
    await shop.program({ autoApprove: true });
    for (const code of ['ada', 'bob', 'cy']) people.push(await shop.collaborator(code));
    await shop.sell('a', await shop.visit('ada'), { total: 300 });
    await shop.sell('b', await shop.visit('bob'), { total: 100 });
    await service.settled();
    const run = await till.runOne();
    const [payout] = await till.payoutsOf(run);
    await till.mark(payout?.id ?? 0, 'paid');
    await extendAllChains(service.database);
    await shop.sell('c', await shop.visit('bob'), { total: 900 });
    await shop.sell('d', await shop.visit('ada'), { total: 50, currency: 'EUR' });
    await service.settled();
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('are listed per collaborator and currency, with totals, before and after ledger entries are chained', async () => {
    for (const isChained of [false, true]) {
      if (isChained) await extendAllChains(service.database);
      const listed = await shop.get<Listed[]>('/v1/balances?sort=id');
      assert.equal(listed.length, 3);
      for (const { id, collaboratorId, collaboratorName, ...balance } of listed) {
        assert.ok(id > 0 && collaboratorName !== '');
        const own = await shop.get<{ currency: string }[]>(`/v1/collaborators/${collaboratorId}/balance`);
        assert.deepEqual(
          balance,
          own.find(({ currency }) => currency === balance.currency),
        );
      }
      const owed = await shop.get<(Accounts & { currency: string })[]>('/v1/owed');
      assert.deepEqual(
        owed.map(({ currency }) => currency),
        ['EUR', 'USD'],
      );
      for (const { currency, ...accounts } of owed) {
        const of = listed.filter((row) => row.currency === currency);
        for (const name of ['draft', 'pending', 'inPayout', 'paid'] as const) {
          assert.equal(
            accounts[name],
            of.reduce((sum, row) => sum + row[name], 0),
            name,
          );
        }
      }
    }
  });

  it('can be filtered, sorted by any account, and read in pages', async () => {
    const [ada = 0, bob = 0] = people;
    const who = async (query: string) =>
      (await shop.get<Listed[]>(`/v1/balances?${query}`)).map((row) => row.collaboratorId);
    assert.deepEqual(await who('currency=USD&sort=-pending'), [bob, ada]);
    assert.deepEqual(await who('currency=USD&sort=pending'), [ada, bob]);
    assert.deepEqual(await who('currency=USD&sort=-balance&perPage=1&page=2'), [ada]);
    assert.deepEqual(await who(`collaboratorId=${ada}&sort=id`), [ada, ada]);
    const first = await service.request('GET', '/v1/balances?sort=-paid&perPage=2', { key: service.secretKey });
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const seen = [...(first.body as Listed[]), ...(await shop.get<Listed[]>(next))].map(({ id }) => id);
    assert.equal(new Set(seen).size, 3);
  });

  it('are not shown to another organization', async () => {
    const key = await service.foundOrganization('Other');
    assert.deepEqual((await service.request('GET', '/v1/balances', { key })).body, []);
    assert.deepEqual((await service.request('GET', '/v1/owed', { key })).body, []);
  });
});
