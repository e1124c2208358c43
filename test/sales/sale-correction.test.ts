import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_CORRECTIONS } from '#sales/domain/correction.ts';
import { problemCode } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { startBeside } from '#test/support/shop.ts';
import { openTill, type Till } from '#test/support/till.ts';
import { verify } from '#verify/verify.ts';

describe('POST /v1/event/sale-correction', () => {
  let service: TestService;
  let till: Till;
  before(async () => {
    service = await startService();
    till = openTill(service);
    await till.program({ autoApprove: true, pays: ['sale', 'renewal'] });
    await till.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const post = (path: string, body: unknown): Promise<Reply> =>
    service.request('POST', path, { key: service.secretKey, body });
  const correct = (externalId: string, correctionId: string, content: Record<string, unknown>): Promise<Reply> =>
    post('/v1/event/sale-correction', { source: 'shop', externalId, correctionId, ...content });

  async function corrected(externalId: string, correctionId: string, content: Record<string, unknown>): Promise<void> {
    const reply = await correct(externalId, correctionId, content);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.text, '');
    await service.settled();
  }
  async function refunded(externalId: string, part: Record<string, unknown>): Promise<void> {
    await till.refunded(externalId, part);
    await service.settled();
  }
  async function reversed(externalId: string, refundId: string): Promise<void> {
    const reply = await post('/v1/event/refund-reversal', { source: 'shop', externalId, refundId });
    assert.equal(reply.status, 200, reply.text);
    await service.settled();
  }
  const item = (externalId: string, quantity: number, amount: number, type = 'product') => ({
    externalId,
    name: externalId,
    quantity,
    amount,
    type,
  });

  it('adds an obligation when the total rises, and rejects or reduces obligations when the total falls', async () => {
    await till.sell('edited', await till.visit('ada'));
    await corrected('edited', 'up', { total: 150 });
    assert.deepEqual(await till.worths('edited'), [['approved', 1500, 'pending', 500, 'pending', 1000]]);
    await corrected('edited', 'down', { total: 60 });
    assert.deepEqual(await till.worths('edited'), [['approved', 600, 'rejected', 500, 'pending', 600]]);
    const { status, total, lines } = await till.sold('edited');
    assert.deepEqual([status, total, lines.map((line) => line.total)], ['complete', 6000, [6000]]);
    assert.deepEqual(await till.eventsOf('edited'), ['SaleTriggered', 'SaleCorrected', 'SaleCorrected']);
  });

  it('applies a correction to a partly refunded sale, and later refunds to the corrected sale', async () => {
    await till.sell('mixed', await till.visit('ada'));
    await refunded('mixed', { refundId: 'a', amount: 50 });
    await corrected('mixed', 'edit', { total: 200 });
    assert.deepEqual(await till.worths('mixed'), [['approved', 1500, 'pending', 1000, 'pending', 500]]);
    await refunded('mixed', { refundId: 'b', amount: 150 });
    assert.equal((await till.sold('mixed')).status, 'refunded');
    await reversed('mixed', 'b');
    const [conversion] = await till.earned('mixed');
    assert.deepEqual([conversion?.status, conversion?.amount], ['approved', 1500]);
  });

  it('matches returned items to the new items with the same externalId', async () => {
    const items = [item('mug', 2, 10), item('hat', 3, 20)];
    await till.sell('items', await till.visit('ada'), { total: 80, items });
    await refunded('items', { refundId: 'a', items: [{ externalId: 'hat', quantity: 1 }] });
    assert.deepEqual(await till.worths('items'), [['approved', 600, 'pending', 600]]);
    await corrected('items', 'swap', {
      total: 130,
      items: [item('cap', 1, 70), item('hat', 2, 20), item('mug', 2, 10)],
    });
    assert.deepEqual(await till.worths('items'), [['approved', 1100, 'pending', 500, 'pending', 600]]);
    assert.equal((await till.sold('items')).refundedAmount, 2000);
    await refunded('items', { refundId: 'b', items: [{ externalId: 'hat', quantity: 1 }] });
    const tooMany = await till.refund('items', { refundId: 'c', items: [{ externalId: 'hat', quantity: 1 }] });
    assert.equal(problemCode(tooMany), 'refund-exceeds-sale');
    assert.deepEqual(
      (await till.earned('items')).map(({ amount }) => amount),
      [900],
    );
    await reversed('items', 'a');
    assert.deepEqual(
      (await till.earned('items')).map(({ amount }) => amount),
      [1100],
    );
  });

  it('refuses a correction that conflicts with the refunds, and names the affected field', async () => {
    await till.sell('full', await till.visit('ada'), { total: 50, items: [item('mug', 2, 25)] });
    await refunded('full', { refundId: 'a', items: [{ externalId: 'mug', quantity: 1 }] });
    for (const [content, pointer] of [
      [{ total: 20 }, '/total'],
      [{ total: 25, items: [item('hat', 1, 25)] }, '/items'],
      [{ total: 25, items: [item('mug', 1, 25)] }, '/items'],
      [{ total: 24, items: [item('mug', 2, 25)] }, '/items'],
    ] as const) {
      const reply = await correct('full', 'edit', content);
      assert.deepEqual([reply.status, problemCode(reply)], [422, 'correction-refused'], JSON.stringify(content));
      assert.equal((reply.body as { errors: { pointer: string }[] }).errors[0]?.pointer, pointer);
    }
    assert.deepEqual(await till.worths('full'), [['approved', 250, 'pending', 250]]);
    await refunded('full', { refundId: 'b' });
    await corrected('full', 'gone', { total: 40, items: [item('mug', 2, 20)] });
    const { status, total, refundedAmount } = await till.sold('full');
    assert.deepEqual(
      [status, total, refundedAmount],
      ['refunded', 4000, 4000],
      'a sale that is refunded in full stays so',
    );
    await reversed('full', 'b');
    assert.deepEqual(
      (await till.earned('full')).map((each) => [each.status, each.amount]),
      [['approved', 200]],
    );
  });

  it('makes a sale complete again if its refunds no longer cover its total', async () => {
    await till.sell('more', await till.visit('ada'));
    await refunded('more', { refundId: 'a', amount: 60 });
    await refunded('more', { refundId: 'b', amount: 40 });
    assert.deepEqual(await till.worths('more'), [['rejected', 400, 'rejected', 400]]);
    await corrected('more', 'up', { total: 250 });
    const { status, refundedAmount, refundedAt } = await till.sold('more');
    assert.deepEqual([status, refundedAmount, refundedAt], ['complete', 10_000, null]);
    assert.deepEqual(await till.worths('more'), [['approved', 1500, 'pending', 1500, 'rejected', 400]]);
  });

  it('rejects a conversion that falls to 0, until another correction raises it', async () => {
    await till.sell('free', await till.visit('ada'));
    await corrected('free', 'zero', { total: 0 });
    const [gone] = await till.earned('free');
    assert.deepEqual([gone?.status, gone?.reason, gone?.amount], ['rejected', 'corrected', 1000]);
    assert.equal((await till.sold('free')).status, 'complete');
    await corrected('free', 'back', { total: 30 });
    assert.deepEqual(await till.worths('free'), [['approved', 300, 'pending', 300, 'rejected', 1000]]);
  });

  it('returns 200 for a repeat without a change, and 409 for other content', async () => {
    await till.sell('twice', await till.visit('ada'));
    await corrected('twice', 'edit', { total: 70 });
    await corrected('twice', 'edit', { totalMinor: 7000 });
    const other = await correct('twice', 'edit', { total: 71 });
    assert.deepEqual([other.status, problemCode(other)], [409, 'correction-conflict']);
    assert.deepEqual(await till.worths('twice'), [['approved', 700, 'pending', 700]]);
    await till.sell('twice', (await till.transactionOf('twice')).opportunityId.toString());
    assert.equal((await till.sold('twice')).total, 7000, 'a repeat of the sale changes nothing');
  });

  it('records each concurrent correction once, in sequence', async () => {
    await till.sell('race', await till.visit('ada'));
    const totals = Array.from({ length: 12 }, (_, n) => 10 * (n % 6) + 10);
    const replies = await Promise.all(totals.map((total) => correct('race', `to ${total}`, { total })));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    await service.settled();
    const { total } = await till.sold('race');
    assert.deepEqual(
      (await till.earned('race')).map(({ amount }) => amount),
      [total / 10],
    );
    assert.equal((await till.eventsOf('race')).length, 7);
  });

  it('flags a payout that includes too much, and adds an obligation for an amount beyond the payout', async () => {
    await post('/v1/fulfillments', {});
    await till.sell('paid', await till.visit('ada'));
    await service.settled();
    const created = await post('/v1/fulfillments', {});
    const [run] = created.body as { id: number }[];
    await corrected('paid', 'down', { total: 40 });
    const [payout] = await till.get<{ id: number; review: { reasons: { amount: number; reason: string }[] } }[]>(
      `/v1/payouts?fulfillmentId=${run?.id}`,
    );
    assert.deepEqual(
      payout?.review.reasons.map(({ amount, reason }) => [amount, reason]),
      [[600, 'corrected']],
    );
    await corrected('paid', 'up', { total: 120 });
    assert.deepEqual(await till.worths('paid'), [['approved', 1200, 'pending', 200, 'fulfilled', 1000]]);
  });

  it('changes neither a conversion that a person rejected nor a manual credit', async () => {
    await till.sell('person', await till.visit('ada'));
    const [conversion] = await till.earned('person');
    await till.act(`${conversion?.id}/reject`, { reason: 'a fraud' });
    const bea = await till.collaborator('bea');
    const [program] = await till.get<{ id: number }[]>('/v1/programs');
    await till.credit('person', { programId: program?.id, collaboratorId: bea, amount: 700 });
    await corrected('person', 'up', { total: 300 });
    assert.deepEqual(await till.worths('person'), [
      ['rejected', 1000, 'rejected', 1000],
      ['approved', 700, 'pending', 700],
    ]);
  });

  it('computes a manual credit from the corrected sale', async () => {
    await till.sell('credit', await till.visit('ada'));
    await corrected('credit', 'up', { total: 300 });
    const [program] = await till.get<{ id: number }[]>('/v1/programs');
    const cem = await till.collaborator('cem');
    await till.credit('credit', { programId: program?.id, collaboratorId: cem });
    assert.deepEqual(
      (await till.earned('credit')).map(({ amount }) => amount),
      [3000, 3000],
    );
  });

  it('corrects a renewal, and pays later renewals to the same collaborators', async () => {
    await till.sell('plan', await till.visit('ada'));
    await till.renew('plan-2', 'plan');
    await service.settled();
    await corrected('plan-2', 'proration', { total: 130 });
    await corrected('plan', 'edit', { total: 10 });
    await till.renew('plan-3', 'plan');
    assert.deepEqual(await till.worths('plan-2'), [['approved', 1300, 'pending', 300, 'pending', 1000]]);
    assert.deepEqual(await till.worths('plan-3'), [['approved', 1000, 'pending', 1000]]);
  });

  it('returns 404 for an unknown sale and for a lead', async () => {
    const trackingId = await till.visit('ada');
    await till.lead(trackingId, { source: 'shop', externalId: 'lead' });
    for (const externalId of ['never', 'lead']) {
      const reply = await correct(externalId, 'edit', { total: 1 });
      assert.deepEqual([reply.status, problemCode(reply)], [404, 'sale-not-found']);
      assert.equal((reply.body as { externalId: string }).externalId, externalId);
    }
  });

  it('refuses further corrections of a sale that has 100 corrections', async () => {
    await till.sell('often', await till.visit('ada'));
    for (let n = 0; n < MAX_CORRECTIONS; n += 1) {
      assert.equal((await correct('often', `${n}`, { total: 100 + (n % 2) })).status, 200);
    }
    const reply = await correct('often', 'one more', { total: 5 });
    assert.deepEqual([reply.status, problemCode(reply)], [422, 'correction-refused']);
    assert.equal((await correct('often', '0', { total: 100 })).status, 200, 'a repeat is still recognized');
  });

  it('shows the correction in the explanation', async () => {
    await till.sell('why', await till.visit('ada'));
    await corrected('why', 'edit-7', { total: 150 });
    const { id } = await till.sold('why');
    const { corrections, text } = await till.get<{
      corrections: { correctionId: string; total: number }[];
      text: string;
    }>(`/v1/transactions/${id}/explanation`);
    assert.deepEqual(
      corrections.map((each) => [each.correctionId, each.total]),
      [['edit-7', 15_000]],
    );
    assert.match(text, /total 100\.00 USD, products/);
    assert.match(text, /Corrected on .* \(correction “edit-7”\): total 150\.00 USD from then on\./);
    assert.match(text, /10\.00 USD awarded, worth 15\.00 USD now, approved\./);
  });
});

describe('a correction of a sale in a program with a cap', () => {
  it('is decided with the terms and sums of the original decision, and changes no other sale', async () => {
    const service = await startService();
    const till = openTill(service);
    const capPerPeriod = { period: 'month', amount: 2500 };
    await till.program({ autoApprove: true, capPerPeriod, capPerOrder: 2000 });
    await till.collaborator('ada');
    const correct = async (externalId: string, total: number) => {
      const body = { source: 'shop', externalId, correctionId: `to ${total}`, total };
      await service.request('POST', '/v1/event/sale-correction', { key: service.secretKey, body });
      return (await till.earned(externalId)).map(({ status, amount }) => [status, amount]);
    };
    await till.sell('first', await till.visit('ada'));
    await service.settled();
    await till.sell('second', await till.visit('ada'));
    await service.settled();
    assert.deepEqual(await correct('second', 180), [['approved', 1500]], '10.00 of the cap were used before it');
    assert.deepEqual(await correct('first', 900), [['approved', 2000]], 'the cap per order applies');
    assert.deepEqual(await correct('first', 50), [['approved', 500]]);
    await till.sell('third', await till.visit('ada'));
    assert.deepEqual(
      (await till.earned('third')).map(({ amount }) => amount),
      [500],
      'caps count what the first two sales were awarded',
    );
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });
});

describe('a correction that is reported before the decision', () => {
  it('leaves the same commission as a correction after the decision', async () => {
    const service = await startService({ WHENCE_ROLE: 'api' });
    const till = openTill(service);
    await till.program({ autoApprove: true, minimumOrder: 5000 });
    await till.collaborator('ada');
    const trackingId = await till.visit('ada');
    for (const [externalId, total, corrected] of [
      ['up', 100, 160],
      ['down', 100, 20],
      ['late', 20, 100],
    ] as const) {
      await till.sell(externalId, trackingId, { total });
      const body = { source: 'shop', externalId, correctionId: 'edit', total: corrected };
      const reply = await service.request('POST', '/v1/event/sale-correction', { key: service.secretKey, body });
      assert.equal(reply.status, 200, reply.text);
    }
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await service.settled();
    assert.deepEqual(await till.worths('up'), [['approved', 1600, 'pending', 600, 'pending', 1000]]);
    assert.deepEqual(await till.worths('down'), [['rejected', 1000, 'rejected', 1000]]);
    assert.deepEqual(await till.worths('late'), [], 'a correction finds no new earners');
    assert.deepEqual((await verify(service.database)).breaches, []);
    await worker.stop();
    await service.stop();
  });
});
