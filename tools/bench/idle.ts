import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '#platform/postgres/database.ts';
import { Figures, numeral } from './figures.ts';
import { runLoad } from './load.ts';
import { end, READY, startBench, withBench } from './processes.ts';
import { secondsOf, secondsOfServer } from './processor-time.ts';
import { readResidentMemory } from './resident-memory.ts';
import { workload } from './workload.ts';

/*
 * `npm run bench:idle`: measures the cost of the idle service. The results are CPU seconds per minute of the service
 * and of PostgreSQL, transactions per second, resident memory, and the times to start and stop.
 */

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, starts: { type: 'string', default: '5' } },
});
const seconds = Number(options.seconds);
/**
 * The time in milliseconds after the load until the last sale is in the ledger chain, all caches are expired, and all
 * client connections are closed.
 */
const SETTLING_MS = 10_000;

await measureIdle();
await measureStart();

async function measureIdle(): Promise<void> {
  await withBench(async (bench, database) => {
    const shop = workload(bench.key);
    const load = { port: bench.port, callers: 16, seconds: 1, onAnswer: shop.keep };
    await runLoad({ ...load, next: shop.newVisit });
    await runLoad({ ...load, next: shop.sale });
    await setTimeout(SETTLING_MS);
    const before = await sample(database, bench.pid);
    await setTimeout(seconds * 1_000);
    const after = await sample(database, bench.pid);
    const perMinute = (cost: number): number => (cost * 60) / seconds;
    say('CPU of the service', perMinute(after.service - before.service), 's a minute');
    say('CPU of PostgreSQL', perMinute(after.postgres - before.postgres), 's a minute');
    say('transactions', (after.transactions - before.transactions) / seconds, 'a second');
    say('resident memory of the service', readResidentMemory(bench.pid).now, 'MB');
  });
}

type Sample = { readonly service: number; readonly postgres: number; readonly transactions: number };

async function sample(database: Database, service: number): Promise<Sample> {
  const { rows } = await database.query<{ transactions: number }>(
    'select xact_commit + xact_rollback as transactions from pg_stat_database where datname = current_database()',
  );
  return {
    service: secondsOf(service),
    postgres: await secondsOfServer(database),
    transactions: rows[0]?.transactions ?? NaN,
  };
}

/**
 * Measures the times to start and to stop the service. The first start creates the database and fills the compile cache
 * for later starts.
 */
async function measureStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-bench-'));
  const bench = await startBench();
  const figures = new Figures();
  try {
    for (let n = 0; n <= Number(options.starts); n += 1) {
      const started = performance.now();
      const { child } = await bench.start(['src/cli.js', 'start'], READY, { WHENCE_DATA_DIR: folder });
      const took = performance.now() - started;
      figures.add(n === 0 ? 'first start to ready' : 'start to ready', took, ' ms');
      const asked = performance.now();
      await end(child);
      if (n > 0) figures.add('stop', performance.now() - asked, ' ms');
    }
  } finally {
    await bench.stop();
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`\n${figures.table()}`);
}

function say(name: string, value: number, unit: string): void {
  process.stdout.write(`${name.padEnd(32)} ${numeral(value, 2).padStart(8)} ${unit}\n`);
}
