// `npm run simulate -- --help` explains the options.
import { Command, InvalidArgumentError } from 'commander';
import { type Progress, simulate } from './simulation.ts';
import { progressLine, reportText } from './report-text.ts';

type Options = {
  readonly url: string;
  readonly key?: string;
  readonly publishableKey?: string;
  readonly headerPrefix?: string;
  readonly rate: number;
  readonly seconds: number;
  readonly burst: number;
  readonly seed: number;
  readonly collaborators: number;
  readonly to?: string[];
  readonly name: string;
  readonly callers: number;
  readonly patience: number;
  readonly verify: boolean;
};

const MOST = {
  rate: 20_000,
  seconds: 7 * 24 * 3_600,
  burst: 100,
  collaborators: 1_000,
  callers: 1_000,
  patience: 3_600,
};
/**
 * Signals within this time after the first signal, in milliseconds, count as the same Ctrl-C. Ctrl-C reaches the
 * process both from the terminal and from npm.
 */
const ONE_WISH_MS = 2_000;
/** The approximate number of progress lines. A long simulation prints more, because it prints at least one a minute. */
const LINES = 20;
const LONGEST_SILENCE_SECONDS = 60;

const command = new Command('simulate')
  .description(
    'Send the generated traffic of a shop to a service, then compare its orders and figures with the sent reports.',
  )
  .option('--url <url>', 'the URL of the service, or WHENCE_URL', process.env['WHENCE_URL'] ?? 'http://127.0.0.1:8080')
  .option('--key <key>', 'a secret key. Prefer WHENCE_KEY, which process lists don’t show')
  .option('--publishable-key <key>', 'the key for visits of guests, or WHENCE_PUBLISHABLE_KEY')
  .option('--header-prefix <prefix>', 'the HEADER_PREFIX of the service')
  .option('--rate <n>', 'reports per second', number(0.1, MOST.rate), 20)
  .option('--seconds <n>', 'the duration', integer(1, MOST.seconds), 60)
  .option(
    '--burst <n>',
    'the rate in one of every ten seconds, as a multiple of the rate in the others; 1 means no bursts',
    number(1, MOST.burst),
    3,
  )
  .option(
    '--seed <n>',
    'the same seed sends the same reports',
    integer(0, 2 ** 31 - 1),
    Math.floor(Math.random() * 2 ** 31),
  )
  .option('--collaborators <n>', 'the number of collaborators to create', integer(1, MOST.collaborators), 8)
  .option('--to <aliases>', 'existing aliases for the visits, such as tracking:ada,tracking:grace', (aliases) =>
    aliases.split(','),
  )
  .option(
    '--name <name>',
    'the source of the orders, and part of the names of created resources',
    nameOf,
    `simulation-${Date.now().toString(36)}`,
  )
  .option('--callers <n>', 'concurrent reports', integer(1, MOST.callers), 64)
  .option(
    '--patience <n>',
    'seconds to wait for answers, and for the pipeline, at the end',
    integer(0, MOST.patience),
    60,
  )
  .option('--verify', 'check all invariants of the books in DATABASE_URL at the end', false)
  .showHelpAfterError()
  .parse();

process.exitCode = await run(command.opts<Options>());

/**
 * Runs the simulation, and prints its progress and report. Returns the exit code: 0 if everything is correct, or 1 if
 * something is wrong or the simulation could not start.
 */
async function run({ collaborators, to, verify, ...options }: Options): Promise<number> {
  const key = options.key ?? process.env['WHENCE_KEY'];
  const publishableKey = options.publishableKey ?? process.env['WHENCE_PUBLISHABLE_KEY'];
  if (key === undefined) return failed('A secret key is missing: set WHENCE_KEY.');
  const databaseUrl = verify ? process.env['DATABASE_URL'] : undefined;
  if (verify && databaseUrl === undefined)
    return failed('To verify the books, set DATABASE_URL to the service’s database.');
  const stop = stopOnInterrupt();
  try {
    const report = await simulate(
      { ...options, key, publishableKey, databaseUrl, referrers: collaborators, links: to },
      printingEvery(Math.min(LONGEST_SILENCE_SECONDS, Math.ceil(options.seconds / LINES))),
      stop,
    );
    print('', reportText(report));
    return report.holds ? 0 : 1;
  } catch (error) {
    return failed((error as Error).message);
  }
}

/**
 * Returns a signal for Ctrl-C. The first Ctrl-C ends the traffic, and the report is still printed. A later Ctrl-C ends
 * the process.
 */
function stopOnInterrupt(): AbortSignal {
  const stop = new AbortController();
  let askedAt: number | undefined;
  process.on('SIGINT', () => {
    if (askedAt !== undefined && performance.now() - askedAt > ONE_WISH_MS) process.exit(1);
    askedAt ??= performance.now();
    stop.abort();
  });
  return stop.signal;
}

/** Returns a function that prints the progress, at most once in the given number of seconds. */
function printingEvery(seconds: number): (progress: Progress) => void {
  let next = 0;
  return (progress) => {
    if (progress.seconds < next) return;
    next = progress.seconds + seconds - 0.5;
    print(progressLine(progress));
  };
}

function failed(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function number(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(`It must be ${least} to ${most}.`);
    }
    return value;
  };
}

function integer(least: number, most: number): (text: string) => number {
  const parse = number(least, most);
  return (text) => {
    const value = parse(text);
    if (!Number.isInteger(value)) throw new InvalidArgumentError('It must be a whole number.');
    return value;
  };
}

function nameOf(text: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) {
    throw new InvalidArgumentError('It must have 1 to 40 characters: a–z, 0–9 and -.');
  }
  return text;
}
