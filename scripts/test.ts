// Runs tests with Node's test runner on a PostgreSQL cluster that is started for the tests.
//
//   npm test                          all files except SLOW, in less than five minutes on two cores
//   npm test -- files…                the named files
//   npm test -- --all                 all files on the embedded PostgreSQL, then VERSIONED files on the host's
//   npm run races -- files… --seed N  all rounds of the race tests, or the round of one seed
//
// The option --postgres accepts "embedded", "host" or "both".
// "host" is the oldest supported PostgreSQL on this machine.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { inspect, parseArgs } from 'node:util';
import { hostPrograms, withCluster } from '#test/support/cluster.ts';
import { fileLimitMs } from '#test/support/rounds.ts';
import { type Covered, DECISIONS, missedIn } from './domain-coverage.ts';

/**
 * Test files of pure code, which need no database. Together they must cover every line, branch and function of the
 * files in DECISIONS.
 */
const DOMAIN = ['test/core/**/*.test.ts', 'test/*/domain/**/*.test.ts', 'test/*/wording/*.test.ts'];
/** Test files that measure time. They run last and one at a time. */
const TIMED = ['test/scenarios/{exports,heals/*}.test.ts', 'test/web/answer-times/*.test.ts'];
/** Test files that take long and that few changes break. `npm test` runs them only with --all, or if they are named. */
const SLOW = [
  ...TIMED,
  'test/scenarios/races/*.test.ts',
  'test/scenarios/{back-ups,command-line,figures,late-decisions,many-processes,pgbouncer,poison-events}.test.ts',
  'test/scenarios/{real-orders,replica,retention,stopped-upgrade,upgrade,visitor-erasure,waiting-calls}.test.ts',
  'test/{app/{fuzz,guides},house/{build,idle,page-budgets,shell-blocks}}.test.ts',
  'test/platform/http/{bodies,overload}.test.ts',
  'test/platform/lists/{list-plans,steady-plans}.test.ts',
  'test/platform/postgres/{backup,embedded,migrate,service-role}.test.ts',
  'test/web/{console,portal}/!(conversions|referring|sign-in).test.ts',
  'test/web/{stories/*,ui/gallery}.test.ts',
  'test/packages/browser/!(same-origin|storefront).test.ts',
  'test/packages/sdk/{deliveries,dist,examples,list}.test.ts',
  'test/{tools/**/*,tracking/many-engagements,verify/verify,webhooks/processes}.test.ts',
];
/** Test files whose result may depend on the version of PostgreSQL. */
const VERSIONED = [
  'test/{scenarios,oracle,ledger,webhooks,reporting,verify}/**/*.test.ts',
  'test/platform/{postgres,lists,email}/**/*.test.ts',
  'test/packages/sdk/examples.test.ts',
];
/** Test files that are excluded from VERSIONED. They take long, and other files run the same SQL statements. */
const UNVERSIONED = [...TIMED, 'test/scenarios/{command-line,late-decisions}.test.ts'];
/**
 * Test files that wait for a browser or measure time. On a busy machine, one of several thousand steps may take too
 * long, so a failed file runs again, alone, and the report lists it. Other files must pass at the first attempt.
 */
const REPEATED = ['test/web/**/*.test.ts', ...TIMED];

/**
 * The maximum number of test files in a process. Loading and compiling the service takes each process about 1.5 seconds
 * of CPU time.
 */
const FILES_A_PROCESS = 8;

type Outcome = {
  readonly passed: number;
  readonly failed: number;
  /** The descriptions of failures, by file. */
  readonly failures: ReadonlyMap<string, readonly string[]>;
};

const { values: options, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    races: { type: 'boolean', default: false },
    seed: { type: 'string' },
    postgres: { type: 'string' },
  },
  allowPositionals: true,
});
const seed = options.seed ?? process.env['TEST_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31));
const amount = !options.races ? 'usual' : options.seed === undefined ? 'whole' : 'one';
process.env['WHENCE_TEST_ROUNDS'] = amount;
if (options.races) process.env['TEST_SEED'] = seed;
// A run tests pages either in light on desktop and dark on phone, or in dark on desktop and light on phone.
process.env['WHENCE_TEST_LOOKS'] ??= Number(seed) % 2 === 0 ? 'usual' : 'exchanged';
console.log(`seed ${seed}, WHENCE_TEST_LOOKS=${process.env['WHENCE_TEST_LOOKS']}`);

const servers = options.postgres ?? (options.all ? 'both' : 'embedded');
const files = chosenFiles();
const outcomes: Outcome[] = [];
const decisions = files.filter(isOneOf(DOMAIN));
const others = files.filter((file) => !decisions.includes(file));
if (decisions.length > 0 && servers !== 'host') outcomes.push(await runDecisions(decisions));
if (servers !== 'host') outcomes.push(await runOn('the bundled PostgreSQL', undefined, others));
if (servers !== 'embedded') {
  const programs = hostPrograms();
  const isUnversioned = isOneOf(UNVERSIONED);
  const versioned = others.filter(isOneOf(VERSIONED)).filter((file) => !isUnversioned(file));
  const again = servers === 'both' ? versioned : others;
  if (programs !== undefined) outcomes.push(await runOn(programs.bin, programs, again));
  else console.log('The host has no PostgreSQL 15 or newer in /usr/lib/postgresql.');
}

// Print the failures again at the end, because a lot of other output follows them.
for (const { failures } of outcomes) for (const texts of failures.values()) for (const text of texts) console.log(text);
const passed = outcomes.reduce((sum, each) => sum + each.passed, 0);
const failed = outcomes.reduce((sum, each) => sum + each.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function chosenFiles(): string[] {
  const isSlow = isOneOf(SLOW);
  if (positionals.length > 0) return globSync(positionals).sort();
  return globSync('test/**/*.test.ts')
    .filter((file) => (options.races ? hasRounds(file) : options.all || !isSlow(file)))
    .sort();
}

function hasRounds(file: string): boolean {
  return readFileSync(file, 'utf8').includes('support/rounds.ts');
}

function isOneOf(patterns: readonly string[]): (file: string) => boolean {
  const matching = new Set(globSync([...patterns]));
  return (file) => matching.has(relative(process.cwd(), file));
}

/** Runs test files of DOMAIN. If all of them are included, incomplete coverage of DECISIONS is a failure. */
async function runDecisions(chosen: string[]): Promise<Outcome> {
  console.log(`\n${chosen.length} files of decisions, without a database`);
  const isWhole = globSync(DOMAIN).every((file) => chosen.includes(file));
  if (!isWhole) return runFiles(chosen);
  let missed = ['nothing was measured'];
  const outcome = await runFiles(chosen, { onCoverage: (measured) => (missed = missedIn(measured)) });
  if (missed.length === 0) return { ...outcome, passed: outcome.passed + 1 };
  const text = `✖ the tests of decisions don’t cover\n  ${missed.join('\n  ')}`;
  return { ...outcome, failed: outcome.failed + 1, failures: new Map([...outcome.failures, ['coverage', [text]]]) };
}

/**
 * Runs test files on one PostgreSQL server. Files that measure time run after all other files. If the server can't be
 * started, returns a failure.
 */
async function runOn(server: string, programs: ReturnType<typeof hostPrograms>, chosen: string[]): Promise<Outcome> {
  console.log(`\n${chosen.length} files on ${server}`);
  try {
    return await withCluster(programs, async () => {
      const isTimed = isOneOf(TIMED);
      const parallel = await runFiles(chosen.filter((file) => !isTimed(file)));
      const timed = await runFiles(chosen.filter(isTimed), { atOnce: 1 });
      return rerunFailed(sum(parallel, timed));
    });
  } catch (error) {
    // Return a failure instead of throwing, so that the last line of the output always shows the result.
    return { passed: 0, failed: 1, failures: new Map([[server, [`✖ ${server}: ${inspect(error)}`]]]) };
  }
}

/** Runs the failed files of REPEATED again, and returns the outcome with their second result. */
async function rerunFailed(first: Outcome): Promise<Outcome> {
  const again = [...first.failures.keys()].filter(isOneOf(REPEATED));
  if (again.length === 0) return first;
  console.log(`\nRunning again, alone: ${again.join(', ')}`);
  const second = await runFiles(again, { atOnce: 1 });
  for (const file of again) {
    const result = second.failures.has(file) ? 'failed twice' : 'failed once and passed when it ran alone';
    console.log(`\n${file} ${result}:\n${first.failures.get(file)?.join('\n')}`);
  }
  const rest = [...first.failures].filter(([file]) => !again.includes(file));
  const failed = rest.reduce((count, [, texts]) => count + texts.length, second.failed);
  return { passed: first.passed, failed, failures: new Map([...rest, ...second.failures]) };
}

function sum(one: Outcome, other: Outcome): Outcome {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    failures: new Map([...one.failures, ...other.failures]),
  };
}

type RunOptions = {
  readonly atOnce?: number;
  /** Called once with the coverage of the files in DECISIONS. Without it, coverage is not measured. */
  readonly onCoverage?: (measured: readonly Covered[]) => void;
};

/**
 * Runs the files in processes of at most FILES_A_PROCESS files each, up to four processes at a time. Tests also wait, so
 * there may be one process more than there are cores.
 */
async function runFiles(
  chosen: string[],
  { atOnce = Math.min(4, availableParallelism() + 1), onCoverage }: RunOptions = {},
): Promise<Outcome> {
  const failures = new Map<string, string[]>();
  const silent = new Set(chosen.map((file) => resolve(file)));
  let [passed, failed] = [0, 0];
  // Without files, the runner would search for test files itself.
  if (chosen.length === 0) return { passed, failed, failures };
  const coverage = { coverage: true, coverageIncludeGlobs: DECISIONS.map((pattern) => `src/${pattern}`) };
  // Each file gets its own process if files run one at a time, or in `npm run races`, where a file may take many
  // minutes.
  const size = atOnce === 1 || amount !== 'usual' ? 1 : FILES_A_PROCESS;
  const folder = mkdtempSync(join(tmpdir(), 'whence-test-files-'));
  const events = run({
    ...(onCoverage && coverage),
    files: writeGroups(folder, chosen, size),
    concurrency: atOnce,
    timeout: size * fileLimitMs(amount),
    execArgv: ['--import', './scripts/end-test-process.ts'],
  });
  events.on('test:coverage', ({ summary }) => onCoverage?.(summary.files));
  events.on('test:fail', ({ name, file = '', details: { error } }) => {
    silent.delete(resolve(file));
    const { failureType, cause } = error as { readonly failureType?: string; readonly cause?: unknown };
    if (failureType === 'subtestsFailed') return;
    fail(file, `✖ ${file}: ${name}\n${inspect(cause ?? error)}`);
  });
  events.on('test:pass', ({ name, file = '', details: { type }, skip, todo }) => {
    silent.delete(resolve(file));
    // The runner reports a process that ended before its first test as a passed test with the name of its file.
    if (type === 'suite' || skip !== undefined || todo !== undefined || resolve(name) === resolve(file)) return;
    passed += 1;
  });
  for await (const text of events.compose(spec)) process.stdout.write(text);
  rmSync(folder, { recursive: true });
  for (const file of silent) fail(file, `✖ ${file}: no test was reported`);
  return { passed, failed, failures };

  function fail(file: string, text: string): void {
    failed += 1;
    const path = relative(process.cwd(), file);
    failures.set(path, [...(failures.get(path) ?? []), text]);
  }
}

/** Writes a module for each process, which imports the test files of the process. Returns the paths of the modules. */
function writeGroups(folder: string, files: readonly string[], size: number): string[] {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, at) => {
    const path = join(folder, `${at}.test.mjs`);
    const group = files.slice(at * size, (at + 1) * size);
    writeFileSync(path, group.map((file) => `import ${JSON.stringify(resolve(file))};\n`).join(''));
    return path;
  });
}
