import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '#store/database.ts';
import { verify } from '#store/verify.ts';
import { numeral } from './figures.ts';
import { fill } from './fill.ts';
import { timeLists, type Timed } from './lists.ts';
import { runLoad } from './load.ts';
import { type Bench, startBench } from './processes.ts';
import { timeReports } from './reports.ts';
import { workload } from './workload.ts';

/*
 * `node bench/growth.ts --opportunities 10000000`: what the service does on an empty database, and what it still does once
 * that is filled; then how long every list takes by each of its sorts and filters, and every report. In one run, so that
 * the machine is the same. BENCH_DATABASE_URL may lead to a database that was filled before (`--kept`).
 */

const { values: options } = parseArgs({
  options: {
    opportunities: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '5' },
    callers: { type: 'string', default: '64' },
    samples: { type: 'string', default: '12' },
    kept: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const callers = Number(options.callers);
const samples = Number(options.samples);
/** What is promised, in milliseconds at the 95th percentile. */
const LIST_MS = 50;
const REPORT_MS = 300;
const SAMPLE_MS = 10;

type Rates = ReadonlyMap<string, number>;

const bench = await startBench();
const database = openDatabase(bench.databaseUrl, { connections: 2 });
try {
  say(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`);
  const empty = options.kept ? undefined : await measureRates(bench);
  if (!options.kept) await fill(database, Number(options.opportunities), say);
  await sayVerified();
  await sayBytes();
  const full = await measureRates(bench);
  for (const [name, rate] of full) sayRate(name, empty?.get(name), rate);
  const base = `http://127.0.0.1:${bench.port}`;
  sayTimes('lists and reads', await timeLists(base, bench.key, database, samples), LIST_MS);
  for (const { limit, name, timed } of await timeReports(base, bench.key, database, samples)) {
    sayTimes(name, timed, limit === 'list' ? LIST_MS : REPORT_MS);
  }
} finally {
  await database.end();
  await bench.stop();
}

async function measureRates({ port, key }: Bench): Promise<Rates> {
  const shop = workload(key, `growth-${Date.now()}`);
  const run = async (next: () => string): Promise<number> =>
    (await runLoad({ port, callers, seconds, next, onAnswer: shop.keep })).requestsPerSecond;
  await runLoad({ port, callers, seconds: 1, next: shop.newVisit, onAnswer: shop.keep });
  const visits = await run(shop.newVisit);
  const continuing = await run(shop.continuingVisit);
  const started = performance.now();
  const before = await decided(database);
  const sales = await run(shop.sale);
  await drained(database);
  const decidedEach = ((await decided(database)) - before) / ((performance.now() - started) / 1000);
  return new Map([
    ['new visits', visits],
    ['continuing visits', continuing],
    ['sales', sales],
    ['sales with their decision', decidedEach],
  ]);
}

async function drained(from: Database): Promise<void> {
  for (;;) {
    const { rows } = await from.query<{ waits: boolean }>('select exists (select from jobs) as waits');
    if (rows[0]?.waits !== true) return;
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}

/** Ids of transactions are drawn one by one, so the newest tells how many there are without a count. */
async function decided(from: Database): Promise<number> {
  const { rows } = await from.query<{ newest: number }>(
    `select pg_sequence_last_value('transaction_ids'::regclass) as newest`,
  );
  return rows[0]?.newest ?? 0;
}

async function sayVerified(): Promise<void> {
  if (!options.verify) return;
  const { checked, breaches } = await verify(database);
  say(`verify: ${checked} invariants, ${breaches.length} breaches`);
  for (const { invariant, detail } of breaches) say(`  ${invariant}: ${detail}`);
}

/** What a visit and a sale take with all their indexes: the tables that grow with them, by their rows. */
async function sayBytes(): Promise<void> {
  const { rows } = await database.query<{ name: string; rows: number; heap: number; indexes: number }>(
    `select coalesce(p.inhparent::regclass::text, c.relname) as name, sum(greatest(c.reltuples, 0))::bigint as rows,
       sum(pg_table_size(c.oid))::bigint as heap, sum(pg_indexes_size(c.oid))::bigint as indexes
     from pg_class c left join pg_inherits p on p.inhrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     group by 1 having sum(pg_total_relation_size(c.oid)) > 1000000 order by 3 desc`,
  );
  say('\nbytes a row: table, indexes');
  for (const row of rows) {
    const each = (bytes: number): string => numeral(bytes / Math.max(row.rows, 1)).padStart(6);
    say(`${row.name.padEnd(24)} ${numeral(row.rows).padStart(12)} rows ${each(row.heap)} ${each(row.indexes)}`);
  }
}

function sayRate(name: string, empty: number | undefined, full: number): void {
  const share = empty === undefined ? '' : `  ${numeral(empty)}/s on an empty database: ${numeral(full / empty, 2)}`;
  say(`${name.padEnd(28)} ${numeral(full).padStart(8)}/s${share}`);
}

function sayTimes(name: string, timed: readonly Timed[], limit: number): void {
  const figures = timed.map((each) => ({ ...each, sorted: each.times.toSorted((a, b) => a - b) }));
  const all = figures.flatMap(({ times }) => times).toSorted((a, b) => a - b);
  const slow = figures.filter(({ sorted }) => at(sorted, 0.95) > limit);
  say(
    `\n${name}: ${timed.length} kinds, ${all.length} requests: ${quantiles(all)}; above ${limit} ms at p95: ${slow.length}`,
  );
  for (const { name, sorted, refused } of (options.all ? figures : slow).toSorted(
    (a, b) => at(b.sorted, 0.95) - at(a.sorted, 0.95),
  )) {
    say(`  ${name.padEnd(64)} ${quantiles(sorted)}${refused === undefined ? '' : `  ${refused}`}`);
  }
}

function quantiles(sorted: readonly number[]): string {
  return [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${numeral(at(sorted, share), 1)}`).join(', ') + ' ms';
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
