import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '#platform/postgres/database.ts';
import { drain } from './backlog.ts';
import { numeral } from './figures.ts';
import { runLoad } from './load.ts';
import { startBench } from './processes.ts';
import { workload } from './workload.ts';

/*
 * `npm run bench:backtest-load`: measures the response times of visits and sales at half of the rate that the service
 * reaches, alternately without a backtest and while the same process runs backtests.
 */

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    sales: { type: 'string', default: '20000' },
  },
});
const seconds = Number(options.seconds);
const CALLERS = 16;
const SALES_A_SECOND = 4_000;

const bench = await startBench();
const database = openDatabase(bench.databaseUrl, { connections: 1 });
const shop = workload(bench.key);
const kinds = ['newVisit', 'sale'] as const;
const load = (next: (typeof kinds)[number], time: number, rate?: number) =>
  runLoad({
    port: bench.port,
    callers: CALLERS,
    seconds: time,
    next: shop[next],
    onAnswer: shop.keep,
    ...(rate === undefined ? {} : { rate }),
  });
try {
  await load('newVisit', 5);
  let sold = 0;
  while (sold < Number(options.sales)) sold += (await load('sale', Number(options.sales) / SALES_A_SECOND)).total;
  await drain(database);
  process.stdout.write(`${sold} sales\n`);
  for (const kind of kinds) {
    const half = (await load(kind, 3)).requestsPerSecond / 2;
    await drain(database);
    process.stdout.write(`${kind}: half of the rate is ${numeral(half)} a second\n`);
    for (let round = 0; round < Number(options.rounds); round += 1) {
      show('  without a backtest', await load(kind, seconds, half));
      await drain(database);
      const backtests = runBacktests();
      await setTimeout(500);
      const result = await load(kind, seconds, half);
      show(`  with ${await backtests.stop()} backtests`, result);
      await drain(database);
    }
  }
} finally {
  await database.end();
  await bench.stop();
}

/** Runs backtests one after another until it is stopped. `stop` resolves with the number of finished backtests. */
function runBacktests(): { readonly stop: () => Promise<number> } {
  let isStopping = false;
  const running = (async () => {
    let finished = 0;
    while (!isStopping) {
      const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
      const drafts = [11, 12, 13].map((percent) => ({ terms: { reward: { type: 'percent', percent } } }));
      const { id } = await call('POST', '/v1/programs/1/backtest', { from: day(-2), until: day(2), drafts });
      for (;;) {
        const { status } = await call('GET', `/v1/backtests/${id}`);
        if (status === 'succeeded') finished += 1;
        if (status !== 'queued' && status !== 'running') break;
        if (isStopping) await call('POST', `/v1/backtests/${id}/cancel`, {}).catch(() => {});
        await setTimeout(100);
      }
    }
    return finished;
  })();
  return {
    stop: () => {
      isStopping = true;
      return running;
    },
  };
}

async function call(method: string, path: string, body?: object): Promise<{ id: number; status: string }> {
  const response = await fetch(`http://127.0.0.1:${bench.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as { id: number; status: string };
}

function show(name: string, { p50, p99, requestsPerSecond }: Awaited<ReturnType<typeof load>>): void {
  process.stdout.write(
    `${name.padEnd(28)} ${numeral(requestsPerSecond)} a second, median ${numeral(p50, 2)} ms, p99 ${numeral(p99, 2)} ms\n`,
  );
}
