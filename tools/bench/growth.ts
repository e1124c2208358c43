import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { verify } from '#verify/verify.ts';
import { waitForSums } from './backlog.ts';
import { Figures, numeral } from './figures.ts';
import { fill } from './fill.ts';
import { timeLists, type Timed } from './lists.ts';
import { startBench, withBench } from './processes.ts';
import { deactivateOtherPrograms, measureRates } from './rates.ts';
import { timeReports } from './reports.ts';

/*
 * `node tools/bench/growth.ts --opportunities 10000000`: compares the rates of the service on an empty database and on
 * a filled database. Then measures the lists with each sort and filter, and the reports.
 *
 * The measurements of rates alternate between both databases, so that changes of the machine's speed affect both.
 * `--keep <folder>` keeps the filled database for later measurements. BENCH_DATABASE_URL selects another server, whose
 * user must be a superuser.
 */

const { values: options } = parseArgs({
  options: {
    opportunities: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    callers: { type: 'string', default: '64' },
    samples: { type: 'string', default: '12' },
    'no-rates': { type: 'boolean', default: false },
    'no-lists': { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});
const runs = Number(options.runs);
const samples = Number(options.samples);
/** The guaranteed response time of lists in milliseconds, at the 95th percentile. */
const LIST_MS = 50;
const REPORT_MS = 300;
/** The guaranteed rate on a filled database, as a share of the rate on an empty database. */
const SHARE = 0.85;
const CONNECTIONS = 100;
const EMPTY = 'whence_empty';
const FILLED = `whence_filled_${Number(options.opportunities)}`;

const started = performance.now();
const server = await startServer();
try {
  say(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`);
  await makeFilled();
  if (!options['no-rates']) await compareRates();
  await sayVerified();
  if (!options['no-lists']) await sayLists();
} finally {
  await server.stop();
}

async function startServer(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const own = process.env['BENCH_DATABASE_URL'];
  if (own !== undefined) return { url: own, stop: () => Promise.resolve() };
  const folder = options.keep ?? (await mkdtemp(join(tmpdir(), 'whence-growth-')));
  await mkdir(folder, { recursive: true });
  // PostgreSQL may run as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const { url, stop } = await startEmbedded({
    dataDir: join(folder, 'data'),
    log: () => {},
    maxConnections: CONNECTIONS,
  });
  return {
    url,
    stop: async () => {
      await stop();
      if (options.keep === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Selects a database on the server for all processes that start afterwards. Returns its URL. */
function choose(name: string): string {
  const url = new URL(server.url);
  url.pathname = name;
  process.env['BENCH_DATABASE_URL'] = url.href;
  return url.href;
}

async function withDatabase<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = openDatabase(url, { connections: 2 });
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

/**
 * Creates and fills the database, unless it is already filled. If an earlier fill was interrupted, starts again from
 * the beginning.
 */
async function makeFilled(): Promise<void> {
  const known = await withDatabase(server.url, async (database) => {
    const { rows } = await database.query<{ remark: string | null }>(
      `select shobj_description(oid, 'pg_database') as remark from pg_database where datname = $1`,
      [FILLED],
    );
    if (rows[0]?.remark === 'filled') return true;
    await database.query(`drop database if exists ${FILLED}`);
    await database.query(`create database ${FILLED}`);
    return false;
  });
  const url = choose(FILLED);
  if (known) return say(`${FILLED} was already filled by an earlier run`);
  // `startBench` creates the schema, the first organization and its program.
  await (await startBench()).stop();
  await withDatabase(url, async (database) => {
    await fill(database, Number(options.opportunities), say);
    await deactivateOtherPrograms(database);
    await database.query(`comment on database ${FILLED} is 'filled'`);
    await sayBytes(database);
  });
}

/**
 * Compares the rates on an empty database with the rates on the filled database. The measurements alternate, so that
 * changes of the machine's speed affect both databases.
 */
async function compareRates(): Promise<void> {
  const figures = new Figures();
  const rates = { callers: Number(options.callers), seconds: Number(options.seconds) };
  for (let run = 1; run <= runs; run += 1) {
    say(`rates, run ${run} of ${runs}`);
    await withDatabase(server.url, async (database) => {
      await database.query(`drop database if exists ${EMPTY}`);
      await database.query(`create database ${EMPTY}`);
    });
    choose(EMPTY);
    await measureRates('empty', figures, rates);
    choose(FILLED);
    await measureRates('full', figures, rates);
  }
  await withDatabase(server.url, (database) => database.query(`drop database if exists ${EMPTY}`));
  say(`\n${figures.table()}`);
  say(`share of the rate on an empty database (${SHARE} is promised)`);
  const medians = figures.medians();
  for (const [name, full] of medians) {
    const [, what] = /^full: (.* a second.*)$/.exec(name) ?? [];
    if (what !== undefined) say(`${what.padEnd(44)} ${numeral(full / (medians.get(`empty: ${what}`) ?? NaN), 2)}`);
  }
  for (const what of ['visit', 'sale']) {
    say(`bytes a ${what}: ${numeral(medians.get(`full: bytes a ${what}`) ?? NaN)}`);
  }
}

async function sayLists(): Promise<void> {
  choose(FILLED);
  await withBench(async ({ port, key }, database) => {
    const base = `http://127.0.0.1:${port}`;
    await deactivateOtherPrograms(database);
    await waitForSums(database);
    sayTimes('lists and reads', await timeLists(base, key, database, samples), LIST_MS);
    for (const { limit, name, timed } of await timeReports(base, key, database, samples)) {
      sayTimes(name, timed, limit === 'list' ? LIST_MS : REPORT_MS);
    }
  });
}

async function sayVerified(): Promise<void> {
  if (!options.verify) return;
  const { checked, breaches } = await withDatabase(choose(FILLED), (database) => verify(database));
  say(`verify: ${checked} invariants, ${breaches.length} breaches`);
  for (const { invariant, detail } of breaches) say(`  ${invariant}: ${detail}`);
}

/**
 * Prints the average size of a row in each large table of the filled database. The indexes were built after the rows
 * were written, so they are smaller than indexes that grow with use.
 */
async function sayBytes(database: Database): Promise<void> {
  const { rows } = await database.query<{ name: string; rows: number; heap: number; indexes: number }>(
    `select coalesce(p.inhparent::regclass::text, c.relname) as name, sum(greatest(c.reltuples, 0))::bigint as rows,
       sum(pg_table_size(c.oid))::bigint as heap, sum(pg_indexes_size(c.oid))::bigint as indexes
     from pg_class c left join pg_inherits p on p.inhrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     group by 1 having sum(pg_total_relation_size(c.oid)) > 1000000 order by 3 desc`,
  );
  say('\nbytes a row as filled: table, indexes');
  for (const row of rows) {
    const each = (bytes: number): string => numeral(bytes / Math.max(row.rows, 1)).padStart(6);
    say(`${row.name.padEnd(24)} ${numeral(row.rows).padStart(12)} rows ${each(row.heap)} ${each(row.indexes)}`);
  }
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

/** Prints a line with the seconds since the start, which shows progress. */
function say(line: string): void {
  const at = numeral((performance.now() - started) / 1000).padStart(5);
  process.stdout.write(`${line.replace(/^(?=[^\n])/gm, `${at}  `)}\n`);
}
