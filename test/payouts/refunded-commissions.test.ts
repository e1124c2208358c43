import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '#test/support/service.ts';
import type { Conversion } from '#test/support/shop.ts';
import { ITEMS, openTill, type Till } from '#test/support/till.ts';
import { verify } from '#verify/verify.ts';

describe('a refund of a sale whose conversion is in a payout', () => {
  let service: TestService;
  let till: Till;
  before(async () => {
    service = await startService();
    till = openTill(service);
    await till.program({ autoApprove: true });
    await till.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  /** Creates a run with one payout of all obligations of the given conversions. Returns the payout id. */
  async function payOut(conversions: readonly Conversion[]): Promise<number> {
    const { rows } = await service.database.query<{ id: number }>(
      `with run as (
         insert into fulfillments (organization_id, currency, author) values (1, 'USD', 'key 1') returning id
       ), paid as (
         insert into payouts (organization_id, fulfillment_id, collaborator_id, currency, amount)
         select 1, run.id, min(o.collaborator_id), 'USD', sum(o.amount)::bigint
         from run, obligations o where o.conversion_id = any ($1::bigint[]) group by run.id
         returning id
       )
       update obligations set status = 'fulfilled', payout_id = (select id from paid)
       where conversion_id = any ($1::bigint[]) returning payout_id as id`,
      [conversions.map(({ id }) => id)],
    );
    return rows[0]?.id as number;
  }
  async function flagsOf(payoutId: number) {
    const { rows } = await service.database.query<{ amount: number; reason: string; transaction_id: number }>(
      'select amount, reason, transaction_id from payout_flags where payout_id = $1 order by id',
      [payoutId],
    );
    const payout = await service.database.query<{ review: string; amount: number }>(
      'select review, amount from payouts where id = $1',
      [payoutId],
    );
    return {
      ...payout.rows[0],
      flags: rows.map(({ amount, reason }) => [amount, reason]),
      of: rows[0]?.transaction_id,
    };
  }

  it('flags the payout with the difference, and leaves its obligations unchanged', async () => {
    const oid = await till.visit('ada');
    await till.sell('p1', oid, { items: ITEMS });
    await till.sell('p2', oid);
    const payout = await payOut([...(await till.earned('p1')), ...(await till.earned('p2'))]);
    await till.refunded('p1', { refundId: 'a', amount: 30 });
    assert.deepEqual(await till.worths('p1'), [['approved', 700, 'fulfilled', 1000]]);
    const { id } = await till.sold('p1');
    const flagged = { review: 'flagged', amount: 2000, of: id };
    assert.deepEqual(await flagsOf(payout), { ...flagged, flags: [[300, 'partly-refunded']] });
    await till.refunded('p1', { refundId: 'b' });
    assert.deepEqual(await till.worths('p1'), [['rejected', 700, 'fulfilled', 1000]]);
    const flags = [
      [300, 'partly-refunded'],
      [700, 'refunded'],
    ];
    assert.deepEqual(await flagsOf(payout), { ...flagged, flags });
    assert.deepEqual(await till.worths('p2'), [['approved', 1000, 'fulfilled', 1000]]);
  });

  it('flags the payout once, even if the refund is processed repeatedly', async () => {
    await till.sell('p3', await till.visit('ada'));
    const payout = await payOut(await till.earned('p3'));
    await till.refunded('p3', { refundId: 'a', amount: 99.99 });
    await service.settled();
    const { id } = await till.sold('p3');
    await service.database.query(
      `insert into jobs (organization_id, event_id, transaction_id, type)
       select organization_id, id, transaction_id, type from events where transaction_id = $1`,
      [id],
    );
    await service.settled();
    assert.deepEqual((await flagsOf(payout)).flags, [[1000, 'partly-refunded']]);
    assert.deepEqual(await till.worths('p3'), [['rejected', 1000, 'fulfilled', 1000]]);
  });

  it('flags nothing more after a manual rejection has flagged the payout', async () => {
    await till.sell('p4', await till.visit('ada'));
    const earned = await till.earned('p4');
    const payout = await payOut(earned);
    for (let n = 0; n < 2; n += 1) {
      assert.equal((await till.act(`${earned[0]?.id}/reject`, { reason: 'own order' })).status, 200);
    }
    assert.deepEqual((await flagsOf(payout)).flags, [[1000, 'rejected']]);
    // The rejection has flagged the whole amount, so the refund has nothing to flag.
    await till.refunded('p4', {});
    await service.settled();
    assert.deepEqual((await flagsOf(payout)).flags, [[1000, 'rejected']]);
  });
});
