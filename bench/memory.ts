import { parseArgs } from 'node:util';
import { numeral } from './figures.ts';
import { runLoad } from './load.ts';
import { startBench } from './processes.ts';
import { residentMemory } from './resident-memory.ts';
import { workload } from './workload.ts';

/*
 * `npm run bench:memory`: what the service has in memory under full load of each kind in turn (95 visits, 4 sales and a
 * refund; sales; sales of ten lines), every ten seconds, and at the end the most that it ever had. Rounds are the same, so
 * that what grows shows.
 */

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    callers: { type: 'string', default: '256' },
    every: { type: 'string', default: '10' },
  },
});
const callers = Number(options.callers);
const every = Number(options.every);

const bench = await startBench();
try {
  const shop = workload(bench.key);
  const load = { port: bench.port, callers, onAnswer: shop.keep };
  await runLoad({ ...load, seconds: 1, next: shop.newVisit });
  const kinds = [
    ['mix', shop.mix],
    ['sales', shop.sale],
    ['sales of ten lines', shop.longSale],
  ] as const;
  const deadline = performance.now() + Number(options.minutes) * 60_000;
  for (let n = 0; performance.now() < deadline; n += 1) {
    const [name, next] = kinds[n % kinds.length] as (typeof kinds)[number];
    const { requestsPerSecond, failures } = await runLoad({ ...load, seconds: every, next });
    process.stdout.write(
      `${numeral((n + 1) * every).padStart(5)} s  ${name.padEnd(20)} ${numeral(requestsPerSecond).padStart(7)}/s  ` +
        `${numeral(residentMemory(bench.pid).now).padStart(4)} MB${failures > 0 ? `  ${failures} FAILED` : ''}\n`,
    );
  }
  process.stdout.write(`at most ${numeral(residentMemory(bench.pid).peak)} MB\n`);
} finally {
  await bench.stop();
}
