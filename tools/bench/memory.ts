import { parseArgs } from 'node:util';
import { numeral } from './figures.ts';
import { runLoad } from './load.ts';
import { FLAGS, withBench } from './processes.ts';
import { readResidentMemory, residentMemoryOfServer } from './resident-memory.ts';
import { workload } from './workload.ts';

/*
 * `npm run bench:memory`: measures the memory of the service under full load, and by default prints it every ten
 * seconds. At the end, prints the maximum, and the averages of the first and the last third.
 *
 * Each round has the same three loads: a mix of 95 visits, 4 sales and a refund, then sales, then sales of ten lines.
 * PostgreSQL's memory is printed, but it isn't part of the maximum or the averages, because PostgreSQL uses free memory
 * as a cache.
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

await withBench(async (bench, database) => {
  print(`node ${FLAGS.join(' ')} (${process.version}), ${callers} callers`);
  const shop = workload(bench.key);
  const load = { port: bench.port, callers, onAnswer: shop.keep };
  await runLoad({ ...load, seconds: 1, next: shop.newVisit });
  const kinds = [
    ['mix', shop.mix],
    ['sales', shop.sale],
    ['of ten lines', shop.longSale],
  ] as const;
  const resident: number[] = [];
  const deadline = performance.now() + Number(options.minutes) * 60_000;
  while (performance.now() < deadline) {
    const rates: string[] = [];
    for (const [name, next] of kinds) {
      const { requestsPerSecond, failures } = await runLoad({ ...load, seconds: every / kinds.length, next });
      rates.push(`${name} ${numeral(requestsPerSecond).padStart(6)}/s${failures > 0 ? `, ${failures} FAILED` : ''}  `);
      // Measure after each kind of load, so that the averages include all of them.
      resident.push(readResidentMemory(bench.pid).now);
    }
    const seconds = numeral((resident.length / kinds.length) * every).padStart(5);
    const server = megabytes(await residentMemoryOfServer(database));
    print(`${seconds} s  ${rates.join('')}${megabytes(resident.at(-1))}, PostgreSQL ${server}`);
  }
  const third = Math.ceil(resident.length / 3);
  const [first, last] = [mean(resident.slice(0, third)), mean(resident.slice(-third))];
  print(`at most ${megabytes(readResidentMemory(bench.pid).peak)}`);
  print(`on average ${megabytes(first)} in the first third, ${megabytes(last)} in the last`);
});

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function megabytes(number = NaN): string {
  return `${numeral(number).padStart(4)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
