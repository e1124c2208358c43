import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { runCommand } from '#test/support/process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { startService, type TestService } from '#test/support/service.ts';

describe('whence replay: deciding every sale again', () => {
  let service: TestService;
  let shop: Shop;

  before(async () => {
    service = await startService();
    shop = openShop(service);
  });

  after(async () => {
    await service.stop();
  });

  /** Asserts that replays of the sales and of the reports find no difference, and that every invariant holds. */
  async function decidedAlike(): Promise<void> {
    await service.settled();
    assert.deepEqual((await replaySales(service.database)).differences, []);
    assert.deepEqual((await replayReports(service.database)).differences, []);
    assert.deepEqual((await verify(service.database)).breaches, []);
  }

  it('uses visits, edits and merges as they were when each sale was reported', async () => {
    const program = await shop.program({ attribution: 'weighted' });
    await shop.collaborator('a');
    await shop.collaborator('b');
    const first = await shop.visit('a');
    await shop.visit('b', { oid: first });
    await shop.sell('v-1', first);
    await shop.visit('a', { oid: first, userId: 77 });
    await shop.change(`/v1/programs/${program}`, { reward: { type: 'percent', percent: 33.3333 } });
    await shop.sell('v-2', first);
    const second = await shop.visit('b');
    await shop.visit('b', { oid: second, userId: 77 });
    await shop.sell('v-3', second);
    await shop.sell('v-4', first);
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
    await decidedAlike();
  });

  it('uses engagements as they were at the sale’s position in the decision sequence', async () => {
    const program = await shop.program({ creditsPer: 'opportunity', attribution: 'linear' });
    await shop.collaborator('once');
    await shop.collaborator('twice');
    const visitor = await shop.visit('once');
    await shop.sell('c-1', visitor);
    await shop.sell('c-2', visitor);
    await shop.visit('once', { oid: visitor });
    await shop.visit('twice', { oid: visitor });
    await shop.sell('c-3', visitor);
    await shop.visit('once', { oid: visitor });
    await shop.refund('c-1');
    await service.settled();
    await shop.sell('c-4', visitor);
    await shop.refund('c-3');
    await service.settled();
    await shop.visit('twice', { oid: visitor });
    await shop.sell('c-5', visitor);
    const credited = await Promise.all(['c-1', 'c-2', 'c-3', 'c-4', 'c-5'].map((sale) => shop.earned(sale)));
    assert.deepEqual(
      credited.map((conversions) => conversions.filter(({ programId }) => programId === program).length),
      [1, 0, 2, 1, 2],
    );
    await decidedAlike();
  });

  it('counts awards for caps and tiers as they were at the sale’s position in the decision sequence', async () => {
    const program = await shop.program({
      autoApprove: false,
      tiers: { period: 'month', by: 'sum', steps: [{ from: 1500, reward: { type: 'percent', percent: 20 } }] },
      capPerPeriod: { period: 'year', amount: 4500 },
    });
    await shop.collaborator('tiered');
    const visitor = await shop.visit('tiered');
    const awarded: number[] = [];
    for (const sale of ['t-1', 't-2', 't-3', 't-4', 't-5']) {
      await shop.sell(sale, visitor);
      const conversion = (await shop.earned(sale)).find(({ programId }) => programId === program);
      awarded.push(conversion?.amount ?? 0);
      if (sale === 't-4') await shop.refund('t-2');
      await service.settled();
    }
    // Two sales earn 10.00 each. Then the tier pays 20.00, and the cap leaves 5.00 for the fourth sale. The refund of
    // the second sale frees 10.00 of the cap for the fifth sale.
    assert.deepEqual(awarded, [1000, 1000, 2000, 500, 1000]);
    await decidedAlike();
  });

  it('counts a manual rejection between two sales of different visitors', async () => {
    const program = await shop.program({
      autoApprove: false,
      tiers: { period: 'month', by: 'count', steps: [{ from: 1, reward: { type: 'percent', percent: 20 } }] },
    });
    await shop.collaborator('reviewed');
    const visitors = [await shop.visit('reviewed'), await shop.visit('reviewed'), await shop.visit('reviewed')];
    const amounts: number[] = [];
    for (const [n, visitor] of visitors.entries()) {
      await shop.sell(`r-${n}`, visitor);
      const conversion = (await shop.earned(`r-${n}`)).find(({ programId }) => programId === program);
      amounts.push(conversion?.amount ?? 0);
      if (n > 0) continue;
      const rejected = await service.request('POST', `/v1/conversions/${conversion?.id}/reject`, {
        key: service.secretKey,
        body: { reason: 'A test order' },
      });
      assert.equal(rejected.status, 200, rejected.text);
    }
    assert.deepEqual(amounts, [1000, 1000, 2000]);
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
    await decidedAlike();
  });

  it('counts awards that add up to more than the maximum amount', async () => {
    const steps = [{ from: 9_007_199_254_740_991, reward: { type: 'percent', percent: 50 } }];
    const program = await shop.program({
      reward: { type: 'percent', percent: 100 },
      tiers: { period: 'lifetime', by: 'sum', steps },
      capPerPeriod: { period: 'day', amount: 9_007_199_254_740_991 },
    });
    await shop.collaborator('huge');
    const visitor = await shop.visit('huge');
    const total = '90071992547409.91';
    const awarded: number[] = [];
    for (const sale of ['h-1', 'h-2', 'h-3']) {
      await shop.sell(sale, visitor, { total });
      awarded.push(
        ...(await shop.earned(sale)).filter(({ programId }) => programId === program).map(({ amount }) => amount),
      );
    }
    assert.deepEqual(awarded, [9_007_199_254_740_991]);
    await shop.change(`/v1/programs/${program}`, { capPerPeriod: null, tiers: { period: 'year', by: 'sum', steps } });
    for (const sale of ['h-4', 'h-5', 'h-6']) {
      await shop.sell(sale, visitor, { total });
      const conversion = (await shop.earned(sale)).find(({ programId }) => programId === program);
      assert.equal(conversion?.amount, 4_503_599_627_370_496);
    }
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
    await decidedAlike();
  });

  it('prints that there is no difference, and whence verify prints that all invariants hold', async () => {
    await decidedAlike();
    const settings = { DATABASE_URL: service.databaseUrl };
    const replay = await runCommand(['replay'], settings);
    assert.match(replay.printed, /^\d+ transactions decided again in \d+\.\d s: no difference\.\n$/);
    const fromReports = await runCommand(['replay', '--from-reports'], settings);
    assert.match(fromReports.printed, /^\d+ transactions decided again in \d+\.\d s: no difference\.\n$/);
    const verified = await runCommand(['verify'], settings);
    assert.match(verified.printed, /^All \d+ invariants hold\.\n$/);
    assert.deepEqual([replay.code, fromReports.code, verified.code], [0, 0, 0]);
  });

  it('finds changed awards, explanations and engagements when it replays the reports', async () => {
    const other = openShop({ ...service, secretKey: await service.foundOrganization('Other books') });
    await other.program({ creditsPer: 'opportunity' });
    await other.collaborator('t');
    await other.sell('x-1', await other.visit('t'));
    await service.settled();
    const { id } = await other.transactionOf('x-1');
    const { decided } = await replaySales(service.database);
    for (const [table, change, undo] of [
      ['conversions', 'awarded = awarded + 1', 'awarded = awarded - 1'],
      ['explanations', 'base = base + 1', 'base = base - 1'],
      ['engagements', 'score = score + 1', 'score = score - 1'],
    ] as const) {
      const row =
        table === 'engagements'
          ? 'opportunity_id = (select opportunity_id from transactions where id = $1)'
          : 'transaction_id = $1';
      await service.database.query(`update ${table} set ${change} where ${row}`, [id]);
      const replay = await replayReports(service.database);
      assert.deepEqual([replay.decided, replay.leftOut], [decided, 0]);
      assert.deepEqual(
        replay.differences.map(({ transactionId, detail }) => [
          transactionId,
          /only the (record|replay) has/.test(detail),
        ]),
        [
          [id, true],
          [id, true],
        ],
        table,
      );
      await service.database.query(`update ${table} set ${undo} where ${row}`, [id]);
    }
    await decidedAlike();
  });

  it('finds a decision that was tampered with', async () => {
    const other = openShop({ ...service, secretKey: await service.foundOrganization('Tampered') });
    await other.program();
    await other.collaborator('t');
    await other.sell('x-1', await other.visit('t'));
    await service.settled();
    const { id } = await other.transactionOf('x-1');
    await service.database.query('update conversions set awarded = awarded + 1 where transaction_id = $1', [id]);
    const { differences } = await replaySales(service.database);
    assert.deepEqual(
      differences.map(({ transactionId }) => transactionId),
      [id, id],
    );
    await service.database.query('update conversions set awarded = awarded - 1 where transaction_id = $1', [id]);
    await service.database.query(
      `update explanations set candidates = jsonb_set(candidates, '{0,score}', '7') where transaction_id = $1`,
      [id],
    );
    assert.equal((await replaySales(service.database)).differences.length, 1);
    const settings = { DATABASE_URL: service.databaseUrl };
    const { code, printed } = await runCommand(['replay'], settings);
    assert.equal(code, 1);
    assert.match(printed, new RegExp(`DIFFERS {2}transaction ${id}: `));
  });
});
