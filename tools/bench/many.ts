import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Database } from '#platform/postgres/database.ts';
import { drain } from './backlog.ts';
import { Figures, numeral } from './figures.ts';
import { type Load, type Result, runLoad } from './load.ts';
import { type Bench, READY, withBench } from './processes.ts';
import { secondsOf, secondsOfServer } from './processor-time.ts';
import { workload } from './workload.ts';

/*
 * `npm run bench:many`: measures the throughput of several processes on one PostgreSQL, and the cost of a visit and
 * of a decided sale.
 *
 * The costs are the processor time of the API, the workers and PostgreSQL, the size of the write-ahead log, and the
 * disk space. docs/explanation/scaling.md uses these costs, because they hardly depend on other load.
 */

const { values: options } = parseArgs({
  options: {
    api: { type: 'string', default: '1,2,4' },
    workers: { type: 'string', default: '1,2' },
    callers: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '4' },
    runs: { type: 'string', default: '1' },
  },
});
const seconds = Number(options.seconds);
const callers = Number(options.callers);
const runs = Number(options.runs);
/**
 * The number of database connections of each additional process. All processes together must stay below the connection
 * limit of the embedded server.
 */
const CONNECTIONS_EACH = 8;
const CONNECTIONS_OF_FIRST = 100;
/** The visits per second for which docs/explanation/scaling.md shows the needed resources. */
const RATES = [1_000, 10_000, 100_000];
/** The number of decided sales per visit in docs/explanation/scaling.md. */
const SALES_A_VISIT = 0.04;
const SECONDS_A_DAY = 86_400;

type Kind = 'API' | 'workers' | 'PostgreSQL';
/** A service that runs as several processes. */
type Cluster = {
  readonly ports: readonly number[];
  readonly pids: Readonly<Record<'API' | 'workers', readonly (number | undefined)[]>>;
};
type Cost = Readonly<Record<Kind, number>> & { readonly log: number; readonly disk: number };

const figures = new Figures();
process.stdout.write(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, ${seconds} s each\n`);
for (let run = 1; run <= runs; run += 1) {
  process.stdout.write(`\nrun ${run} of ${runs}\n`);
  for (const api of numbersIn(options.api)) {
    for (const workers of numbersIn(options.workers)) await measure(api, workers);
  }
}
if (runs > 1) process.stdout.write(`\n${figures.table()}`);

/** Measures visits, and then sales until all of them are decided, on an empty database. */
async function measure(api: number, workers: number): Promise<void> {
  const name = `${api} API, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  await withBench(
    async (bench, database) => {
      const cluster = await startCluster(bench, api, workers);
      const shop = workload(bench.key);
      await loadAll(cluster, { callers, seconds: Math.min(1, seconds), next: shop.newVisit, onAnswer: shop.keep });

      const visits = await measureCost(database, cluster, async () => {
        const result = await loadAll(cluster, { callers, seconds, next: shop.newVisit, onAnswer: shop.keep });
        return { result, reports: result.total };
      });
      showRate(`${name}: new visits`, visits.result);
      showCost(`${name}: a new visit`, visits.cost);

      const sales = await measureCost(database, cluster, async () => {
        const result = await loadAll(cluster, { callers, seconds, next: shop.sale });
        return { result, reports: result.total, drained: await drain(database) };
      });
      showRate(`${name}: sales`, sales.result);
      show(`${name}: sales: undecided at the end`, sales.drained.backlog, '');
      show(`${name}: sales: until none is left`, sales.drained.seconds, ' s', 2);
      showCost(`${name}: a decided sale`, sales.cost);
      process.stdout.write(`\n${needsTable(visits.cost, sales.cost)}\n`);
    },
    { WHENCE_ROLE: 'api', DATABASE_CONNECTIONS: String(CONNECTIONS_OF_FIRST) },
  );
}

/** Starts the additional processes. The first process owns the embedded server and is already an API process. */
async function startCluster(bench: Bench, api: number, workers: number): Promise<Cluster> {
  const settings = { DATABASE_URL: bench.databaseUrl, DATABASE_CONNECTIONS: String(CONNECTIONS_EACH) };
  const start = (role: string) => bench.start(['src/cli.js', 'start'], READY, { ...settings, WHENCE_ROLE: role });
  const more = await Promise.all(Array.from({ length: api - 1 }, () => start('api')));
  const working = await Promise.all(Array.from({ length: workers }, () => start('worker')));
  return {
    ports: [bench.port, ...more.map(({ match }) => Number(match[1]))],
    pids: {
      API: [bench.pid, ...more.map(({ child }) => child.pid)],
      workers: working.map(({ child }) => child.pid),
    },
  };
}

/** Runs the same load on every API process, with the callers split evenly. */
async function loadAll({ ports }: Cluster, load: Omit<Load, 'port'>): Promise<Result> {
  const share = Math.ceil(load.callers / ports.length);
  const results = await Promise.all(ports.map((port) => runLoad({ ...load, port, callers: share })));
  const sum = (of: (result: Result) => number): number => results.reduce((total, result) => total + of(result), 0);
  return {
    requestsPerSecond: sum(({ requestsPerSecond }) => requestsPerSecond),
    p50: Math.max(...results.map(({ p50 }) => p50)),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    total: sum(({ total }) => total),
    failures: sum(({ failures }) => failures),
  };
}

/** Runs `work`, and returns its result with the average cost of a report. */
async function measureCost<Done extends { readonly reports: number }>(
  database: Database,
  cluster: Cluster,
  work: () => Promise<Done>,
): Promise<Done & { readonly cost: Cost }> {
  const before = await readCost(database, cluster);
  const done = await work();
  const after = await readCost(database, cluster);
  const each = (of: keyof Cost): number => (after[of] - before[of]) / done.reports;
  return {
    ...done,
    cost: {
      API: each('API'),
      workers: each('workers'),
      PostgreSQL: each('PostgreSQL'),
      log: each('log'),
      disk: each('disk'),
    },
  };
}

/** Returns the resources used so far, in seconds and bytes. */
async function readCost(database: Database, { pids }: Cluster): Promise<Cost> {
  const { rows } = await database.query<{ log: number; disk: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as log, pg_database_size(current_database()) as disk`,
  );
  const sumOf = (kind: 'API' | 'workers'): number => pids[kind].reduce<number>((sum, pid) => sum + secondsOf(pid), 0);
  return {
    API: sumOf('API'),
    workers: sumOf('workers'),
    PostgreSQL: await secondsOfServer(database),
    log: rows[0]?.log ?? NaN,
    disk: rows[0]?.disk ?? NaN,
  };
}

function numbersIn(list: string): number[] {
  return list.split(',').map(Number);
}

function showRate(name: string, { requestsPerSecond, p99, failures }: Result): void {
  show(`${name}, a second`, requestsPerSecond, '');
  show(`${name}, p99`, p99, ' ms', 1);
  if (failures > 0) show(`${name}, FAILED`, failures, '');
}

function showCost(name: string, cost: Cost): void {
  for (const kind of ['API', 'workers', 'PostgreSQL'] as const) show(`${name}, ${kind}`, cost[kind] * 1e6, ' µs', 0);
  show(`${name}, log`, cost.log, ' bytes');
  show(`${name}, disk`, cost.disk, ' bytes');
}

/** Returns the table of docs/explanation/scaling.md: busy cores and written bytes. */
function needsTable(visit: Cost, sale: Cost): string {
  const each = (of: keyof Cost): number => visit[of] + SALES_A_VISIT * sale[of];
  const row = (what: string, of: (rate: number) => number, digits: number): string =>
    `| ${what} | ${RATES.map((rate) => numeral(of(rate), digits)).join(' | ')} |`;
  return [
    `| visits a second | ${RATES.map((rate) => numeral(rate)).join(' | ')} |`,
    `|---|${RATES.map(() => '---').join('|')}|`,
    ...(['API', 'workers', 'PostgreSQL'] as const).map((kind) =>
      row(`busy cores of ${kind}`, (rate) => rate * each(kind), 1),
    ),
    row('write-ahead log, MB a second', (rate) => (rate * each('log')) / 1e6, 1),
    row('new on disk, GB a day', (rate) => (rate * SECONDS_A_DAY * each('disk')) / 1e9, 0),
    '',
  ].join('\n');
}

function show(name: string, value: number, unit: string, digits = 0): void {
  figures.add(name, value, unit, digits);
  process.stdout.write(`${name.padEnd(56)} ${numeral(value, digits).padStart(8)}${unit}\n`);
}
