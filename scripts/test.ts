// npm test [-- files… --both | --only-system]: the tests of the domain, with what they take of it, and all others on the
// embedded PostgreSQL; with --both, as .ci/run has it, those whose outcome may depend on the database once more on the host's
// PostgreSQL, the oldest supported one.
// npm run races [-- files… --seed N --only-system]: those that go in rounds, with all of them, on one PostgreSQL; with --seed
// the one round of that seed.
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
import { dirname, join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { Client, Pool } from 'pg';
import { startEmbedded, type Embedded, type Programs } from '#store/embedded.ts';
import { migrate } from '#store/migrate.ts';
import { type Amount, fileLimitMs, SHARE_AGAIN } from '#test/support/rounds.ts';
import { type Covered, missedIn } from './domain-coverage.ts';

type Count = { readonly passed: number; readonly failed: number };

const NONE: Count = { passed: 0, failed: 0 };

const TEMPLATE = 'whence_template';
const FOLDER_PREFIX = 'whence-test-';
/** What a run needs at most; a container's /dev/shm is often smaller. */
const NEEDED_BYTES = 2 * 2 ** 30;
const OLDEST_SYSTEM_VERSION = 15;
/** Each may start services with pools of connections of their own, to one server. */
const MAX_FILES_AT_ONCE = 4;
const DOMAIN = resolve('test', 'domain');
/** Of what gives out under a service, and within how long it says so and is there again. */
const HEALS = resolve('test', 'scenarios', 'heals');
/**
 * They look at the service from outside, or at our own code: what depends on the version of the database is seen by every
 * call once, which the examples of the SDK are, by the lists of the API with all their filters and sorts, and by the
 * scenarios.
 */
const ONCE_FOLDERS = new Set(
  ['browser', 'contract', 'sdk', 'http', 'house', 'ui', 'console', 'portal', 'demo'].map((name) =>
    resolve('test', name),
  ),
);
const EVERY_CALL = resolve('test', 'sdk', 'examples.test.ts');

/**
 * Half of what a small file costs is to load the service, so those of these folders share a process, some at a time. Each
 * starts by itself what it needs, and stops it.
 */
const SHARING_FOLDERS = new Set(
  ['contract', 'http', 'mails', 'scenarios', 'store', 'webhooks'].map((name) => resolve('test', name)),
);
/** Of the process itself: who changes that, or looks at it, has one alone. */
const OWN_PROCESS = /\bprocess\.(on|exit|memoryUsage|chdir)\b|\bglobalThis\b|\bmock\.|support\/plans\.ts/;
const FILES_OF_A_PROCESS = 8;
/** Of each file that a shared process begins with, the files that share it. */
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
 * They also wait for the disk, for a browser and for each other: two more than there are cores. One fewer where a change is
 * judged: patience that ends on a machine that is busy with other tests is no fault of the change.
 */
const FILES_AT_ONCE = Math.min(MAX_FILES_AT_ONCE, availableParallelism() + (only.both === true ? 1 : 2));
const seed = only.seed ?? process.env['TEST_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31));
const files = globSync(positionals.length > 0 ? positionals : 'test/**/*.test.ts')
  .map((file) => resolve(file))
  .filter((file) => only.races !== true || goesInRounds(file))
  .sort((a, b) => lengthOf(b) - lengthOf(a) || statSync(b).size - statSync(a).size);
const { domain = [], others = [] } = Object.groupBy(files, (file) => (dirname(file) === DOMAIN ? 'domain' : 'others'));
const counts: Count[] = [];
const failures: string[] = [];
if (only.races === true) {
  process.env['TEST_SEED'] = seed;
  console.log(only.seed === undefined ? `the seeds from ${seed} on` : `the seed ${seed}`);
}
// Pages have four looks, of which a run plays two: over time all are played.
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
  // Where it is the first to run them, it has as many of them and of their rounds as the embedded one would have.
  const isAgain = !only['only-system'];
  if (isAgain) setAmount('again');
  const share = isAgain ? `, with ${100 * SHARE_AGAIN}% of the rounds and random histories` : '';
  const isOver = (file: string): boolean => isAgain && ONCE_FOLDERS.has(dirname(file)) && file !== EVERY_CALL;
  const concerned = others.filter((file) => touchesDatabase(file) && !isOver(file));
  counts.push(await runOn(`PostgreSQL of ${system.bin}${share}`, system, concerned));
}

// Once more, since other tests have said much after them.
for (const failure of failures) console.log(failure);
const { passed, failed } = sumOf(counts);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function sumOf(counts: readonly Count[]): Count {
  return counts.reduce((sum, { passed, failed }) => {
    return { passed: sum.passed + passed, failed: sum.failed + failed };
  }, NONE);
}

/** For the files, which run in processes of their own. */
function setAmount(next: Amount): void {
  amount = next;
  process.env['WHENCE_TEST_ROUNDS'] = next;
}

/** With all of them, what they don't take of the domain is a failure. */
async function runDomain(files: string[]): Promise<Count> {
  if (files.length === 0) return NONE;
  console.log(`\n${files.length} files of the domain, without a database`);
  // Functions out of the compile cache are counted less exactly.
  delete process.env['NODE_COMPILE_CACHE'];
  const isWhole = globSync(join(DOMAIN, '*.test.ts')).every((file) => files.includes(file));
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

/** A server that does not start counts as a failure: the last line must say what happened in any case. */
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

/** What measures how long people wait comes last, and has the machine to itself. */
async function runAll(files: string[], folder: string): Promise<Count> {
  const { timed = [], untimed = [] } = Object.groupBy(files, (file) => (measuresTime(file) ? 'timed' : 'untimed'));
  const usual = await runFiles(inProcesses(untimed, folder));
  return sumOf([usual, await runFiles(timed, { atOnce: 1 })]);
}

/** The files that processes begin with: those that have one to themselves, and one for each group, made in `folder`. */
function inProcesses(files: string[], folder: string): string[] {
  const shares = (file: string): boolean =>
    SHARING_FOLDERS.has(dirname(file)) && !goesByChance(file) && !OWN_PROCESS.test(readFileSync(file, 'utf8'));
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
    // The files run in processes of their own, which inherit these.
    process.env['WHENCE_TEST_ADMIN_URL'] = cluster.url;
    process.env['WHENCE_TEST_TEMPLATE'] = TEMPLATE;
    // Else each of them compiles the whole service again.
    process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
    return await work(folder);
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In memory where there is room: then tests run with the settings of production, `fsync` too, and still don't wait. */
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

/** A run that was killed could not tidy up. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number.parseInt(name.slice(FOLDER_PREFIX.length), 10);
    if (!name.startsWith(FOLDER_PREFIX) || isAlive(pid)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Another user's.
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
    // A template is copied only while nobody is connected to it.
    await pool.end();
  }
}

type RunOptions = {
  readonly atOnce?: number;
  /** Told what they took of the domain. */
  readonly onCoverage?: (files: readonly Covered[]) => void;
};

async function runFiles(files: string[], { atOnce = FILES_AT_ONCE, onCoverage }: RunOptions = {}): Promise<Count> {
  // Without a file the runner would look for some.
  if (files.length === 0) return NONE;
  const events = run({
    ...(onCoverage && { coverage: true, coverageIncludeGlobs: ['src/domain/**'] }),
    files,
    concurrency: atOnce,
    timeout: fileLimitMs(amount),
  });
  events.on('test:coverage', ({ summary }) => onCoverage?.(summary.files));
  const count = { passed: 0, failed: 0 };
  // What fails before or after the tests of a suite is no test, and would not be counted.
  let failedHooks = 0;
  events.on('test:fail', ({ name, file, details: { error } }) => {
    const { failureType, cause } = error as { readonly failureType?: string; readonly cause?: unknown };
    if (failureType === 'hookFailed') failedHooks += 1;
    if (failureType !== 'subtestsFailed') failures.push(`✖ ${file}: ${name}\n${inspect(cause ?? error)}`);
  });
  events.on('test:summary', ({ file, counts: { tests, passed, skipped, todo } }) => {
    // One summary for each file, and at last one for all.
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

/** What comes last should be short: longest takes what goes by chance, then what opens pages, and of each what says most. */
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

/** Whether a file imports one of the support files, itself or through another one. */
function needs(file: string, support: string): boolean {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/'#test\/(.+?\.ts)'/g)].some(
    ([, path = '']) => path === support || needs(join('test', path), support),
  );
}
