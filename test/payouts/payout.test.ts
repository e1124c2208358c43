import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Payout, type Till } from '../support/payouts.ts';
import { faultCodes, problemCode, problemDetail } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { type Conversion, type Obligation, openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

type Owed = Obligation & { payoutId: number | null };

describe('a payout', () => {
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
    await shop.collaborator('bob');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const call = (method: string, path: string, body?: object): Promise<Reply> =>
    service.request(method, path, { key: service.secretKey, body });
  const assertProblem = (reply: Reply, status: number, code: string) =>
    assert.deepEqual([reply.status, problemCode(reply)], [status, code], reply.text);
  let sales = 0;
  const sell = async (code: string, total: number): Promise<string> => {
    sales += 1;
    await shop.sell(`order-${sales}`, await shop.visit(code), { total });
    await service.settled();
    return `order-${sales}`;
  };
  /** Refunds `amount` of a sale, or the whole sale if `amount` is missing. Waits until the refund is processed. */
  const refund = async (externalId: string, amount?: number): Promise<void> => {
    sales += 1;
    const part = amount === undefined ? {} : { refundId: `refund-${sales}`, amount };
    const reply = await call('POST', '/v1/event/refund', { source: 'shop', externalId, ...part });
    assert.equal(reply.status, 200, reply.text);
    await service.settled();
  };
  /** Reports a sale through Ada for each total, and creates a run. Returns her payout, the run id and the order ids. */
  const payOut = async (...totals: readonly number[]): Promise<{ payout: Payout; run: number; sold: string[] }> => {
    const sold: string[] = [];
    for (const total of totals) sold.push(await sell('ada', total));
    const run = await till.runOne();
    const [payout] = await till.payoutsOf(run);
    assert.ok(payout);
    return { payout, run: run.id, sold };
  };
  const earnedWith = async (sale = ''): Promise<Conversion> => (await shop.earned(sale))[0] as Conversion;
  /** Returns the amount and the status of each obligation of a sale’s first conversion, oldest first. */
  const owed = async (sale: string | undefined): Promise<(string | number)[][]> => {
    const { id } = await earnedWith(sale);
    const found = await shop.get<Owed[]>(`/v1/obligations?conversionId=${id}&sort=id`);
    return found.map(({ amount, status }) => [amount, status]);
  };
  const endWith = async (id: number) => {
    await till.move(id, 'process');
    assert.equal((await till.move(id, 'complete')).status, 'complete');
  };

  it('can be marked paid and unpaid while its run is pending or processing', async () => {
    const { payout, run } = await payOut(10);
    for (const _ of ['pending', 'processing']) {
      const paid = await till.mark(payout.id, 'paid');
      assert.equal(paid.status, 'paid');
      assert.ok(paid.paidAt);
      assert.deepEqual(await till.mark(payout.id, 'paid'), paid);
      const unpaid = await till.mark(payout.id, 'unpaid');
      assert.deepEqual([unpaid.status, unpaid.paidAt], ['unpaid', null]);
      assert.deepEqual(await till.mark(payout.id, 'unpaid'), unpaid);
      await till.move(run, 'process');
    }
    await till.move(run, 'complete');
    assert.equal((await till.mark(payout.id, 'paid')).status, 'paid');
    const refused = await till.tryPayout(payout.id, 'mark-unpaid');
    assertProblem(refused, 409, 'invalid-transition');
    assert.match(problemDetail(refused), /can no longer be changed\. If the payment was returned, send it again/);
    assertProblem(await till.tryPayout(999_999, 'mark-paid'), 404, 'not-found');
  });

  it('can’t be marked paid or unpaid if its run has failed', async () => {
    const { payout, run } = await payOut(10);
    await till.move(run, 'fail');
    for (const mark of ['mark-paid', 'mark-unpaid']) {
      assertProblem(await till.tryPayout(payout.id, mark), 409, 'invalid-transition');
    }
    await endWith((await till.runOne()).id);
  });

  it('is flagged by a refund of one of its sales, can’t be marked paid, and blocks its run’s completion', async () => {
    const { payout, run, sold } = await payOut(10, 20);
    await refund(sold[0] ?? '');
    const flagged = await till.payout(payout.id);
    const { id: conversionId, obligationId, transactionId } = await earnedWith(sold[0]);
    assert.equal(flagged.review.state, 'flagged');
    assert.deepEqual(
      flagged.review.reasons.map(({ createdAt: _, ...rest }: object & { createdAt?: string }) => rest),
      [{ transactionId, conversionId, obligationId, amount: 100, reason: 'refunded' }],
    );
    assertProblem(await till.tryPayout(payout.id, 'mark-paid'), 409, 'under-review');
    await till.move(run, 'process');
    assert.equal((await till.move(run, 'complete')).status, 'processing');
    assert.equal((await till.payout(payout.id)).status, 'unpaid');
    const list = await shop.get<Payout[]>('/v1/payouts?review=flagged');
    assert.deepEqual(list, [flagged]);
    await till.review(payout.id, 'keep');
    assert.equal((await till.move(run, 'complete')).status, 'complete');
  });

  it('is paid in full despite a refunded sale if its review is resolved with `keep`', async () => {
    const { payout, run, sold } = await payOut(10);
    await refund(sold[0] ?? '');
    const kept = await till.review(payout.id, 'keep', 'A friend of the house');
    assert.deepEqual([kept.status, kept.amount, kept.review.state], ['unpaid', 100, 'resolved']);
    const [reason] = kept.review.reasons;
    assert.deepEqual([reason?.resolution, reason?.note], ['keep', 'A friend of the house']);
    assert.match(reason?.author ?? '', /^key \d+$/);
    assert.deepEqual(await till.review(payout.id, 'keep', 'Again'), kept, 'a repeated review changes nothing');
    assertProblem(
      await till.tryPayout(payout.id, 'review', { resolution: 'claw-back', note: 'x' }),
      409,
      'invalid-transition',
    );
    assert.equal((await till.mark(payout.id, 'paid')).amount, 100);
    assert.deepEqual(await owed(sold[0]), [[100, 'fulfilled']]);
    await endWith(run);
  });

  it('is reduced by the flagged amounts if these are clawed back before payment', async () => {
    const { payout, run, sold } = await payOut(10, 20, 30);
    await refund(sold[0] ?? '');
    await refund(sold[1] ?? '', 5);
    const shrunk = await till.review(payout.id, 'claw-back');
    assert.deepEqual([shrunk.status, shrunk.amount, shrunk.review.state], ['unpaid', 450, 'resolved']);
    assert.deepEqual(
      shrunk.review.reasons.map(({ amount, reason, resolution }) => [amount, reason, resolution]),
      [
        [100, 'refunded', 'claw-back'],
        [50, 'partly-refunded', 'claw-back'],
      ],
    );
    assert.deepEqual(await till.review(payout.id, 'claw-back', 'Again'), shrunk, 'a repeated review changes nothing');
    assert.deepEqual(await owed(sold[0]), [[100, 'rejected']]);
    assert.deepEqual(await owed(sold[1]), [[150, 'fulfilled']]);
    await refund(sold[1] ?? '', 5);
    assertProblem(await till.tryPayout(payout.id, 'mark-paid'), 409, 'under-review');
    assert.equal((await till.review(payout.id, 'claw-back')).amount, 400);
    await endWith(run);
  });

  it('becomes void if a review claws back its whole amount', async () => {
    const { payout, run, sold } = await payOut(10);
    await refund(sold[0] ?? '');
    const left = await till.review(payout.id, 'claw-back');
    assert.deepEqual([left.status, left.amount], ['void', 0]);
    assert.deepEqual(await owed(sold[0]), [[100, 'rejected']]);
    await endWith(run);
  });

  it('does not change when an amount is clawed back after payment: a later run deducts the amount', async () => {
    const { payout, run, sold } = await payOut(10, 20);
    await till.mark(payout.id, 'paid');
    await refund(sold[0] ?? '');
    await refund(sold[1] ?? '', 10);
    assert.equal((await till.payout(payout.id)).review.state, 'flagged');
    const reviewed = await till.review(payout.id, 'claw-back');
    assert.deepEqual([reviewed.status, reviewed.amount, reviewed.review.state], ['paid', 300, 'resolved']);
    assert.deepEqual(await owed(sold[0]), [
      [100, 'fulfilled'],
      [-100, 'pending'],
    ]);
    assert.deepEqual(await owed(sold[1]), [
      [200, 'fulfilled'],
      [-100, 'pending'],
    ]);
    assertProblem(await till.tryPayout(payout.id, 'mark-unpaid'), 409, 'invalid-transition');
    assert.deepEqual(await till.run(), [], 'no payout is negative');
    const [preview] = await till.preview();
    assert.deepEqual(preview?.carriedForward, [{ collaboratorId: ada, amount: -200, reason: 'nothing-owed' }]);
    const sale = await earnedWith(await sell('ada', 50));
    const next = await till.runOne({ obligationIds: [sale.obligationId] });
    assert.equal(next.amount, 300, 'a run deducts clawbacks even if it does not list them');
    await till.move(next.id, 'fail');
    assert.deepEqual((await owed(sold[0]))[1], [-100, 'pending'], 'a failed run deducts no clawback');
    await endWith((await till.runOne()).id);
    await endWith(run);
  });

  it('returns its remaining obligations to pending if a clawback makes it void', async () => {
    const before = await payOut(100);
    await till.mark(before.payout.id, 'paid');
    await refund(before.sold[0] ?? '');
    await till.review(before.payout.id, 'claw-back');
    const { payout, run, sold } = await payOut(80, 60);
    assert.equal(payout.amount, 400);
    await refund(sold[0] ?? '');
    const left = await till.review(payout.id, 'claw-back');
    assert.deepEqual([left.status, left.amount], ['void', 0]);
    assert.deepEqual(await owed(sold[0]), [[800, 'rejected']]);
    assert.deepEqual(await owed(sold[1]), [[600, 'pending']]);
    assert.deepEqual((await owed(before.sold[0]))[1], [-1000, 'pending']);
    await sell('ada', 50);
    assert.equal((await till.runOne()).amount, 100);
    await endWith(run);
    await endWith(before.run);
  });

  it('when its run fails, returns kept and flagged obligations to pending at their current worth, or rejects them if it is 0', async () => {
    const { payout, run, sold } = await payOut(10, 20, 30);
    await refund(sold[0] ?? '');
    await refund(sold[1] ?? '', 5);
    await till.review(payout.id, 'keep');
    await refund(sold[2] ?? '', 20);
    await till.move(run, 'fail');
    assert.deepEqual(await owed(sold[0]), [[100, 'rejected']]);
    assert.deepEqual(await owed(sold[1]), [[150, 'pending']]);
    assert.deepEqual(await owed(sold[2]), [[100, 'pending']]);
    const { review, status } = await till.payout(payout.id);
    assert.deepEqual([status, review.state], ['void', 'resolved']);
    assert.deepEqual(
      review.reasons.map(({ resolution }) => resolution),
      ['void', 'void', 'void'],
    );
    assertProblem(
      await till.tryPayout(payout.id, 'review', { resolution: 'keep', note: 'x' }),
      409,
      'invalid-transition',
    );
    assert.equal((await till.runOne()).amount, 250);
  });

  it('can’t be reviewed without a flag, and a review requires a resolution and a note', async () => {
    const { payout } = await payOut(10);
    for (const resolution of ['keep', 'claw-back']) {
      assertProblem(await till.tryPayout(payout.id, 'review', { resolution, note: 'x' }), 409, 'invalid-transition');
    }
    assert.deepEqual(faultCodes(await till.tryPayout(payout.id, 'review', { resolution: 'void' })), {
      '/resolution': 'unknown-value',
      '/note': 'required',
    });
    assertProblem(await till.tryPayout(999_999, 'review', { resolution: 'keep', note: 'x' }), 404, 'not-found');
  });

  it('can’t be marked paid while a refund of one of its sales is being processed', async () => {
    const { payout, run, sold } = await payOut(10);
    const { id } = await shop.transactionOf(sold[0] ?? '');
    await service.database.query(
      `insert into jobs (organization_id, event_id, transaction_id, type, dead_lettered_at, error)
       select organization_id, event_id, id, 'RefundTriggered', now(), 'boom' from transactions where id = $1`,
      [id],
    );
    assertProblem(await till.tryPayout(payout.id, 'mark-paid'), 409, 'under-review');
    await till.move(run, 'process');
    assert.equal((await till.move(run, 'complete')).status, 'processing');
    await service.database.query('delete from jobs where transaction_id = $1', [id]);
    assert.equal((await till.move(run, 'complete')).status, 'complete');
  });

  it('gets its own outcome in a bulk call that marks payouts', async () => {
    const [one, flagged, failed] = [await payOut(10), await payOut(20), await payOut(30)];
    await refund(flagged.sold[0] ?? '');
    await till.move(failed.run, 'fail');
    const ids = [failed.payout.id, one.payout.id, 999_999, flagged.payout.id, one.payout.id];
    const mark = async (action: string) => {
      const reply = await call('POST', '/v1/payouts/bulk', { action, ids });
      assert.equal(reply.status, 200, reply.text);
      return (reply.body as { id: number; outcome: string; status?: string }[]).map((each) => Object.values(each));
    };
    const others = [
      [failed.payout.id, 'invalid-transition', 'void'],
      [one.payout.id, 'changed', 'paid'],
      [999_999, 'not-found'],
      [flagged.payout.id, 'under-review', 'unpaid'],
    ];
    assert.deepEqual(await mark('mark-paid'), others);
    assert.deepEqual((await mark('mark-paid'))[1], [one.payout.id, 'unchanged', 'paid']);
    assert.deepEqual(await mark('mark-unpaid'), [
      others[0],
      [one.payout.id, 'changed', 'unpaid'],
      others[2],
      [flagged.payout.id, 'unchanged', 'unpaid'],
    ]);
    const bad = await call('POST', '/v1/payouts/bulk', { action: 'pay', ids: [] });
    assert.deepEqual(faultCodes(bad), { '/action': 'unknown-value', '/ids': 'too-few' });
    await till.review(flagged.payout.id, 'keep');
  });

  it('gets its own outcome in a bulk review with one resolution and note', async () => {
    // Create a run with the obligations of the failed run, which are pending again.
    await till.run();
    const [shrinks, empties, paid, fine] = [await payOut(10, 20), await payOut(30), await payOut(40), await payOut(50)];
    await till.mark(paid.payout.id, 'paid');
    for (const { sold } of [shrinks, empties, paid]) await refund(sold[0] ?? '');
    const ids = [paid, shrinks, fine, empties, shrinks].map(({ payout: { id } }) => id);
    const word = { resolution: 'claw-back', note: 'Came back', ids: [...ids, 999_999] };
    const review = async (key = service.secretKey) => {
      const headers = { 'Idempotency-Key': 'many-at-once' };
      const reply = await service.request('POST', '/v1/payouts/review', { key, body: word, headers });
      assert.equal(reply.status, 200, reply.text);
      return (reply.body as object[]).map((each) => Object.values(each));
    };
    const notFound = [...new Set(word.ids)].map((id) => [id, 'not-found']);
    assert.deepEqual(
      await review(await service.foundOrganization('Strangers')),
      notFound,
      'payouts of another organization are not found',
    );
    const outcomes = [
      [paid.payout.id, 'changed', 'paid'],
      [shrinks.payout.id, 'changed', 'unpaid'],
      [fine.payout.id, 'invalid-transition', 'unpaid'],
      [empties.payout.id, 'changed', 'void'],
      [999_999, 'not-found'],
    ];
    assert.deepEqual(await review(), outcomes);
    assert.deepEqual(await review(), outcomes, 'the same Idempotency-Key returns the same response');
    const left = await Promise.all([paid, shrinks, fine, empties].map(({ payout }) => till.payout(payout.id)));
    assert.deepEqual(
      left.map(({ amount, review: { state, reasons } }) => [amount, state, reasons[0]?.note, reasons[0]?.resolution]),
      [
        [400, 'resolved', 'Came back', 'claw-back'],
        [200, 'resolved', 'Came back', 'claw-back'],
        [500, 'none', undefined, undefined],
        [0, 'resolved', 'Came back', 'claw-back'],
      ],
    );
    assert.deepEqual(await owed(paid.sold[0]), [
      [400, 'fulfilled'],
      [-400, 'pending'],
    ]);
    const again = await call('POST', '/v1/payouts/review', { ...word, ids: ids.slice(0, 1) });
    assert.deepEqual(again.body, [{ id: paid.payout.id, outcome: 'unchanged', status: 'paid' }]);
    const faulty = async (body: object) => faultCodes(await call('POST', '/v1/payouts/review', { ...word, ...body }));
    assert.deepEqual(await faulty({ ids: Array.from({ length: 1_001 }, (_, id) => id + 1) }), { '/ids': 'too-many' });
    assert.deepEqual(await faulty({ resolution: 'void', note: '', ids: [] }), {
      '/resolution': 'unknown-value',
      '/note': 'too-short',
      '/ids': 'too-few',
    });
    // Create a payout that deducts the clawback, so that the next test starts without it.
    await payOut(100);
  });

  it('is not resolved by a review whose `seen` has an outdated number of flags', async () => {
    const [read, changed, kept] = [await payOut(10, 20), await payOut(30, 40), await payOut(50, 60)];
    for (const { sold } of [read, changed, kept]) await refund(sold[0] ?? '');
    await till.review(kept.payout.id, 'keep');
    await refund(kept.sold[1] ?? '');
    const all = [read, changed, kept].map(({ payout: { id } }) => id);
    const seen = (await Promise.all(all.map((id) => till.payout(id)))).map(({ id, review }) => ({
      id,
      reasons: review.reasonCount,
    }));
    assert.deepEqual(
      seen.map(({ reasons }) => reasons),
      [1, 1, 2],
    );
    await refund(changed.sold[1] ?? '', 10);
    const flagged = await till.payout(changed.payout.id);
    const word = { resolution: 'claw-back', note: 'Came back' };
    const review = async (body: object) => {
      const reply = await call('POST', '/v1/payouts/review', { ...word, ...body });
      assert.equal(reply.status, 200, reply.text);
      return (reply.body as object[]).map((each) => Object.values(each));
    };
    const expected = [changed.payout.id, 'precondition-failed', 'unpaid'];
    assert.deepEqual(await review({ ids: all, seen }), [
      [read.payout.id, 'changed', 'unpaid'],
      expected,
      [kept.payout.id, 'changed', 'unpaid'],
    ]);
    assert.deepEqual(await till.payout(changed.payout.id), flagged, 'the payout is unchanged');
    assert.deepEqual(await review({ ids: all, seen: seen.slice(0, 2) }), [
      [read.payout.id, 'unchanged', 'unpaid'],
      expected,
      [kept.payout.id, 'unchanged', 'unpaid'],
    ]);

    const one = (reasons: number) => till.tryPayout(changed.payout.id, 'review', { ...word, seen: { reasons } });
    for (const reasons of [0, 1, 3]) assertProblem(await one(reasons), 412, 'precondition-failed');
    assert.deepEqual(await till.payout(changed.payout.id), flagged);
    const decided = await one(2);
    assert.deepEqual([decided.status, (decided.body as Payout).amount], [200, 300], decided.text);
    assert.equal((await one(0)).status, 200, 'a repeat changes nothing, even with an outdated `seen`');
    assertProblem(
      await till.tryPayout(changed.payout.id, 'review', { ...word, resolution: 'keep', seen: { reasons: 2 } }),
      409,
      'invalid-transition',
    );
    // Create a run with all obligations that are still pending, so that the next tests start without any.
    await till.run();
  });

  it('can be in the `seen` field of a bulk review once, and only if its id is in `ids`', async () => {
    const seen = (...ids: readonly number[]) => ids.map((id) => ({ id, reasons: 1 }));
    const faulty = async (body: object) => {
      const word = { resolution: 'keep', note: 'x', ids: [1, 2, 2] };
      return faultCodes(await call('POST', '/v1/payouts/review', { ...word, ...body }));
    };
    assert.deepEqual(await faulty({ seen: seen(1, 3, 2, 2) }), {
      '/seen/1/id': 'unknown-value',
      '/seen/3/id': 'unknown-value',
    });
    assert.deepEqual(await faulty({ seen: [{ id: 1 }, { reasons: -1 }] }), {
      '/seen/0/reasons': 'required',
      '/seen/1/id': 'required',
      '/seen/1/reasons': 'out-of-range',
    });
    const one = await till.tryPayout(1, 'review', { resolution: 'keep', note: 'x', seen: {} });
    assert.deepEqual(faultCodes(one), { '/seen/reasons': 'required' });
  });

  it('can be filtered by run, collaborator, status, review and currency', async () => {
    const { payout } = await payOut(12.3);
    for (const query of [
      `fulfillmentId=${payout.fulfillmentId}`,
      `fulfillmentId=${payout.fulfillmentId}&collaboratorId=${ada}&status=unpaid&review=none&currency=usd`,
    ]) {
      assert.deepEqual(await shop.get(`/v1/payouts?${query}`), [payout]);
    }
    assertProblem(await call('GET', '/v1/payouts/999999'), 404, 'not-found');
  });
});
