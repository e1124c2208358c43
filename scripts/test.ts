// npm test [-- files… --both | --only-system]: runs the tests of the domain and measures their coverage, then runs all
// other tests on the embedded PostgreSQL. With --both, as in .ci/run, tests that may depend on the database version run
// again on the host's PostgreSQL, the oldest supported version.
//
// npm run races [-- files… --seed N --only-system]: runs the tests that have rounds, with all their rounds, on one
// PostgreSQL. With --seed, it runs only the round of that seed.
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { Client, Pool } from 'pg';
import { startEmbedded, type Embedded, type Programs } from '#platform/postgres/embedded/embedded.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { type Amount, fileLimitMs, SHARE_AGAIN } from '#test/support/rounds.ts';
import { type Covered, DECISIONS, missedIn } from './domain-coverage.ts';

type Count = { readonly passed: number; readonly failed: number };

const NONE: Count = { passed: 0, failed: 0 };

const TEMPLATE = 'whence_template';
const FOLDER_PREFIX = 'whence-test-';
/** The most space that a run needs, in bytes. A container's /dev/shm is often smaller. */
const NEEDED_BYTES = 2 * 2 ** 30;
const OLDEST_SYSTEM_VERSION = 15;
/** Limited because each file may start services with their own connection pools to one server. */
const MAX_FILES_AT_ONCE = 4;
/** Returns whether a file tests decisions: `test/core` and the `domain` folder of each area. */
const isOfDecisions = (file: string): boolean =>
  basename(dirname(file)) === 'domain' || dirname(file) === resolve('test', 'core');
/** The tests that stop a service's dependencies and check how fast the service reports that and recovers. */
const HEALS = resolve('test', 'scenarios', 'heals');
/**
 * Returns whether a file runs on one PostgreSQL version only. Such files test the service from outside, or our own
 * code. Other tests cover differences between versions: the SDK examples, which make every call once, the list tests
 * with all filters and sorts, and the scenarios.
 */
const runsOnce = (file: string): boolean =>
  !/^(scenarios|oracle|ledger|webhooks|reporting|verify|platform\/(postgres|lists|email|throttles))\b/.test(
    relative('test', file),
  );
const EVERY_CALL = resolve('test', 'packages', 'sdk', 'examples.test.ts');

/**
 * Returns whether a file may share a process with others. Loading the service is half the cost of a small file, so
 * these files share it in groups. Each file starts and stops what it needs.
 */
const mayShare = (file: string): boolean =>
  !/^(web|packages|tools|house|oracle|scenarios\/heals)\b/.test(relative('test', file));
/** A file that changes or inspects the process itself needs its own process. */
const OWN_PROCESS = /\bprocess\.(on|exit|memoryUsage|chdir)\b|\bglobalThis\b|\bmock\.|support\/plans\.ts/;
const FILES_OF_A_PROCESS = 8;
/** The files of each group, by the generated file that imports them. */
const sharedBy = new Map<string, readonly string[]>();

const { values: only, positionals } = parseArgs({
  options: {
    both: { type: 'boolean' },
    'only-system': { type: 'boolean' },
    races: { type: 'boolean' },
    seed: { type: 'string' },
  },
  allowPositionals: true,
});
/**
 * Tests also wait for the disk, for a browser and for each other, so run two more files than there are cores. With
 * --both, which judges a change, run one fewer: a timeout on an overloaded machine is not the change's fault.
 */
const FILES_AT_ONCE = Math.min(MAX_FILES_AT_ONCE, availableParallelism() + (only.both === true ? 1 : 2));
const seed = only.seed ?? process.env['TEST_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31));
const files = globSync(positionals.length > 0 ? positionals : 'test/**/*.test.ts')
  .map((file) => resolve(file))
  .filter((file) => only.races !== true || goesInRounds(file))
  .sort((a, b) => lengthOf(b) - lengthOf(a) || statSync(b).size - statSync(a).size);
const { domain = [], others = [] } = Object.groupBy(files, (file) => (isOfDecisions(file) ? 'domain' : 'others'));
const counts: Count[] = [];
const failures: string[] = [];
if (only.races === true) {
  process.env['TEST_SEED'] = seed;
  console.log(only.seed === undefined ? `the seeds from ${seed} on` : `the seed ${seed}`);
}
// Pages have four looks, and a run tests two of them. Over several runs, all are tested.
process.env['WHENCE_TEST_LOOKS'] ??= Number(seed) % 2 === 0 ? 'usual' : 'exchanged';
console.log(`pages in their looks: WHENCE_TEST_LOOKS=${process.env['WHENCE_TEST_LOOKS']}`);
let amount: Amount;
setAmount(only.races !== true ? 'usual' : only.seed === undefined ? 'whole' : 'one');
if (!only['only-system']) {
  counts.push(await runDomain(domain));
  counts.push(await runOn('the embedded PostgreSQL', undefined, others));
}
const isOnSystem = only.both === true || only['only-system'] === true;
const system = isOnSystem ? systemPrograms() : undefined;
if (isOnSystem && !system)
  console.log(`There is no PostgreSQL ${OLDEST_SYSTEM_VERSION} or newer in /usr/lib/postgresql.`);
if (system) {
  // If this PostgreSQL is the first to run the tests, it runs all files and all rounds, as the embedded one would.
  const isAgain = !only['only-system'];
  if (isAgain) setAmount('again');
  const share = isAgain ? `, with ${100 * SHARE_AGAIN}% of the rounds and random histories` : '';
  const isOver = (file: string): boolean => isAgain && runsOnce(file) && file !== EVERY_CALL;
  const concerned = others.filter((file) => touchesDatabase(file) && !isOver(file));
  counts.push(await runOn(`PostgreSQL of ${system.bin}${share}`, system, concerned));
}

// Repeat the failures, because a lot of other output follows them.
for (const failure of failures) console.log(failure);
const { passed, failed } = sumOf(counts);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function sumOf(counts: readonly Count[]): Count {
  return counts.reduce((sum, { passed, failed }) => {
    return { passed: sum.passed + passed, failed: sum.failed + failed };
  }, NONE);
}

/** Sets how many rounds the files run. They read it from the environment, because they run in other processes. */
function setAmount(next: Amount): void {
  amount = next;
  process.env['WHENCE_TEST_ROUNDS'] = next;
}

/** Runs the tests of the domain. If all of them are included, incomplete coverage of the domain is a failure. */
async function runDomain(files: string[]): Promise<Count> {
  if (files.length === 0) return NONE;
  console.log(`\n${files.length} files of the domain, without a database`);
  // Coverage of functions from the compile cache is less exact.
  delete process.env['NODE_COMPILE_CACHE'];
  const isWhole = globSync('test/**/*.test.ts')
    .map((file) => resolve(file))
    .filter(isOfDecisions)
    .every((file) => files.includes(file));
  if (!isWhole) return runFiles(files);
  let missed = ['nothing was measured'];
  const count = await runFiles(files, { onCoverage: (measured) => (missed = missedIn(measured)) });
  console.log(
    `${missed.length === 0 ? '✔' : '✖'} every line and branch of the domain is taken by the domain’s own tests`,
  );
  for (const line of missed) console.log(`  ${line}`);
  if (missed.length > 0) failures.push(`✖ the domain’s own tests leave out\n  ${missed.join('\n  ')}`);
  return missed.length === 0 ? { ...count, passed: count.passed + 1 } : { ...count, failed: count.failed + 1 };
}

/**
 * Runs the files on one server. A server that fails to start counts as a failure, because the last line must report the
 * result in any case.
 */
async function runOn(server: string, programs: Programs | undefined, files: string[]): Promise<Count> {
  if (files.length === 0) return NONE;
  console.log(`\n${files.length} files on ${server}`);
  try {
    return await withTemplate(programs, (folder) => runAll(files, folder));
  } catch (error) {
    console.error(error);
    failures.push(`✖ ${server}: ${inspect(error)}`);
    return { passed: 0, failed: 1 };
  }
}

/** Runs the files that measure waiting times last and one at a time, so that they have the machine to themselves. */
async function runAll(files: string[], folder: string): Promise<Count> {
  const { timed = [], untimed = [] } = Object.groupBy(files, (file) => (measuresTime(file) ? 'timed' : 'untimed'));
  const usual = await runFiles(inProcesses(untimed, folder));
  return sumOf([usual, await runFiles(timed, { atOnce: 1 })]);
}

/**
 * Returns the files to start as processes: each file that needs its own process, and one generated file for each group.
 * The generated files are written to `folder`.
 */
function inProcesses(files: string[], folder: string): string[] {
  const shares = (file: string): boolean =>
    mayShare(file) && !goesByChance(file) && !OWN_PROCESS.test(readFileSync(file, 'utf8'));
  const { sharing = [], alone = [] } = Object.groupBy(files, (file) => (shares(file) ? 'sharing' : 'alone'));
  const count = Math.ceil(sharing.length / FILES_OF_A_PROCESS);
  const groups = Array.from({ length: count }, (_, n) => {
    const begin = join(folder, `files-${n + 1}.mjs`);
    const members = sharing.filter((_, at) => at % count === n);
    sharedBy.set(begin, members);
    writeFileSync(begin, members.map((file) => `import '${pathToFileURL(file).href}';\n`).join(''));
    return begin;
  });
  const rest = alone.findIndex((file) => lengthOf(file) === 0);
  return rest < 0 ? [...alone, ...groups] : alone.toSpliced(rest, 0, ...groups);
}

async function withTemplate(programs: Programs | undefined, work: (folder: string) => Promise<Count>): Promise<Count> {
  const folder = makeFolder();
  let cluster: Embedded | undefined;
  try {
    cluster = await startEmbedded({
      dataDir: join(folder, 'data'),
      log: () => {},
      maxConnections: 200,
      ...(programs && { programs }),
    });
    await makeTemplate(cluster.url);
    // The files run in child processes, which inherit these variables.
    process.env['WHENCE_TEST_ADMIN_URL'] = cluster.url;
    process.env['WHENCE_TEST_TEMPLATE'] = TEMPLATE;
    // Without the cache, each process compiles the whole service again.
    process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
    return await work(folder);
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the folder of the cluster, in memory if there is room. Tests then run with production settings, including
 * `fsync`, without waiting for the disk.
 */
function makeFolder(): string {
  const memory = '/dev/shm';
  const parent = existsSync(memory) && hasRoom(memory) ? memory : tmpdir();
  removeLeftovers(parent);
  const folder = mkdtempSync(join(parent, `${FOLDER_PREFIX}${process.pid}-`));
  // The server may run as another user.
  chmodSync(folder, 0o711);
  return folder;
}

function hasRoom(path: string): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= NEEDED_BYTES;
}

/** Removes the folders of runs that were killed before they could clean up. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number.parseInt(name.slice(FOLDER_PREFIX.length), 10);
    if (!name.startsWith(FOLDER_PREFIX) || isAlive(pid)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = TEMPLATE;
  const pool = new Pool({ connectionString: url.href });
  try {
    await migrate(pool);
  } finally {
    // PostgreSQL copies a template only while nobody is connected to it.
    await pool.end();
  }
}

type RunOptions = {
  readonly atOnce?: number;
  /** Called with the coverage of the domain's files. */
  readonly onCoverage?: (files: readonly Covered[]) => void;
};

async function runFiles(files: string[], { atOnce = FILES_AT_ONCE, onCoverage }: RunOptions = {}): Promise<Count> {
  // Without files, the runner would search for test files itself.
  if (files.length === 0) return NONE;
  const events = run({
    ...(onCoverage && { coverage: true, coverageIncludeGlobs: DECISIONS.map((pattern) => `src/${pattern}`) }),
    files,
    concurrency: atOnce,
    timeout: fileLimitMs(amount),
  });
  events.on('test:coverage', ({ summary }) => onCoverage?.(summary.files));
  const count = { passed: 0, failed: 0 };
  // A failure in a hook before or after a suite is not a test, so the summary does not count it.
  let failedHooks = 0;
  events.on('test:fail', ({ name, file, details: { error } }) => {
    const { failureType, cause } = error as { readonly failureType?: string; readonly cause?: unknown };
    if (failureType === 'hookFailed') failedHooks += 1;
    if (failureType !== 'subtestsFailed') failures.push(`✖ ${file}: ${name}\n${inspect(cause ?? error)}`);
  });
  events.on('test:summary', ({ file, counts: { tests, passed, skipped, todo } }) => {
    // The runner emits one summary for each file, and finally one for all files.
    if (file === undefined) Object.assign(count, { passed, failed: tests - passed - skipped - todo });
  });
  const heard = new Set<string>();
  for (const outcome of ['test:pass', 'test:fail'] as const)
    events.on(outcome, ({ file }) => file !== undefined && heard.add(file));
  for await (const text of events.compose(spec)) process.stdout.write(text);
  const silent = files.flatMap((file) => sharedBy.get(file) ?? []).filter((file) => !heard.has(file));
  for (const file of silent)
    failures.push(`✖ ${file} has told of no test: its process ended before it, or it has none`);
  return { ...count, failed: count.failed + failedHooks + silent.length };
}

function systemPrograms(): Programs | undefined {
  const bin = globSync('/usr/lib/postgresql/*/bin')
    .filter((path) => Number(path.split('/')[4]) >= OLDEST_SYSTEM_VERSION && existsSync(join(path, 'initdb')))
    .sort()[0];
  return bin === undefined ? undefined : { bin, locale: ['--locale=C.UTF-8'] };
}

function touchesDatabase(file: string): boolean {
  return needs(file, 'support/database.ts');
}

function measuresTime(file: string): boolean {
  return needs(file, 'support/answer-times.ts') || dirname(file) === HEALS;
}

/**
 * Returns the rank of a file by expected duration. The longest files start first, so that the last ones to finish are
 * short. Randomized tests take longest, then tests with a browser; within a rank, larger files start first.
 */
function lengthOf(file: string): number {
  if (goesByChance(file)) return 2;
  return needs(file, 'support/browser.ts') ? 1 : 0;
}

function goesByChance(file: string): boolean {
  return needs(file, 'support/random.ts') || goesInRounds(file);
}

function goesInRounds(file: string): boolean {
  return needs(file, 'support/rounds.ts');
}

/** Returns whether a file imports one of the support files, directly or transitively. */
function needs(file: string, support: string): boolean {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/'#test\/(.+?\.ts)'/g)].some(
    ([, path = '']) => path === support || needs(join('test', path), support),
  );
}
