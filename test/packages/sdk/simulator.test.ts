import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type BadLine, openBadLine, type Passing } from '../../support/bad-line.ts';
import { diceOf as diceOfSeed, SEED } from '../../support/random.ts';
import { type TestService, startService } from '../../support/service.ts';
import { openShop } from '../../support/shop.ts';
import { verify } from '#verify/verify.ts';
import { Crowd, MOST_SHOPPERS } from '../../../tools/simulate/crowd.ts';
import { awardsOf, worthAfter } from '../../../tools/simulate/earnings.ts';
import { userOf } from '../../../tools/simulate/reporter.ts';
import { momentsOf } from '../../../tools/simulate/schedule.ts';
import { type Report, simulate, type SimulationOptions } from '../../../tools/simulate/simulation.ts';
import { storyOf } from '../../../tools/simulate/story.ts';
import { Latencies } from '../../../tools/simulate/tally.ts';
import { reportText } from '../../../tools/simulate/words.ts';

const RUN = join(import.meta.dirname, '..', '..', '..', 'tools', 'simulate', 'run.ts');

describe('a simulation', () => {
  let service: TestService;
  let line: BadLine;
  let runs = 0;
  before(async () => {
    service = await startService({ RATE_LIMIT_PUBLISHABLE: '150' });
    line = await openBadLine(service.url);
    // The merchant's own programs must not affect the result of the simulation.
    const shop = openShop(service);
    await shop.program({ name: 'For everyone', autoApprove: true });
    await shop.collaborator('ada');
  });
  after(async () => {
    await line.close();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  async function run(change: Partial<SimulationOptions> = {}): Promise<Report> {
    runs += 1;
    const report = await simulate({
      url: line.url,
      key: service.secretKey,
      name: `run-${runs}`,
      rate: 200,
      seconds: 1,
      burst: 3,
      seed: 1,
      referrers: 3,
      callers: 64,
      patience: 30,
      ...change,
    });
    assert.match(reportText(report), new RegExp(`seed ${report.options.seed}`));
    return report;
  }

  it('a simulation balances over a connection that fails and loses responses, with a rate limit', async () => {
    const dice = diceOfSeed(SEED);
    line.happens(({ path }) => {
      if (!path.startsWith('/v1/event/')) return 'pass';
      const at = dice.roll(20);
      return ([undefined, 'cut', 'lose-answer', 'busy', 'limited'] as const)[at] ?? 'pass';
    });
    const report = await run({ seconds: 2, publishableKey: service.publishableKey });
    line.happens(() => 'pass');
    assert.ok(report.holds, `seed ${SEED}\n${reportText(report)}`);
    assert.equal(report.sent, 400);
    assert.ok(report.orders > 0 && report.audit.lookedAt === report.orders);
    for (const status of ['none', '429', '503']) assert.ok(report.tally.answers.has(status), status);
    assert.ok(report.audit.earned.some(({ found }) => found > 0n));
    assert.match(reportText(report), /Everything was answered and decided, and the books agree/);
  });

  it('a simulation sends the same reports for the same seed, and others for another', async () => {
    const first = await reportsOf('first');
    assert.equal(first.length, 150);
    assert.deepEqual(await reportsOf('second'), first);
    assert.notDeepEqual(storyOf(2, 0, 3), storyOf(1, 0, 3));
  });

  /** Returns all reports of a run, without the parts that depend on the service or the run's name. */
  async function reportsOf(name: string): Promise<string[]> {
    const seen: string[] = [];
    line.happens(({ path, body }) => {
      if (path.startsWith('/v1/event/')) {
        seen.push(`${path} ${body.replace(/"(trackingId|userId)":\d+/, '').replaceAll(name, '')}`);
      }
      return 'pass';
    });
    assert.ok((await run({ name, rate: 150 })).holds);
    return seen.sort();
  }

  it('a simulation detects an acknowledged order and refund that are missing', async () => {
    let lost: { order?: string; refund?: string } = {};
    line.happens((passing) => {
      const order = passing.path.startsWith('/v1/event/') ? orderOf(passing) : undefined;
      if (order === undefined) return 'pass';
      if (passing.path === '/v1/event/sale') return order === (lost.order ??= order) ? 'swallow' : 'pass';
      // A refund of a missing order would be rejected, so the first lost order's refunds are dropped as well.
      if (order !== lost.order) lost.refund ??= order;
      return order === lost.order || order === lost.refund ? 'swallow' : 'pass';
    });
    let found = await run({ rate: 400, patience: 2 });
    // On a busy machine, one second may not contain a refund.
    for (let seconds = 2; lost.refund === undefined && seconds <= 16; seconds *= 2) {
      lost = {};
      found = await run({ rate: 400, patience: 2, seconds });
    }
    const { holds, audit } = found;
    const faults = audit.faults.join('\n');
    assert.equal(holds, false);
    assert.match(faults, new RegExp(`Order ${lost.order} was accepted, and there are 0 of it`));
    assert.match(faults, new RegExp(`Order ${lost.refund}: \\d+ of \\d+ are refunded, and it has 0`));
    assert.match(faults, /should have earned \d+ cents in (USD|EUR), and has \d+/);
  });

  it('a simulation names reports that were never answered, and checks the others', async () => {
    let orders = 0;
    line.happens(({ path }) => (path === '/v1/event/sale' && (orders += 1) > 3 ? 'lose-answer' : 'pass'));
    const report = await run({ patience: 1 });
    assert.equal(report.holds, false);
    assert.ok(report.unanswered > 0);
    // Unanswered reports may count or not. The books may differ only by that.
    assert.deepEqual(report.audit.faults, []);
    assert.ok(report.audit.earned.some(({ expected: { least, most } }) => least < most));
    assert.match(reportText(report), /never answered: whether they count is unknown/);
  });

  it('a simulation ends early when stopped, and still reports', async () => {
    line.happens(() => 'pass');
    const stop = new AbortController();
    runs += 1;
    const options = { url: line.url, key: service.secretKey, name: `run-${runs}`, seed: 1, referrers: 2 };
    const long = { ...options, rate: 100, seconds: 3_600, burst: 1, callers: 8, patience: 30 };
    const report = await simulate(long, () => stop.abort(), stop.signal);
    assert.ok(report.holds && report.sent > 0 && report.sent < 1_000);
    assert.match(reportText(report), /It ended early/);
  });

  it('a simulation ends if the service stays unreachable, and reports it', async () => {
    let isGone = false;
    line.happens(() => (isGone ? 'cut' : 'pass'));
    const stop = new AbortController();
    runs += 1;
    const options = { url: line.url, key: service.secretKey, name: `run-${runs}`, seed: 1, referrers: 2 };
    const long = { ...options, rate: 100, seconds: 3_600, burst: 1, callers: 8, patience: 1 };
    const pull = () => {
      isGone = true;
      stop.abort();
    };
    const report = await simulate(long, pull, stop.signal);
    assert.equal(report.holds, false);
    assert.match(reportText(report), /The service has answered nothing for 2 s/);
    line.happens(({ path }) => (path === '/v1/programs' ? 'cut' : 'pass'));
    await assert.rejects(run({ patience: 0 }), /The service has answered nothing for 2 s/);
    line.happens(() => 'pass');
  });

  it('a simulation refuses a name used before, because its orders would be duplicates', async () => {
    await assert.rejects(run({ name: 'run-1' }), /give this one another name/);
  });

  it('a simulation runs as a command, with existing collaborators', async () => {
    const before = await service.request('GET', '/v1/collaborators', { key: service.secretKey });
    const { code, printed } = await command(
      ['--url', service.url, '--seconds', '2', '--rate', '50', '--to', 'tracking:ada', '--name', 'by-hand'],
      { WHENCE_KEY: service.secretKey },
    );
    assert.equal(code, 0, printed);
    assert.match(printed, /\d s +\d+ reports \(\d+ visits/);
    assert.match(printed, /Simulation by-hand, seed \d+: 100 of 100 reports/);
    const after = await service.request('GET', '/v1/collaborators', { key: service.secretKey });
    assert.deepEqual(after.body, before.body);
  });

  it('a simulation prints one line that explains why it cannot start', async () => {
    const wrong = { WHENCE_KEY: `sk_live_${'k'.repeat(43)}` };
    const [refused, away, keyless, endless] = await Promise.all([
      command(['--url', service.url], wrong),
      command(['--url', 'http://127.0.0.1:9'], wrong),
      command(['--url', service.url], {}),
      command(['--seconds', '604801'], wrong),
    ]);
    assert.deepEqual([refused.code, /401 unauthenticated/.test(refused.printed)], [1, true], refused.printed);
    assert.deepEqual([away.code, /connection-failed/.test(away.printed)], [1, true], away.printed);
    assert.deepEqual([keyless.code, keyless.printed], [1, 'A secret key is missing: set WHENCE_KEY.\n']);
    assert.deepEqual([endless.code, /It must be 1 to 604800/.test(endless.printed)], [1, true], endless.printed);
  });
});

describe('the traffic of a simulation', () => {
  it('the traffic has rate × time reports, three times as many in one second of ten', () => {
    const moments = [...momentsOf({ rate: 120, seconds: 20, burst: 3, seed: 1 })];
    assert.equal(moments.length, 2_400);
    assert.deepEqual(
      moments,
      moments.toSorted((a, b) => a - b),
    );
    const seconds = Map.groupBy(moments, (moment) => Math.floor(moment / 1_000));
    assert.deepEqual(
      [...seconds.values()].map(({ length }) => length).sort((a, b) => a - b),
      [...Array<number>(18).fill(100), 300, 300],
    );
    assert.equal([...momentsOf({ rate: 0.5, seconds: 9, burst: 1, seed: 1 })].length, 4);
  });

  it('the traffic gives each shopper of a run a distinct user id', () => {
    // One report per shopper, for a week, at the highest rate.
    const most = 20_000 * 604_800;
    const names = ['a', 'b', 'simulation-m1', 'z'.repeat(40)];
    const users = names.flatMap((name) => [0, 3, 1_000_003, most].map((shopper) => userOf(name, shopper)));
    assert.equal(new Set(users).size, users.length);
    assert.ok(users.every((user) => Number.isSafeInteger(user) && user >= 4e15));
  });

  it('the traffic never holds more shoppers than its limit, however long they pause', () => {
    const crowd = new Crowd<number>();
    let arrived = 0;
    let gone = 0;
    for (let turn = 0; turn < 5 * MOST_SHOPPERS; turn += 1) {
      const shopper = crowd.next() ?? (arrived += 1);
      if (turn % 7 === 0) gone += 1;
      else crowd.rest(shopper, 1e9);
      assert.ok(arrived - gone <= MOST_SHOPPERS);
    }
    assert.ok(arrived - gone > MOST_SHOPPERS / 2);
  });

  it('latency percentiles are accurate to 5%', () => {
    const latencies = new Latencies();
    assert.equal(latencies.percentile(0.5), undefined);
    for (let n = 1; n <= 1_000; n += 1) latencies.add(n);
    const median = latencies.percentile(0.5) ?? NaN;
    assert.ok(median >= 500 && median <= 525, String(median));
    assert.equal(latencies.percentile(1), 1_000);
    assert.equal(latencies.longest, 1_000);
  });
});

describe('the expected earnings of a simulated order', () => {
  const line = (type: 'product' | 'shipping' | 'discount', quantity: number, cents: number) => ({
    externalId: type,
    name: type,
    type,
    quantity,
    cents,
  });
  const order = {
    externalId: 'order-1',
    currency: 'USD',
    lines: [line('product', 3, 1_111), line('shipping', 1, 495), line('discount', 1, -333)],
    isBare: false,
    totalCents: 3_495,
  };

  it('simulated orders count products and discounts: 10% for the newest touch, 4.5% split equally', () => {
    assert.deepEqual(
      // 3,000 count: 300 for the newest touch, and 135 split between three.
      awardsOf(order, [2, 0, 1, 2, 0]),
      [
        { program: 0, referrer: 0, cents: 300n },
        { program: 1, referrer: 2, cents: 45n },
        { program: 1, referrer: 0, cents: 45n },
        { program: 1, referrer: 1, cents: 45n },
      ],
    );
    const odd = { ...order, isBare: true };
    // All of 3,495 counts: 349.5 for the newest, and 157.275 split. The oldest gets the odd cent.
    assert.deepEqual(awardsOf(odd, [1, 0]), [
      { program: 0, referrer: 0, cents: 350n },
      { program: 1, referrer: 1, cents: 79n },
      { program: 1, referrer: 0, cents: 78n },
    ]);
    assert.deepEqual(awardsOf(order, []), []);
  });

  it('simulated earnings shrink with refunds, and never fall below zero', () => {
    const award = { program: 0, referrer: 0, cents: 300n };
    const piece = order.lines[0]!;
    assert.equal(worthAfter(order, award, { refundId: 'r', kind: 'amount', cents: 1_165 }), 200n);
    assert.equal(worthAfter(order, award, { refundId: 'r', kind: 'items', line: piece, quantity: 1 }), 189n);
    assert.equal(worthAfter(order, award, { refundId: 'r', kind: 'items', line: piece, quantity: 3 }), 0n);
  });
});

function orderOf({ body }: Passing): string | undefined {
  return (JSON.parse(body) as { externalId?: string }).externalId;
}

function command(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ code: number; printed: string }> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, printed: stdout + stderr }),
    );
  });
}
