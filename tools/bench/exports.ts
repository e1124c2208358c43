import { get } from 'node:http';
import { parseArgs } from 'node:util';
import { numeral } from './figures.ts';
import { type Result, runLoad } from './load.ts';
import { type Bench, withBench } from './processes.ts';
import { workload } from './workload.ts';

/*
 * `npm run bench:exports`: measures the response times of reports while a caller requests exports, by default
 * five a second.
 *
 * The exports are a statement of 19,000 ledger entries as JSON and as CSV, and a list of 95,000 ledger entries as CSV.
 * The service may refuse some of the exports with a 429.
 */

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '300' },
    exports: { type: 'string', default: '5' },
  },
});
const seconds = Number(options.seconds);
const ENTRIES = 19_000;
const LISTED = 95_000;
const CALLERS = 16;

await withBench(async (bench, database) => {
  const { rows } = await database.query<{ id: number }>('select id from collaborators order by id limit 2');
  const [statementOf, listed] = rows.map(({ id }) => id);
  for (const [collaborator, entries] of [
    [statementOf, ENTRIES],
    [listed, LISTED - ENTRIES],
  ]) {
    await database.query(
      `insert into ledger_entries (organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id)
       select organization_id, 'award', id, 'USD', 1, 'expense', 'pending', 1
       from collaborators, generate_series(1, $2::int) where id = $1`,
      [collaborator, entries],
    );
  }
  await database.query('analyze');
  const shop = workload(bench.key);
  const reports = () =>
    runLoad({
      port: bench.port,
      callers: CALLERS,
      seconds,
      rate: Number(options.rate),
      next: shop.newVisit,
      onAnswer: shop.keep,
    });
  await reports();
  show('no exports', await reports(), undefined);
  for (const [name, path] of [
    ['a statement', `/v1/collaborators/${statementOf}/statement`],
    ['a statement as a file', `/v1/collaborators/${statementOf}/statement.csv`],
    ['a list as a file', '/v1/ledger-entries'],
  ] as const) {
    const exporting = exportEvery(bench, 1_000 / Number(options.exports), path);
    const result = await reports();
    show(name, result, await exporting.stop());
  }
});

type Answered = { readonly status: number; readonly ms: number };

/**
 * Requests an export every `ms` milliseconds, even if previous exports are still running. `stop` ends this, and
 * resolves with the status and duration of every export.
 */
function exportEvery(bench: Bench, ms: number, path: string): { readonly stop: () => Promise<readonly Answered[]> } {
  const exports: Promise<Answered>[] = [];
  const timer = setInterval(() => exports.push(exportOnce(bench, path)), ms);
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.all(exports);
    },
  };
}

function exportOnce({ port, key }: Bench, path: string): Promise<Answered> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${key}`, accept: path.endsWith('statement') ? '*/*' : 'text/csv' };
  return new Promise((resolve, reject) => {
    get({ port, path, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt }));
    }).on('error', reject);
  });
}

function show(
  name: string,
  { requestsPerSecond, p50, p99, failures }: Result,
  exports: readonly Answered[] = [],
): void {
  const complete = exports.filter(({ status }) => status === 200).map(({ ms }) => ms);
  const slowest = complete.length === 0 ? '' : `, the slowest in ${numeral(Math.max(...complete))} ms`;
  process.stdout.write(
    `${name.padEnd(24)} ${numeral(requestsPerSecond)} visits/s  p50 ${numeral(p50, 1)} ms  p99 ${numeral(p99, 1)} ms` +
      `${failures > 0 ? `  ${failures} FAILED` : ''}  ${complete.length} of ${exports.length} exports${slowest}\n`,
  );
}
