// Tests the cases in docs/decisions/0050-rare-cases-of-money.md, except the cases that the page assigns to other test
// files.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { problemCode } from '#test/support/replies.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openTill, type Till } from '#test/support/till.ts';

describe('rare cases of money', () => {
  let service: TestService;
  let till: Till;
  const partners: Record<string, number> = {};
  before(async () => {
    service = await startService();
    till = openTill(service);
    for (const name of ['ada', 'ben', 'cleo']) partners[name] = await till.collaborator(name);
  });
  after(async () => {
    try {
      await service.settled();
      assert.deepEqual((await verify(service.database)).breaches, []);
      assert.deepEqual((await replaySales(service.database)).differences, []);
      assert.deepEqual((await replayReports(service.database)).differences, []);
    } finally {
      await service.stop();
    }
  });

  /** Creates a program, runs a test while it is the only active program, and deactivates it. */
  async function withProgram(terms: Record<string, unknown>, story: (programId: number) => Promise<void>) {
    const id = await till.program({ autoApprove: true, ...terms });
    try {
      await story(id);
    } finally {
      await service.settled();
      await till.change(`/v1/programs/${id}`, { status: 'inactive' });
    }
  }
  const earnings = async (externalId: string) =>
    (await till.earned(externalId)).map(({ type, status, collaboratorId, amount }) => [
      type,
      Object.keys(partners).find((name) => partners[name] === collaboratorId),
      status,
      amount,
    ]);

  it('a collaborator’s own percentage is paid in any currency, regardless of the tiers’ currency', () =>
    withProgram(
      {
        currency: 'EUR',
        tiers: { period: 'month', by: 'sum', steps: [{ from: 1000, reward: { type: 'percent', percent: 50 } }] },
        collaboratorRewards: [{ collaboratorId: partners['ada'], reward: { type: 'percent', percent: 20 } }],
        attribution: 'linear',
      },
      async () => {
        const oid = await till.visit('ada');
        await till.visit('ben', { oid });
        await till.sell('own-percent', oid);
        assert.deepEqual(await earnings('own-percent'), [['sale', 'ada', 'approved', 2000]]);
        const { candidates } = await till.explain('own-percent');
        assert.equal(
          candidates.find(({ collaboratorId }) => collaboratorId === partners['ben'])?.reason,
          'currency-mismatch',
        );
      },
    ));

  it('a reopened engagement gets the newer engagement’s score, so that only one engagement is active', () =>
    withProgram({ creditsPer: 'opportunity' }, async () => {
      const oid = await till.visit('ada');
      await till.sell('reopened', oid);
      await service.settled();
      await till.visit('ada', { oid });
      const states = async () =>
        (await till.get<{ status: string; score: number }[]>(`/v1/engagements?opportunityId=${oid}&sort=id`)).map(
          ({ status, score }) => [status, score],
        );
      assert.deepEqual(await states(), [
        ['complete', 1],
        ['active', 1],
      ]);
      await till.refund('reopened', {});
      await service.settled();
      assert.deepEqual(await states(), [
        ['active', 2],
        ['invalid', 1],
      ]);
      await till.sell('after-reopening', oid);
      assert.deepEqual(await earnings('after-reopening'), [['sale', 'ada', 'approved', 1000]]);
    }));

  it('a manual credit has weight 1 in a renewal, regardless of its amount', () =>
    withProgram({ attribution: 'weighted', pays: ['sale', 'renewal'] }, async (programId) => {
      const oid = await till.visit('ada');
      await till.visit('ada', { oid });
      await till.visit('ada', { oid });
      await till.sell('renewed', oid);
      await service.settled();
      await till.credit('renewed', { collaboratorId: partners['ben'], programId, amount: 9000 });
      await till.renew('renewal', 'renewed');
      assert.deepEqual(await earnings('renewal'), [
        ['renewal', 'ada', 'approved', 750],
        ['renewal', 'ben', 'approved', 250],
      ]);
    }));

  it('a manual credit for a sale without counted lines is paid in full until the sale is fully refunded', () =>
    withProgram({}, async (programId) => {
      const items = [{ externalId: 'post', name: 'Shipping', type: 'shipping', amount: 50, quantity: 2 }];
      await till.sell('uncounted', await till.visit('ada'), { items });
      assert.deepEqual(await earnings('uncounted'), []);
      const { id } = await till.transactionOf('uncounted');
      const worked = await service.request('POST', `/v1/transactions/${id}/credits`, {
        key: service.secretKey,
        body: { collaboratorId: partners['ben'], programId },
      });
      assert.deepEqual(
        (worked.body as { errors: { code: string }[] }).errors.map(({ code }) => code),
        ['nothing-counted'],
      );
      await till.credit('uncounted', { collaboratorId: partners['ben'], programId, amount: 500 });
      await till.refunded('uncounted', { refundId: 'half', items: [{ externalId: 'post', quantity: 1 }] });
      assert.deepEqual(await earnings('uncounted'), [['manual', 'ben', 'approved', 500]]);
      await till.refunded('uncounted', { refundId: 'amount', amount: 10 });
      assert.deepEqual(await earnings('uncounted'), [['manual', 'ben', 'approved', 500]]);
      await till.refunded('uncounted', {});
      assert.deepEqual(await earnings('uncounted'), [['manual', 'ben', 'rejected', 500]]);
    }));

  it('an item refund of a sale with total 0 reduces the commission, and the refunded amount stays 0', () =>
    withProgram({}, async () => {
      const items = [{ externalId: 'mug', name: 'Mug', amount: 30, quantity: 2 }];
      await till.sell('free', await till.visit('ada'), { total: 0, items });
      assert.deepEqual(await earnings('free'), [['sale', 'ada', 'approved', 600]]);
      await till.refunded('free', { refundId: '1', items: [{ externalId: 'mug', quantity: 1 }] });
      assert.deepEqual(await earnings('free'), [['sale', 'ada', 'approved', 300]]);
      const { status, refundedAmount } = await till.sold('free');
      assert.deepEqual([status, refundedAmount], ['complete', 0]);
      assert.equal(problemCode(await till.refund('free', { refundId: '2', amount: 1 })), 'refund-exceeds-sale');
      await till.refunded('free', { refundId: '3', items: [{ externalId: 'mug', quantity: 1 }] });
      assert.deepEqual(await earnings('free'), [['sale', 'ada', 'rejected', 300]]);
      assert.equal((await till.sold('free')).status, 'refunded');
    }));

  it('a manual credit can replace a rejected commission of the same partner, but only once', () =>
    withProgram({ pays: ['sale', 'renewal'] }, async (programId) => {
      await till.sell('rejected', await till.visit('ada'));
      const [conversion] = await till.earned('rejected');
      assert.equal((await till.act(`${conversion?.id}/reject`, { reason: 'A mistake' })).status, 200);
      const body = { collaboratorId: partners['ada'], programId, amount: 700 };
      const { id } = (await till.credit('rejected', body)).body as { id: number };
      assert.deepEqual(await earnings('rejected'), [
        ['sale', 'ada', 'rejected', 1000],
        ['manual', 'ada', 'approved', 700],
      ]);
      await till.renew('rejected-2', 'rejected');
      assert.deepEqual(await earnings('rejected-2'), [['renewal', 'ada', 'approved', 1000]]);
      assert.equal((await till.act(`${id}/reject`, { reason: 'A mistake' })).status, 200);
      const { id: transaction } = await till.transactionOf('rejected');
      const again = await service.request('POST', `/v1/transactions/${transaction}/credits`, {
        key: service.secretKey,
        body,
      });
      assert.equal(problemCode(again), 'already-credited');
    }));
});
