import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { randomOf, SEED } from '#test/support/random.ts';
import { problemCode } from '#test/support/replies.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { type Conversion, letPass, startBeside } from '#test/support/shop.ts';
import { ITEMS, openTill, type Till } from '#test/support/till.ts';
import { verify } from '#verify/verify.ts';

describe('a partial refund', () => {
  let service: TestService;
  let till: Till;
  before(async () => {
    service = await startService();
    till = openTill(service);
    await till.program({ autoApprove: true });
    await till.program({ name: 'By piece', reward: { type: 'per-product', amount: 100 } });
    await till.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('reduces the obligation in proportion to the refunded amount, and the sale stays complete', async () => {
    await till.sell('amount', await till.visit('ada'), { items: ITEMS });
    await till.refunded('amount', { refundId: 'r1', amount: '25.00' });
    assert.deepEqual(await till.worths('amount'), [
      ['approved', 750, 'pending', 750],
      ['pending', 225, 'draft', 225],
    ]);
    const { status, refundedAmount, refundedAt } = await till.sold('amount');
    assert.deepEqual([status, refundedAmount, refundedAt], ['complete', 2500, null]);
    assert.deepEqual(await till.eventsOf('amount'), ['SaleTriggered', 'RefundTriggered']);
  });

  it('deducts the price of returned items, or their quantity if the reward is per product', async () => {
    await till.sell('items', await till.visit('ada'), { items: ITEMS });
    await till.refunded('items', { refundId: 'r1', items: [{ externalId: 'mug' }] });
    assert.deepEqual(await till.worths('items'), [
      ['approved', 700, 'pending', 700],
      ['pending', 200, 'draft', 200],
    ]);
    assert.equal((await till.sold('items')).refundedAmount, 3000);
    await till.refunded('items', { refundId: 'r2', items: [{ externalId: 'hat', quantity: '1' }] });
    assert.deepEqual(await till.worths('items'), [
      ['approved', 300, 'pending', 300],
      ['pending', 100, 'draft', 100],
    ]);
  });

  it('counts as a full refund if it returns the last line or the remaining total', async () => {
    const oid = await till.visit('ada');
    await till.sell('last', oid, { items: ITEMS });
    await till.refunded('last', { refundId: 'r1', items: [{ externalId: 'mug', quantity: 2 }] });
    await till.refunded('last', { refundId: 'r2', items: [{ externalId: 'hat' }] });
    await till.sell('rest', oid, { items: ITEMS });
    await till.refunded('rest', { refundId: 'r1', amount: 60 });
    await till.refunded('rest', { refundId: 'r2', amount: 40 });
    for (const sale of ['last', 'rest']) {
      const { status, refundedAmount, refundedAt } = await till.sold(sale);
      assert.deepEqual([status, refundedAmount, refundedAt === null], ['refunded', 10_000, false]);
      assert.deepEqual(
        (await till.earned(sale)).map((each) => [each.status, each.reason]),
        [
          ['rejected', 'refunded'],
          ['rejected', 'refunded'],
        ],
      );
    }
    // A rejected conversion keeps the amount that it had before the last refund.
    assert.deepEqual(await till.worths('last'), [
      ['rejected', 400, 'rejected', 400],
      ['rejected', 100, 'rejected', 100],
    ]);
  });

  it('rejects a program’s conversion if it returns all lines that the program counts, and the sale stays complete', async () => {
    const shipping = { externalId: 'post', name: 'Post', amount: 5, type: 'shipping' };
    await till.sell('post', await till.visit('ada'), { total: 105, items: [...ITEMS, shipping] });
    await till.refunded('post', {
      refundId: 'r1',
      items: [{ externalId: 'hat' }, { externalId: 'mug' }, { externalId: 'mug' }],
    });
    const { status, refundedAmount } = await till.sold('post');
    assert.deepEqual([status, refundedAmount], ['complete', 10_000]);
    assert.deepEqual(await till.worths('post'), [
      ['rejected', 1000, 'rejected', 1000],
      ['rejected', 300, 'rejected', 300],
    ]);
  });

  it('counts once if it is sent 16 times concurrently', async () => {
    await till.sell('sixteen', await till.visit('ada'), { items: ITEMS });
    const part = { refundId: 'same', amount: 30 };
    await Promise.all(Array.from({ length: 16 }, () => till.refunded('sixteen', part)));
    await till.refunded('sixteen', { ...part, amount: '30.00' });
    assert.equal((await till.sold('sixteen')).refundedAmount, 3000);
    assert.deepEqual((await till.worths('sixteen'))[0], ['approved', 700, 'pending', 700]);
    assert.deepEqual(await till.eventsOf('sixteen'), ['SaleTriggered', 'RefundTriggered']);
  });

  it('is accepted only up to the sale’s total, even with concurrent partial refunds', async () => {
    await till.sell('race', await till.visit('ada'));
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => till.refund('race', { refundId: n, amount: 7 })),
    );
    const counts = Object.groupBy(replies, ({ status }) => status);
    assert.deepEqual([counts[200]?.length, counts[422]?.length], [14, 6]);
    assert.equal((await till.sold('race')).refundedAmount, 9800);
    assert.deepEqual((await till.worths('race'))[0], ['approved', 20, 'pending', 20]);
  });

  it('is rejected after a full refund, except as a repeat', async () => {
    await till.sell('closed', await till.visit('ada'), { items: ITEMS });
    await till.refunded('closed', { refundId: 'r1', amount: 30 });
    await till.refunded('closed', {});
    await till.refunded('closed', { refundId: 'r1', amount: 30 });
    await till.refunded('closed', { refundId: 'r2' });
    const reply = await till.refund('closed', { refundId: 'r3', amount: 1 });
    assert.deepEqual([reply.status, problemCode(reply)], [422, 'refund-exceeds-sale']);
    assert.deepEqual(await till.eventsOf('closed'), ['SaleTriggered', 'RefundTriggered', 'RefundTriggered']);
    assert.deepEqual(await till.worths('closed'), [
      ['rejected', 700, 'rejected', 700],
      ['rejected', 210, 'rejected', 210],
    ]);
  });
});

describe('any sequence of partial refunds', () => {
  let service: TestService;
  let till: Till;
  before(async () => {
    service = await startService();
    till = openTill(service);
    await till.program({ attribution: 'weighted', reward: { type: 'percent', percent: 7.3333 } });
    await till.program({ name: 'By piece', attribution: 'linear', reward: { type: 'per-product', amount: 333 } });
    for (const name of ['ada', 'ben', 'cleo']) await till.collaborator(name);
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it(`reduces each share to exactly the amount that the refund rule gives (TEST_SEED=${SEED})`, async () => {
    const random = randomOf(SEED);
    const upTo = (limit: number) => 1 + Math.floor(random() * limit);
    const oid = await till.visit('ada');
    for (const name of ['ben', 'cleo', 'cleo']) await till.visit(name, { oid });
    for (let round = 0; round < 10; round += 1) {
      const sale = `sequence-${round}`;
      const lines = Array.from({ length: upTo(4) }, (_, n) => ({
        externalId: `line-${n}`,
        name: 'x',
        quantity: upTo(4),
        // Each price is at least 1.00, so that every collaborator gets a share of at least a cent.
        cents: 99 + upTo(9900),
      }));
      const cents = lines.reduce((sum, line) => sum + line.cents * line.quantity, 0);
      await till.sell(sale, oid, {
        total: cents / 100,
        items: lines.map(({ cents: price, ...line }) => ({ ...line, amount: price / 100 })),
      });
      const awarded = await till.earned(sale);
      assert.equal(awarded.length, 6);

      let given = 0;
      const left = lines.map(({ quantity }) => quantity);
      for (let step = 0; step < 6; step += 1) {
        const index = upTo(lines.length) - 1;
        const part =
          random() < 0.5
            ? { amount: upTo(Math.ceil(cents / 4)) / 100 }
            : { items: [{ externalId: `line-${index}`, quantity: upTo(2) }] };
        const reply = await till.refund(sale, { refundId: `step ${step}`, ...part });
        if (reply.status === 422) continue;
        assert.equal(reply.status, 200, reply.text);
        if (part.amount !== undefined) given += Math.round(part.amount * 100);
        else left[index] = (left[index] ?? 0) - (part.items[0]?.quantity ?? 0);
      }
      const isGone = (await till.sold(sale)).status === 'refunded';
      for (const [n, { status, amount, programId }] of (await till.earned(sale)).entries()) {
        const first = awarded[n]?.amount ?? 0;
        const byPiece = programId === 2;
        const sold = lines.reduce((sum, line) => sum + line.quantity * (byPiece ? 1 : line.cents), 0);
        const kept = lines.reduce((sum, line, index) => sum + (left[index] ?? 0) * (byPiece ? 1 : line.cents), 0);
        // The expected amount is the award times (kept / sold - given / cents), rounded half up. Integers are exact.
        const above = BigInt(kept) * BigInt(cents) - BigInt(sold) * BigInt(given);
        const below = BigInt(sold) * BigInt(cents);
        const worth = isGone || above <= 0n ? 0 : Number((2n * BigInt(first) * above + below) / (2n * below));
        assert.equal(status === 'rejected' ? 0 : amount, worth, `${sale}, conversion ${n}`);
      }
    }
  });
});

describe('a partial refund that has not been processed yet', () => {
  let service: TestService;
  let till: Till;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    till = openTill(service);
    await till.program({ autoApprove: true });
    await till.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('a refund before the decision on the sale has the same result as a refund after the decision', async () => {
    const oid = await till.visit('ada');
    const parts = [{ refundId: 'a', amount: 20 }, { refundId: 'b', items: [{ externalId: 'mug' }] }, { refundId: 'c' }];
    for (let n = 1; n <= parts.length; n += 1) {
      const [early, late] = [`early-${n}`, `late-${n}`];
      await till.sell(early, oid, { items: ITEMS });
      for (const part of parts.slice(0, n)) await till.refunded(early, part);
      const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
      try {
        await till.sell(late, oid, { items: ITEMS });
        for (const part of parts.slice(0, n)) {
          await service.settled();
          await till.refunded(late, part);
        }
        const worths = await till.worths(early);
        assert.deepEqual(worths, await till.worths(late));
        assert.deepEqual(
          worths[0]?.slice(0, 2),
          [
            ['approved', 800],
            ['approved', 500],
            ['rejected', 500],
          ][n - 1],
        );
      } finally {
        await worker.stop();
      }
    }
  });

  it('blocks a manual approval until it is processed', async () => {
    await till.change('/v1/programs/1', { autoApprove: false });
    await till.sell('waits', await till.visit('ada'), { items: ITEMS });
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    const [conversion] = await till.earned('waits');
    await worker.stop();
    await till.refunded('waits', { refundId: 'a', amount: 10 });
    const refused = await till.act(`${conversion?.id}/approve`);
    assert.deepEqual([refused.status, problemCode(refused)], [409, 'invalid-transition']);
    assert.match(refused.text, /is being processed/);
    const bulk = await till.act('bulk', { action: 'approve', ids: [conversion?.id] });
    assert.deepEqual(bulk.body, [{ id: conversion?.id, outcome: 'invalid-transition', status: 'pending' }]);
    const again = await startBeside(service, { WHENCE_ROLE: 'worker' });
    try {
      await service.settled();
      assert.equal((await till.act(`${conversion?.id}/approve`)).status, 200);
      assert.deepEqual(await till.worths('waits'), [['approved', 900, 'pending', 900]]);
    } finally {
      await again.stop();
    }
  });

  it('is applied when a scheduled approval is due, like a full refund, even if its own job is dead-lettered', async () => {
    await till.change('/v1/programs/1', { approveAfterDays: 14 });
    const oid = await till.visit('ada');
    await till.sell('due', oid, { items: ITEMS });
    await till.sell('gone', oid, { items: ITEMS });
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await service.settled();
    await worker.stop();
    await letPass(service, '15 days');
    await till.refunded('due', { refundId: 'a', amount: 10 });
    await till.refunded('gone', {});
    await service.database.query(`update jobs set dead_lettered_at = now(), error = 'a test dead-lettered it'`);
    const again = await startBeside(service, { WHENCE_ROLE: 'worker' });
    try {
      await untilStatus(till, 'due', 'approved');
      await untilStatus(till, 'gone', 'rejected');
      assert.deepEqual(await till.worths('due'), [['approved', 900, 'pending', 900]]);
      assert.deepEqual(await till.worths('gone'), [['rejected', 1000, 'rejected', 1000]]);
      const waiting = await service.database.query<{ event_id: number }>('select event_id from jobs');
      for (const { event_id } of waiting.rows) {
        const retried = await service.request('POST', `/v1/events/${event_id}/retry`, { key: service.secretKey });
        assert.equal(retried.status, 200, retried.text);
      }
      assert.deepEqual(await till.worths('due'), [['approved', 900, 'pending', 900]]);
    } finally {
      await again.stop();
    }
  });
});

async function untilStatus(till: Till, sale: string, status: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const [conversion] = await till.earned(sale);
    if (conversion?.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(`the conversion of ${sale} becomes ${status}`);
}

describe('a refund of a lead', () => {
  it('rejects the lead’s conversion, and a partial refund is refused', async () => {
    const service = await startService();
    const till = openTill(service);
    const key = service.secretKey;
    try {
      await till.program({ reward: { type: 'per-lead', amount: 2500 }, autoApprove: true });
      await till.collaborator('ada');
      await till.lead(await till.visit('ada'), { externalId: 'form-1' });
      await service.settled();
      const only = async () => {
        const [conversion] = await till.get<Conversion[]>('/v1/conversions');
        return [conversion?.type, conversion?.status, conversion?.amount];
      };
      assert.deepEqual(await only(), ['lead', 'approved', 2500]);
      const refund = (part: object) =>
        service.request('POST', '/v1/event/refund', { key, body: { source: 'lead', externalId: 'form-1', ...part } });
      assert.equal(problemCode(await refund({ refundId: 'a', amount: 1 })), 'refund-exceeds-sale');
      assert.equal((await refund({ refundId: 'a', items: [{ externalId: 'x' }] })).status, 422);
      assert.equal((await refund({ refundId: 'a' })).status, 200);
      await service.settled();
      assert.deepEqual(await only(), ['lead', 'rejected', 2500]);
      assert.deepEqual((await verify(service.database)).breaches, []);
    } finally {
      await service.stop();
    }
  });
});
