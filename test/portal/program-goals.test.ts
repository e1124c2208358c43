import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Collaborator, openMailbox, openPortal } from '../support/portal.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Goal = { kind: string; by: string; period: string; reached: number; goal: number; currency: string };

let service: TestService;
let shop: Shop;
let ada: Collaborator;
before(async () => {
  service = await startService();
  shop = openShop(service);
  const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
  const tiers = { period: 'lifetime', by: 'count', steps: [{ from: 3, reward: { type: 'percent', percent: 20 } }] };
  await shop.program({ tiers, capPerPeriod: { period: 'lifetime', amount: 5_000 } });
  await shop.collaborator('ada', { email: 'ada@example.com' });
  ada = await portal.enter('ada@example.com');
});
after(() => service.stop());

async function goals(): Promise<Goal[]> {
  const { programs } = await ada.must<{ programs: { goals: Goal[] }[] }>('GET', '/v1/portal/session');
  return programs.flatMap(({ goals }) => goals);
}

it('GET /v1/portal/session: the goals show the count and the sum with which the next sale is decided', async () => {
  const goal = { period: 'lifetime', currency: 'USD' };
  const tier = { ...goal, kind: 'tier', by: 'count', goal: 3 };
  const cap = { ...goal, kind: 'cap', by: 'sum', goal: 5_000 };
  assert.deepEqual(await goals(), [
    { ...tier, reached: 0 },
    { ...cap, reached: 0 },
  ]);
  const visitor = await shop.visit('ada');
  for (const order of ['first', 'second']) await shop.sell(order, visitor, { total: 100 });
  await service.settled();
  assert.deepEqual(await goals(), [
    { ...tier, reached: 2 },
    { ...cap, reached: 2_000 },
  ]);
  await shop.refund('second');
  await service.settled();
  assert.deepEqual(await goals(), [
    { ...tier, reached: 1 },
    { ...cap, reached: 1_000 },
  ]);
  for (const order of ['third', 'fourth']) await shop.sell(order, visitor, { total: 100 });
  await service.settled();
  assert.deepEqual(await goals(), [{ ...cap, reached: 3_000 }], 'the highest tier is reached');
  await shop.sell('fifth', visitor, { total: 200 });
  await service.settled();
  const [paid] = await shop.earned('fifth');
  assert.equal(paid?.amount, 2_000, 'the sale after the third commission is paid at the tier’s rate, up to the cap');
});
