import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '#platform/postgres/database.ts';
import { drain } from './backlog.ts';
import { Figures, numeral, quantile } from './figures.ts';
import { type Load, type Result, runLoad } from './load.ts';
import { commitEach } from './pgbench.ts';
import { READY, withBench } from './processes.ts';
import { batchedStore, singleStore } from './store.ts';
import { workload } from './workload.ts';

/*
 * `npm run bench`: measures the throughput of the service as a share of the ceiling. The ceiling is the throughput of a
 * POST that does nothing, with the same HTTP server, measured before and after each load. Then measures the same writes
 * without HTTP, and with one commit per report.
 *
 * The service is a separate process with an empty database. The load generator runs on the same cores.
 */

const { values: options } = parseArgs({
  options: {
    callers: { type: 'string', default: '64,256' },
    seconds: { type: 'string', default: '4' },
    runs: { type: 'string', default: '1' },
    'no-store': { type: 'boolean', default: false },
  },
});
const callerCounts = options.callers.split(',').map(Number);
const seconds = Number(options.seconds);
const runs = Number(options.runs);
const NOOP_READY = /^(\d+)$/;
const SAMPLE_MS = 10;
const NOTHING_SECONDS = 2;
const DRAINING_CALLERS = 64;
const FULL_SHARE = 0.8;

const figures = new Figures();
process.stdout.write(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, ${seconds} s each\n`);
for (let run = 1; run <= runs; run += 1) {
  process.stdout.write(`\nrun ${run} of ${runs}\n`);
  for (const callers of callerCounts) await measureService(callers);
  await measureDraining();
  if (!options['no-store']) await measureStore();
}
if (runs > 1) process.stdout.write(`\n${figures.table()}`);

/** Measures one service on an empty database with each kind of load in turn. */
async function measureService(callers: number): Promise<void> {
  await withBench(async (bench, database) => {
    const { match } = await bench.start(['tools/bench/serve.ts'], NOOP_READY, { DATABASE_URL: bench.databaseUrl });
    const noopPort = Number(match[1]);
    const shop = workload(bench.key);
    const load = (next: Load['next'], more: { seconds?: number; rate?: number } = {}): Promise<Result> =>
      runLoad({ port: bench.port, callers, seconds, next, onAnswer: shop.keep, ...more });
    const label = (name: string): string => `${name}, ${callers} callers`;
    const doNothing = (): Promise<Result> =>
      runLoad({ port: noopPort, callers, seconds: NOTHING_SECONDS, next: shop.nothing });
    await doNothing();
    await load(shop.newVisit);

    const parts: [name: string, next: Load['next']][] = [
      ['new visits', shop.newVisit],
      ['continuing visits', shop.continuingVisit],
      ['sales', shop.sale],
      ['refunds', shop.refund],
      ['sales of ten lines', shop.longSale],
      ['95 visits, 4 sales, 1 refund', shop.mix],
    ];
    // The speed of the machine changes within a minute, so the ceiling is the mean of two measurements, before and
    // after the load.
    let before = await doNothing();
    let fullRate = NaN;
    for (const [name, next] of parts) {
      const result = await load(next);
      const { backlog, seconds: drained } = await drain(database);
      const after = await doNothing();
      showRate(label('nothing'), after, after.requestsPerSecond);
      showRate(label(name), result, (before.requestsPerSecond + after.requestsPerSecond) / 2);
      before = after;
      if (name === 'sales') fullRate = result.requestsPerSecond;
      if (!/sales|refunds/.test(name)) continue;
      show(label(`${name}: undecided at the end`), backlog, '');
      show(label(`${name}: until none is left`), drained, ' s', 2);
    }
    const watch = watchWaits(database);
    await load(shop.sale, { rate: fullRate * FULL_SHARE });
    const waits = (await watch.stop()).toSorted((a, b) => a - b);
    show(label('sales at 80%: the oldest undecided, p99'), quantile(waits, 0.99), ' ms');
  });
}

/**
 * Measures the rate at which a worker decides a backlog, without other load. No worker runs while the backlog is
 * created.
 */
async function measureDraining(): Promise<void> {
  await withBench(
    async (bench, database) => {
      const shop = workload(bench.key);
      const load = { port: bench.port, callers: DRAINING_CALLERS, seconds, onAnswer: shop.keep };
      await runLoad({ ...load, next: shop.newVisit });
      await runLoad({ ...load, next: shop.sale });
      await bench.start(['src/cli.js', 'start'], READY, { DATABASE_URL: bench.databaseUrl, WHENCE_ROLE: 'worker' });
      const { backlog, seconds: drained } = await drain(database);
      show('a backlog is decided, sales a second', backlog / drained, '');
    },
    { WHENCE_ROLE: 'api' },
  );
}

/**
 * Measures the same writes without HTTP: in the batches of the HTTP layer, with one report per commit, and with
 * pgbench.
 */
async function measureStore(): Promise<void> {
  await withBench(async (bench) => {
    // pgbench copies the explanation of a decided sale, so create a decided sale first.
    const shop = workload(bench.key);
    const load = { port: bench.port, callers: 1, onAnswer: shop.keep, seconds: 0.1 };
    await runLoad({ ...load, next: shop.newVisit });
    await runLoad({ ...load, next: shop.sale });
    for (const [name, rate] of await batchedStore(bench.databaseUrl, seconds)) show(name, rate, '');
    for (const [name, rate] of await singleStore(bench.databaseUrl, seconds)) show(name, rate, '');
    for (const [name, rate] of await commitEach(bench.databaseUrl, seconds)) show(name, rate, '');
  });
}

/**
 * Samples the age of the oldest undecided sale in milliseconds, until stopped. The age includes the commit of the
 * decision, which no timestamp in the database includes.
 */
function watchWaits(database: Database): { stop: () => Promise<number[]> } {
  let watching = true;
  const done = watch();
  return {
    stop: () => {
      watching = false;
      return done;
    },
  };

  async function watch(): Promise<number[]> {
    const waits: number[] = [];
    while (watching) {
      const { rows } = await database.query<{ wait: number }>(
        `select coalesce(extract(epoch from clock_timestamp() - min(e.occurred_at)) * 1000, 0)::float8 as wait
         from jobs j join events e on e.organization_id = j.organization_id and e.id = j.event_id`,
      );
      waits.push(rows[0]?.wait ?? 0);
      await setTimeout(SAMPLE_MS);
    }
    return waits;
  }
}

function showRate(name: string, { requestsPerSecond, p50, p99, failures }: Result, ceiling: number): void {
  figures.add(`${name}, a second`, requestsPerSecond, '');
  figures.add(`${name}, share of the ceiling`, requestsPerSecond / ceiling, '', 2);
  figures.add(`${name}, p99`, p99, ' ms', 1);
  if (failures > 0) figures.add(`${name}, FAILED`, failures, '');
  const share = numeral(requestsPerSecond / ceiling, 2);
  process.stdout.write(
    `${name.padEnd(44)} ${numeral(requestsPerSecond).padStart(8)}/s  ${share} of the ceiling  ` +
      `p50 ${numeral(p50, 2)} ms  p99 ${numeral(p99, 2)} ms${failures > 0 ? `  ${failures} FAILED` : ''}\n`,
  );
}

function show(name: string, value: number, unit: string, digits = 0): void {
  figures.add(name, value, unit, digits);
  process.stdout.write(`${name.padEnd(44)} ${numeral(value, digits).padStart(8)}${unit}\n`);
}
