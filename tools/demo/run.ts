// `npm run demo -- --help` explains the options.
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { DemoRefused, markFilled, prepareFolder } from './folder.ts';
import { OWNER } from './people.ts';
import { linkToPortal, PORTAL, SHOWN } from './portal.ts';
import { keepPrinted } from './printed.ts';
import { openReceiver } from './receiver.ts';
import { type DemoKeys, fillDatabase, type Stage } from './stage.ts';
import { DAY, MINUTE } from '#tools/traffic/story.ts';
import type { Span } from './traffic.ts';
import { InvalidConfig, readConfig } from '#app/config.ts';
import { openLog } from '#platform/log.ts';
import { startService } from '#app/main.ts';
import { DataFolderInUse, startEmbedded } from '#platform/postgres/embedded/embedded.ts';

type Options = { readonly reset?: true; readonly dataDir: string; readonly days: number; readonly seed: number };

const SHOPPERS_A_DAY = 95;
const MOST_DAYS = 366;
const DAYS_A_LINE = 10;

const command = new Command('demo')
  .description('Start Whence with the generated data of a shop, in a separate data folder.')
  .option('--reset', 'delete the data and generate it again, up to now')
  .option('--data-dir <folder>', 'the data folder', process.env['WHENCE_DATA_DIR'] ?? './data/demo')
  .option('--days <n>', 'the number of days to generate', integer(2, MOST_DAYS), 90)
  .option('--seed <n>', 'the seed of the generated shop', integer(0, 2 ** 31 - 1), 1)
  .addHelpText('after', '\nPORT and the other settings of the service also apply: docs/how-to/try-the-demo.md.')
  .showHelpAfterError()
  .parse();

try {
  await run(command.opts<Options>());
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function run({ reset, dataDir, days, seed }: Options): Promise<void> {
  const startedAt = performance.now();
  const folder = resolve(dataDir);
  const settings = settingsFor(folder);
  const log = openLog(readConfig(settings).LOG_LEVEL);
  const known = await prepareFolder(folder, reset === true);
  const embedded = await startEmbedded({ dataDir: folder, log: () => {} });
  const receiver = await openReceiver();
  try {
    const databaseUrl = embedded.url;
    const keys = known ?? (await fillFolder(folder, { databaseUrl, span: spanOf(days, seed), log, settings, onDay }));
    let isOpen = false;
    const printed = keepPrinted((lines) => isOpen && print(...lines));
    const asked = waitForStopSignal();
    const service = await startService(readConfig({ ...settings, DATABASE_URL: databaseUrl }), log, printed.print);
    try {
      printWelcome(await linkToPortal(service.url, printed), keys, (performance.now() - startedAt) / 1_000);
      isOpen = true;
      await asked;
    } finally {
      await service.stop();
    }
  } finally {
    receiver.close();
    await embedded.stop();
  }
}

/**
 * Returns the settings of the demo. They are read from the environment, except settings that don't fit the demo, such as
 * another database, API keys, a role or a mail server.
 */
function settingsFor(folder: string): Record<string, string> {
  const given = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return {
    LOG_LEVEL: 'warn',
    ...(Object.fromEntries(given) as Record<string, string>),
    DATABASE_URL: '',
    DATABASE_OWNER_URL: '',
    DATABASE_READ_URL: '',
    DATABASE_POOLER: '',
    WHENCE_DATA_DIR: folder,
    WHENCE_SECRET_KEY: '',
    WHENCE_PUBLISHABLE_KEY: '',
    WHENCE_ENCRYPTION_KEY: '',
    WHENCE_ROLE: '',
    HEADER_PREFIX: '',
    SMTP_URL: '',
    WEBHOOKS_PRIVATE_ADDRESSES: 'true',
  };
}

/** Returns a span of `days` days. Its last day is today, up to the current minute. */
function spanOf(days: number, seed: number): Span {
  const until = Math.floor(Date.now() / MINUTE) * MINUTE;
  return { from: Math.floor(until / DAY) * DAY - (days - 1) * DAY, until, shoppers: SHOPPERS_A_DAY, seed };
}

async function fillFolder(folder: string, stage: Stage): Promise<DemoKeys> {
  const { from, until } = stage.span;
  print(`Generating ${Math.ceil((until - from) / DAY)} days of a shop in ${folder}. This takes about a minute …`);
  const keys = await fillDatabase(stage);
  await markFilled(folder, keys);
  if (process.stdout.isTTY) process.stdout.write('\n');
  return keys;
}

/**
 * Prints the progress. On a terminal, it updates one line. Otherwise it prints a line for every ten days, and for the
 * last day.
 */
function onDay(at: number, { from, until }: Span): void {
  const day = Math.ceil((at - from) / DAY);
  const days = Math.ceil((until - from) / DAY);
  const line = `  ${new Date(at).toISOString().slice(0, 10)}  ${Math.round((100 * day) / days)}%`;
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
  else if (day % DAYS_A_LINE === 0 || day === days) print(line);
}

function printWelcome(portal: string, { secretKey }: DemoKeys, seconds: number): void {
  const url = portal.slice(0, portal.indexOf(`/portal/${PORTAL}/`));
  print(
    '',
    `The demo is ready (${seconds.toFixed(0)} s). All of its data is invented.`,
    '',
    `  Console   ${url}/console/`,
    `            ${OWNER.email}, password ${OWNER.password}`,
    `  Portal    ${portal}`,
    `            logs in as ${SHOWN.name}, once, within 15 minutes. To log in later, request a link`,
    `            for ${SHOWN.email}. The email is printed here.`,
    `  API       ${url}/docs`,
    `            secret key ${secretKey}`,
    '',
    'Press Ctrl-C to stop. `npm run demo` continues with the same data, and `npm run demo -- --reset` generates new data.',
    '',
  );
}

function waitForStopSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop());
  });
}

/** Returns one line for a problem of the environment, and the stack for a bug in the code. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') return `${error.message}. Set PORT to another port.`;
  const isOrdinary = [DemoRefused, DataFolderInUse, InvalidConfig].some((kind) => error instanceof kind);
  return isOrdinary ? error.message : (error.stack ?? error.message);
}

function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) throw new InvalidArgumentError(`It must be ${least} to ${most}.`);
    return value;
  };
}
