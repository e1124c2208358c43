// The same reports in the same order must result in the same amounts, whether they are decided immediately or late.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { type Conversion, openShop, type Shop, startBeside } from '#test/support/shop.ts';

/**
 * Reports a story to a shop. Each story is reported twice. The first time, `pause` waits until all reports so far are
 * decided. The second time, `pause` does nothing, and the reports are decided when the story ends. Both times,
 * `decideAll` waits until all reports so far are decided.
 */
type Story = (shop: Shop, pause: () => Promise<void>, decideAll: () => Promise<void>) => Promise<void>;

describe('decisions that are made late', () => {
  it('a full refund reported after another sale does not raise that sale’s capped amount', async () => {
    await sameEitherWay({ first: [900], second: [100] }, async (shop, pause) => {
      await shop.program({ autoApprove: true, capPerPeriod: { period: 'lifetime', amount: 1000 } });
      await sellTwiceAndRefundTheFirst(shop, pause);
    });
  });

  it('a full refund reported after another sale does not lower that sale’s tier', async () => {
    const steps = [{ from: 500, reward: { type: 'percent', percent: 20 } }];
    await sameEitherWay({ first: [900], second: [1800] }, async (shop, pause) => {
      await shop.program({ autoApprove: true, tiers: { period: 'lifetime', by: 'sum', steps } });
      await sellTwiceAndRefundTheFirst(shop, pause);
    });
  });

  it('a sale does not count for the tiers of a later sale if the program’s currency has changed in between', async () => {
    const steps = [{ from: 1, reward: { type: 'percent', percent: 50 } }];
    await sameEitherWay({ first: [900], second: [900] }, async (shop, pause) => {
      const program = await shop.program({ currency: 'USD', tiers: { period: 'lifetime', by: 'count', steps } });
      await shop.collaborator('ada');
      await shop.sell('first', await shop.visit('ada'), { total: 90 });
      await pause();
      await shop.change(`/v1/programs/${program}`, { currency: 'EUR' });
      await shop.sell('second', await shop.visit('ada'), { total: 90 });
    });
  });

  it('a full refund reported after another sale does not credit that sale in a program that credits only one sale', async () => {
    await sameEitherWay({ first: [900], second: [] }, async (shop, pause) => {
      await shop.program({ autoApprove: true, creditsPer: 'opportunity' });
      await sellTwiceAndRefundTheFirst(shop, pause);
    });
  });

  for (const [terms, second] of [
    [{ capPerPeriod: { period: 'lifetime', amount: 1000 } }, [100]],
    [{ creditsPer: 'opportunity' }, []],
  ] as const) {
    const [term] = Object.keys(terms);
    it(`${term}: a full refund after a partial refund and another sale doesn’t change that sale’s award`, async () => {
      await sameEitherWay({ first: [900], second }, async (shop, pause, decideAll) => {
        await shop.program({ autoApprove: true, ...terms });
        await shop.collaborator('ada');
        const visitor = await shop.visit('ada');
        await shop.sell('first', visitor, { total: 90 });
        await decideAll();
        await shop.refundPart('first', { refundId: 'r-1', amount: 1 });
        await pause();
        await shop.sell('second', visitor, { total: 90 });
        await pause();
        await shop.refund('first');
      });
    });
  }

  it('a full refund reported before another sale frees the refunded sale’s part of the cap', async () => {
    await sameEitherWay({ first: [900], second: [900], third: [100] }, async (shop, pause) => {
      await shop.program({ autoApprove: true, capPerPeriod: { period: 'lifetime', amount: 1000 } });
      await shop.collaborator('ada');
      const visitor = await shop.visit('ada');
      await shop.sell('first', visitor, { total: 90 });
      await pause();
      await shop.refund('first');
      await pause();
      await shop.sell('second', visitor, { total: 90 });
      await pause();
      await shop.sell('third', visitor, { total: 90 });
      await pause();
      await shop.refund('second');
    });
  });

  for (const [what, isReversed, second, third] of [
    ['frees the sale’s part of the cap', false, 900, 100],
    ['does not free the sale’s part of the cap if the refund was already reversed', true, 100, 500],
  ] as const) {
    it(`a full refund of a sale whose conversion is rejected later ${what}`, async () => {
      await sameEitherWay({ first: [900], second: [second], third: [third] }, async (shop, pause, decideAll) => {
        await shop.program({ autoApprove: true, capPerPeriod: { period: 'lifetime', amount: 1000 } });
        await shop.collaborator('ada');
        const visitor = await shop.visit('ada');
        await shop.sell('first', visitor, { total: 90 });
        await decideAll();
        await shop.refundPart('first', { refundId: 'r-1', amount: 90 });
        await pause();
        if (isReversed) await shop.reverse('first', 'r-1');
        await pause();
        await shop.sell('second', visitor, { total: 90 });
        await pause();
        await shop.reject('first');
        await pause();
        await shop.sell('third', visitor, { total: 50 });
      });
    });
  }

  for (const undone of ['reversal', 'correction'] as const) {
    it(`the award of a refunded sale doesn’t count for a sale before its ${undone}, even if it is rejected while the ${undone} is pending`, async () => {
      const steps = [{ from: 1, reward: { type: 'percent', percent: 50 } }];
      await sameEitherWay({ first: [900], second: [900], third: [2500] }, async (shop, pause, decideAll) => {
        await shop.program({ autoApprove: true, tiers: { period: 'lifetime', by: 'count', steps } });
        await shop.collaborator('ada');
        const visitor = await shop.visit('ada');
        await shop.sell('first', visitor, { total: 90 });
        await decideAll();
        await shop.refundPart('first', { refundId: 'r-1', amount: 90 });
        await decideAll();
        await shop.sell('second', visitor, { total: 90 });
        await pause();
        if (undone === 'reversal') await shop.reverse('first', 'r-1');
        else await shop.correct('first', { correctionId: 'c-1', total: 180 });
        await pause();
        await shop.reject('first');
        await pause();
        await shop.sell('third', visitor, { total: 50 });
      });
    });
  }

  it('a full refund reported before another sale reopens the engagement', async () => {
    await sameEitherWay({ first: [900], second: [900], third: [] }, async (shop, pause) => {
      await shop.program({ autoApprove: true, creditsPer: 'opportunity' });
      await shop.collaborator('ada');
      const visitor = await shop.visit('ada');
      await shop.sell('first', visitor, { total: 90 });
      await pause();
      await shop.visit('ada', { oid: visitor });
      await pause();
      await shop.refund('first');
      await pause();
      await shop.visit('ada', { oid: visitor });
      await pause();
      await shop.sell('second', visitor, { total: 90 });
      await pause();
      await shop.sell('third', visitor, { total: 90 });
      await pause();
      await shop.refund('second');
    });
  });

  it('a reopened engagement is combined only with touches before the refund, however late the refund is processed', async () => {
    const awards = { first: [1000], second: [1000], third: [1000], fourth: [667, 333] };
    await sameEitherWay(awards, async (shop, pause) => {
      await shop.program({ attribution: 'weighted', creditsPer: 'opportunity', autoApprove: true });
      for (const code of ['ada', 'ben']) await shop.collaborator(code);
      const visitor = await shop.visit('ada');
      await pause();
      await shop.sell('first', visitor, { total: 100 });
      await pause();
      await shop.visit('ada', { oid: visitor });
      await pause();
      await shop.refund('first');
      await pause();
      await shop.sell('second', visitor, { total: 100 });
      await pause();
      // The third sale uses the visit's touch, so the fourth sale must not count the touch again.
      await shop.visit('ada', { oid: visitor });
      await pause();
      await shop.sell('third', visitor, { total: 100 });
      await pause();
      await shop.refund('second');
      await pause();
      await shop.visit('ben', { oid: visitor });
      await pause();
      await shop.sell('fourth', visitor, { total: 100 });
    });
  });

  it('a partial refund that leaves no award counts as a rejection', async () => {
    const items = [
      { externalId: 'mug', name: 'Mug', quantity: 1, amount: 90 },
      { externalId: 'box', name: 'Box', quantity: 1, amount: 10, type: 'shipping' },
    ];
    await sameEitherWay({ first: [900], second: [100], third: [900] }, async (shop, pause) => {
      await shop.program({ autoApprove: true, capPerPeriod: { period: 'lifetime', amount: 1000 } });
      await shop.collaborator('ada');
      const visitor = await shop.visit('ada');
      await shop.sell('first', visitor, { total: 100, items });
      await pause();
      await shop.sell('second', visitor, { total: 90 });
      await pause();
      await shop.refundPart('first', { refundId: 'r-1', items: [{ externalId: 'mug', quantity: 1 }] });
      await pause();
      await shop.sell('third', visitor, { total: 95 });
      await pause();
      await shop.refund('first');
    });
  });

  it('the older touch gets the extra cent of a renewal, as in its sale', async () => {
    const awards = { first: [101], second: [51, 50], renewal: [51, 50] };
    await sameEitherWay(awards, async (shop, pause) => {
      await shop.program({
        attribution: 'linear',
        creditsPer: 'opportunity',
        pays: ['sale', 'renewal'],
        reward: { type: 'percent', percent: 100 },
      });
      for (const code of ['ada', 'ben']) await shop.collaborator(code);
      const visitor = await shop.visit('ada');
      await shop.sell('first', visitor, { total: 1.01 });
      await pause();
      // If the first sale is decided late, Ada's new engagement is created after Ben's engagement.
      for (const code of ['ada', 'ben']) await shop.visit(code, { oid: visitor });
      await shop.sell('second', visitor, { total: 1.01 });
      await pause();
      await shop.renew('renewal', 'second', { total: 1.01 });
    });
  });

  it('a touch, not a manual credit, gets the extra cent of a renewal', async () => {
    const awards = { sale: [101, 101], renewal: [51, 50] };
    await sameEitherWay(awards, async (shop, pause, decideAll) => {
      const programId = await shop.program({
        pays: ['sale', 'renewal'],
        reward: { type: 'percent', percent: 100 },
      });
      for (const code of ['ada', 'ben']) await shop.collaborator(code);
      const visitor = await shop.visit('ben');
      await shop.sell('sale', visitor, { total: 1.01 });
      await decideAll();
      await shop.credit('sale', { programId, collaboratorId: 1 });
      await pause();
      await shop.renew('renewal', 'sale', { total: 1.01 });
    });
  });
});

async function sellTwiceAndRefundTheFirst(shop: Shop, pause: () => Promise<void>): Promise<void> {
  await shop.collaborator('ada');
  const visitor = await shop.visit('ada');
  await shop.sell('first', visitor, { total: 90 });
  await pause();
  await shop.sell('second', visitor, { total: 90 });
  await pause();
  await shop.refund('first');
}

/**
 * Runs a story once with immediate decisions and once with late decisions. Asserts that the outcomes are equal, and
 * that each sale in `awards` gets the given awards, in cents.
 */
async function sameEitherWay(awards: Record<string, readonly number[]>, story: Story): Promise<void> {
  const [idle, late] = [await runStory(story, true), await runStory(story, false)];
  const awarded = Object.fromEntries(
    Object.keys(awards).map((sale) => [
      sale,
      idle.conversions.filter(({ of }) => of === sale).map(({ awarded }) => awarded),
    ]),
  );
  assert.deepEqual(awarded, awards);
  assert.deepEqual(late, idle);
}

async function runStory(story: Story, isIdle: boolean) {
  const service = await startService({ WHENCE_ROLE: 'api' });
  const shop = openShop(service);
  const decideAll = async (): Promise<void> => {
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await service.settled();
    await worker.stop();
  };
  try {
    await story(shop, isIdle ? decideAll : async () => {}, decideAll);
    await decideAll();
    assert.deepEqual((await replaySales(service.database)).differences, []);
    assert.deepEqual((await replayReports(service.database)).differences, []);
    assert.deepEqual((await verify(service.database)).breaches, []);
    return await readOutcome(service, shop);
  } finally {
    await service.stop();
  }
}

/** Returns the results of all decisions, without the ids and times that differ each time. */
async function readOutcome(service: TestService, shop: Shop) {
  const sales = new Map(
    (await shop.get<{ id: number; externalId: string }[]>('/v1/transactions?sort=id')).map((one) => [
      one.id,
      one.externalId,
    ]),
  );
  const conversions = await shop.get<(Conversion & { awarded: number })[]>('/v1/conversions?sort=id');
  const obligations = await shop.get<{ amount: number; status: string }[]>('/v1/obligations?sort=id');
  const engagements = await shop.get<{ status: string; score: number }[]>('/v1/engagements?sort=id');
  const { rows: explanations } = await service.database.query(
    `select t.external_id, x.base, x.reason, x.candidates from explanations x
     join transactions t on t.organization_id = x.organization_id and t.id = x.transaction_id order by t.id`,
  );
  return {
    conversions: conversions
      .map(({ transactionId, collaboratorId, awarded, amount, status }) => ({
        of: sales.get(transactionId),
        collaboratorId,
        awarded,
        amount,
        status,
      }))
      .sort((a, b) => String(a.of).localeCompare(String(b.of))),
    // A reversed refund leaves a rejected obligation only if the refund was processed before the reversal.
    obligations: obligations
      .flatMap(({ amount, status }) => (status === 'rejected' ? [] : [`${amount} ${status}`]))
      .sort(),
    engagements: scoresByStatus(engagements),
    explanations: JSON.parse(JSON.stringify(explanations, withoutIds)) as unknown,
  };
}

/** Sums the scores of valid engagements by status. Late decisions divide touches among different engagements. */
function scoresByStatus(engagements: readonly { status: string; score: number }[]): Record<string, number> {
  const scores: Record<string, number> = {};
  for (const { status, score } of engagements) {
    if (status !== 'invalid') scores[status] = (scores[status] ?? 0) + score;
  }
  return scores;
}

function withoutIds(name: string, value: unknown): unknown {
  return /Id$|At$|^completedBy$/.test(name) ? undefined : value;
}
