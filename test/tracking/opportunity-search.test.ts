import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../support/service.ts';
import { openShop } from '../support/shop.ts';

describe('the search of opportunities', () => {
  let service: TestService;
  let found: (text: string) => Promise<number[]>;
  let ada: number;
  let bob: number;
  before(async () => {
    service = await startService();
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    const [first, second] = [await shop.visit('ada'), await shop.visit('ada')];
    [ada, bob] = [Number(first), Number(second)];
    await shop.visit('ada');
    await shop.sell('Order-1646', first);
    await shop.sell('Order-1647', first);
    await shop.sell('web-46', second);
    const theirs = openShop({ ...service, secretKey: await service.foundOrganization('Other') });
    await theirs.collaborator('ada');
    await theirs.sell('Order-1646', await theirs.visit('ada'));
    found = async (text) => (await shop.get<{ id: number }[]>(`/v1/opportunities?search=${text}`)).map(({ id }) => id);
  });
  after(() => service.stop());

  it('finds each opportunity with an order whose externalId contains the text, once', async () => {
    assert.deepEqual(await found('ORDER-16'), [ada]);
    assert.deepEqual(await found('1647'), [ada]);
    assert.deepEqual(await found('none'), []);
  });

  it('accepts a text of two characters', async () => {
    assert.deepEqual(await found('46'), [bob, ada]);
  });
});
