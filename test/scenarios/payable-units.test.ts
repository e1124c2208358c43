import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { faultCodes } from '#test/support/replies.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

describe('amounts in a currency without decimals', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(() => service.stop());

  async function areSound(): Promise<void> {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    assert.deepEqual((await replayReports(service.database)).differences, []);
  }

  /**
   * Reports a sale in yen after a visit through each partner, in a new program. Returns the commissions in hundredths
   * of a yen.
   */
  async function sell(
    name: string,
    total: string,
    { partners = ['ada'], terms = {} }: { partners?: string[]; terms?: Record<string, unknown> } = {},
  ): Promise<number[]> {
    const program = await shop.program({ currency: 'JPY', autoApprove: true, ...terms });
    let oid: string | undefined;
    for (const partner of partners) {
      await shop.collaborator(`${name}-${partner}`);
      oid = await shop.visit(`${name}-${partner}`, oid === undefined ? {} : { oid });
    }
    await shop.sell(name, oid as string, { total, currency: 'JPY' });
    const amounts = await amountsOf(name);
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
    return amounts;
  }
  const amountsOf = async (name: string): Promise<number[]> =>
    (await shop.earned(name)).map(({ status, amount }) => (status === 'rejected' ? 0 : amount));

  it('are rounded to whole units, and the explanation says so', async () => {
    assert.deepEqual(await sell('ten-percent', '1234'), [12_300]);
    assert.match(
      (await shop.explain('ten-percent')).text,
      /10% of 1234\.00 JPY = 123\.00 JPY \(123\.40 rounded, since JPY has no decimals\)/,
    );
    assert.deepEqual(await sell('exact', '1230'), [12_300]);
    assert.doesNotMatch((await shop.explain('exact')).text, /rounded/);
    await areSound();
  });

  it('are split into whole units that add up', async () => {
    const terms = { attribution: 'linear' };
    assert.deepEqual(await sell('split', '1000', { partners: ['ada', 'ben', 'cleo'], terms }), [3400, 3300, 3300]);
    await areSound();
  });

  it('are whole for a fixed reward, which is rounded when it is awarded', async () => {
    assert.deepEqual(await sell('fixed', '1000', { terms: { reward: { type: 'per-sale', amount: 1250 } } }), [1300]);
    await areSound();
  });

  it('are rounded down to whole units by caps, and the explanation says so', async () => {
    assert.deepEqual(await sell('order-cap', '1000', { terms: { capPerOrder: 5050 } }), [5000]);
    assert.match(
      (await shop.explain('order-cap')).text,
      /cap per order reduces this to 50\.00 JPY \(50\.50 rounded down, since JPY has no decimals\)/,
    );
    const capPerPeriod = { period: 'day', amount: 5050 };
    assert.deepEqual(await sell('period-cap', '1000', { terms: { capPerPeriod } }), [5000]);
    assert.match(
      (await shop.explain('period-cap')).text,
      /cap of 50\.50 JPY a day, with 0\.00 JPY awarded before, .* since JPY has no decimals/,
    );
    await areSound();
  });

  it('stay whole after several partial refunds', async () => {
    assert.deepEqual(await sell('refunded', '1000'), [10_000]);
    const left: number[] = [];
    for (const refundId of ['1', '2', '3']) {
      await shop.refundPart('refunded', { refundId, amount: 333 });
      left.push(...(await amountsOf('refunded')));
    }
    assert.deepEqual(left, [6700, 3300, 0]);
    await areSound();
  });

  it('are rejected in manual credits if they are not in whole units', async () => {
    const programId = await shop.program({ currency: 'JPY' });
    const collaboratorId = await shop.collaborator('by-hand');
    await shop.sell('by-hand', await shop.visit('refunded-ada'), { total: '1234', currency: 'JPY' });
    await service.settled();
    const { id } = await shop.transactionOf('by-hand');
    const credit = (amount: number) =>
      service.request('POST', `/v1/transactions/${id}/credits`, {
        key: service.secretKey,
        body: { collaboratorId, programId, amount },
      });
    const refused = await credit(12_340);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(faultCodes(refused), { '/amount': 'not-payable' });
    assert.match(refused.text, /JPY has no decimals\. Send a multiple of 100/);
    assert.equal((await credit(12_300)).status, 201);
    await shop.change(`/v1/programs/${programId}`, { status: 'inactive' });
    await areSound();
  });

  it('keep their hundredths if an earlier release decided the sale', async () => {
    assert.deepEqual(await sell('earlier', '1234'), [12_300]);
    const { id } = await shop.transactionOf('earlier');
    // An earlier release did not round to whole yen. Change the rows to the values that it would have stored.
    for (const change of [
      'update conversions set awarded = 12340, amount = 12340, in_payable_units = false where transaction_id = $1',
      `update explanations set in_payable_units = false, candidates =
         jsonb_set(jsonb_set(candidates, '{0,share}', '12340'), '{0,reward}', '12340') where transaction_id = $1`,
      `update obligations set amount = 12340
       where conversion_id = (select id from conversions where transaction_id = $1)`,
    ]) {
      await service.database.query(change, [id]);
    }
    const breaches = async () =>
      (await verify(service.database)).breaches.filter(({ invariant }) => /without decimals/.test(invariant));
    assert.deepEqual(await breaches(), []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    const { leftOut, differences } = await replayReports(service.database);
    assert.deepEqual([leftOut, differences], [1, []]);
    await shop.refundPart('earlier', { refundId: 'r', amount: 617 });
    assert.deepEqual(await amountsOf('earlier'), [6170]);
    await service.database.query('update conversions set in_payable_units = true where transaction_id = $1', [id]);
    assert.equal((await breaches()).length, 1);
  });
});
