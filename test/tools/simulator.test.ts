import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { reportText } from '#tools/simulate/report-text.ts';
import { Crowd, momentsOf, MOST_SHOPPERS } from '#tools/simulate/schedule.ts';
import { habitsOf, type Result, simulate, type SimulationOptions } from '#tools/simulate/simulation.ts';
import { storyOf } from '#tools/traffic/story.ts';
import { type BadLine, openBadLine, type ProxiedRequest } from '../support/bad-line.ts';
import { diceOf, SEED } from '../support/random.ts';
import { type TestService, startService } from '../support/service.ts';
import { openShop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

const RUN = join(import.meta.dirname, '..', '..', 'tools', 'simulate', 'run.ts');

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

  async function run(change: Partial<SimulationOptions> = {}): Promise<Result> {
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

  it('has each report recorded exactly once over a connection that fails and loses responses, with a rate limit', async () => {
    const dice = diceOf(SEED);
    line.happens(({ path }) => {
      if (!path.startsWith('/v1/event/')) return 'pass';
      const at = dice.roll(20);
      return ([undefined, 'cut', 'lose-answer', 'busy', 'limited'] as const)[at] ?? 'pass';
    });
    const report = await run({ seconds: 2, publishableKey: service.publishableKey, databaseUrl: service.databaseUrl });
    line.happens(() => 'pass');
    assert.ok(report.holds, `seed ${SEED}\n${reportText(report)}`);
    assert.equal(report.sent, 400);
    assert.ok(report.orders > 0 && (report.verified ?? 0) > 10);
    for (const why of ['ECONNRESET', '429', '503']) assert.ok(report.tally.unknowns.has(why), why);
    assert.ok(report.amounts.some(({ earned }) => earned > 0));
    assert.match(reportText(report), /Everything was answered and decided, and every order is as reported/);
  });

  it('sends the same reports for the same seed, and other reports for another seed', async () => {
    const first = await reportsOf('first');
    // The simulation sends 150 reports, and repeats some of them.
    assert.ok(first.length >= 150 && first.length < 200, String(first.length));
    assert.deepEqual(await reportsOf('second'), first);
    const habits = habitsOf('run', ['tracking:ada']);
    assert.notDeepEqual(storyOf(diceOf(2, 0), habits, 0), storyOf(diceOf(1, 0), habits, 0));
  });

  /**
   * Runs a simulation and returns the reports that it sends, sorted. The parts that depend on the service or on the
   * name of the simulation are removed.
   */
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

  it('detects a missing order and a missing refund that were acknowledged', async () => {
    let lost: { order?: string; refund?: string } = {};
    line.happens((passing) => {
      const order = passing.path.startsWith('/v1/event/') ? orderOf(passing) : undefined;
      if (order === undefined) return 'pass';
      if (passing.path === '/v1/event/sale') return order === (lost.order ??= order) ? 'swallow' : 'pass';
      // Also drop the refunds of the lost order, because the service would reject them. Then drop the refunds of one
      // other order.
      if (order !== lost.order) lost.refund ??= order;
      return order === lost.order || order === lost.refund ? 'swallow' : 'pass';
    });
    let found = await run({ rate: 400, patience: 2 });
    // On a busy machine, a simulation of one second may send no refund. Run longer simulations until a refund is lost.
    for (let seconds = 2; lost.refund === undefined && seconds <= 16; seconds *= 2) {
      lost = {};
      found = await run({ rate: 400, patience: 2, seconds });
    }
    const { holds, complaints } = found;
    const words = complaints.map(({ kind, words }) => `${kind}: ${words}`).join('\n');
    assert.equal(holds, false);
    assert.match(words, new RegExp(`lost: Order ${lost.order} was acknowledged, but doesn’t exist`));
    assert.match(words, new RegExp(`lost: Order ${lost.refund}: \\d+ of \\d+ were refunded, but the service has 0`));
  });

  it('fails and counts the reports that got no response, without complaints about any order', async () => {
    let orders = 0;
    line.happens(({ path }) => (path === '/v1/event/sale' && (orders += 1) > 3 ? 'lose-answer' : 'pass'));
    const report = await run({ patience: 1 });
    assert.equal(report.holds, false);
    assert.ok(report.unanswered > 0);
    // An unanswered report may or may not have been recorded, so neither result is a complaint.
    assert.deepEqual(report.complaints, []);
    assert.match(reportText(report), /never answered: whether they count is unknown/);
  });

  it('ends early when stopped, and still returns a result', async () => {
    line.happens(() => 'pass');
    const stop = new AbortController();
    runs += 1;
    const options = { url: line.url, key: service.secretKey, name: `run-${runs}`, seed: 1, referrers: 2 };
    const long = { ...options, rate: 100, seconds: 3_600, burst: 1, callers: 8, patience: 30 };
    const report = await simulate(long, () => stop.abort(), stop.signal);
    assert.ok(report.holds && report.sent > 0 && report.sent < 1_000);
    assert.match(reportText(report), /It ended early/);
  });

  it('ends with an error if the service stays unreachable', async () => {
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
    assert.match(reportText(report), /The service has not responded for 2 s/);
    line.happens(({ path }) => (path === '/v1/programs' ? 'cut' : 'pass'));
    await assert.rejects(run({ patience: 0 }), /programs was not answered within 2 s/);
    line.happens(() => 'pass');
  });

  it('refuses the name of an earlier simulation, because the orders would be duplicates', async () => {
    await assert.rejects(run({ name: 'run-1' }), /Choose another name/);
  });

  it('can be started as a command for existing collaborators, and then creates no collaborators', async () => {
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

  it('prints one line that explains why it cannot start', async () => {
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
  it('has rate × time reports, with bursts of three times as many reports in one second of ten', () => {
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

  it('gives each shopper of each simulation a distinct user id', () => {
    // The highest number of shoppers: a week at the highest rate, if each shopper sends one report.
    const most = 20_000 * 604_800;
    const names = ['a', 'b', 'simulation-m1', 'z'.repeat(40)];
    const users = names.flatMap((name) =>
      [0, 3, 1_000_003, most].map((shopper) => habitsOf(name, []).firstUser + shopper),
    );
    assert.equal(new Set(users).size, users.length);
    assert.ok(users.every((user) => Number.isSafeInteger(user) && user >= 4e15));
  });

  it('never has more than the maximum number of unfinished shoppers, regardless of the length of their pauses', () => {
    const crowd = new Crowd<number>();
    let arrived = 0;
    let gone = 0;
    for (let turn = 0; turn < 5 * MOST_SHOPPERS; turn += 1) {
      const shopper = crowd.next() ?? (arrived += 1);
      if (turn % 7 === 0) gone += 1;
      else crowd.rest(shopper, 1e12);
      assert.ok(arrived - gone <= MOST_SHOPPERS);
    }
    assert.ok(arrived - gone > MOST_SHOPPERS / 2);
  });
});

function orderOf({ body }: ProxiedRequest): string | undefined {
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
