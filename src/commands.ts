import { flushCompileCache } from 'node:module';
import { Command, Option } from 'commander';
import { type Config, InvalidConfig, readConfig } from './config.ts';
import { encryptionKey } from './encryption-key.ts';
import { openLog } from './log.ts';
import { startService } from './main.ts';
import { KEY_KINDS, type KeyKind } from '#domain/api-key.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { foundOrganization, makeKey } from '#operations/found-organization.ts';
import { replaceLostSecrets } from '#operations/replace-lost-secrets.ts';
import { replaySales } from '#pipeline/replay-sales.ts';
import { type Database, openDatabase } from '#store/database.ts';
import { attachEmbedded, DataFolderInUse, startEmbedded } from '#store/embedded.ts';
import { migrate } from '#store/migrate.ts';
import { secretBox } from '#store/secret-box.ts';
import { verify } from '#store/verify.ts';

/** Signals that follow each other closer than this are one wish: Ctrl-C reaches us from the terminal and from npm. */
const ONE_WISH_MS = 2_000;
/** Transactions between two lines that say how far a replay has come. */
const PROGRESS_STEP = 10_000;

const program = new Command('whence')
  .description('Self-hosted, headless attribution: who referred the sale, what they earned, and why.')
  .showHelpAfterError();

program
  .command('start')
  .description('start the service; settings come from the environment (docs/operating.md)')
  .action(() => run(start));

program
  .command('migrate')
  .description('bring the database to the newest version')
  .action(() => run((config) => withDatabase(config, runMigrations)));

program
  .command('verify')
  .description('prove every invariant on one consistent snapshot; exit 1 where one is broken')
  .action(() => run((config) => withDatabase(config, runVerify)));

program
  .command('replay')
  .description('decide every sale again from the event log and compare; exit 1 where anything differs')
  .action(() => run((config) => withDatabase(config, runReplay)));

program
  .command('organization')
  .description('work with organizations')
  .command('create')
  .argument('<name>')
  .description('found a further organization and print its first keys')
  .action((name: string) =>
    run((config) =>
      withDatabase(config, async (database) => {
        const { organizationId, newKeys } = await foundOrganization(database, name);
        print(
          `Organization ${organizationId}`,
          ...Object.entries(newKeys).map(([kind, key]) => `  ${kind} key: ${key}`),
        );
        return 0;
      }),
    ),
  );

program
  .command('key')
  .description('work with API keys')
  .command('create')
  .option('--organization <id>', 'of which organization; the first one unless told', Number)
  .addOption(new Option('--kind <kind>', 'what it is for').choices(KEY_KINDS).default('secret'))
  .option('--label <label>', 'to tell it from others', 'From the command line')
  .description('make an API key and print it: it is shown this once')
  .action((options: { organization?: number; kind: KeyKind; label: string }) =>
    run((config) =>
      withDatabase(config, async (database) => {
        print(await makeKey(database, options.organization as OrganizationId | undefined, options.kind, options.label));
        return 0;
      }),
    ),
  );

program
  .command('webhook')
  .description('work with webhooks')
  .command('replace-secrets')
  .description('where the encryption key is lost: give each webhook that it sealed a new secret, and print it')
  .action(() => run(replaceSecrets));

await program.parseAsync();

async function run(command: (config: Config) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command(readConfig(process.env));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** A line for what the environment got wrong (a port that is taken, no database); where our own code failed, the stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOrdinary = error instanceof InvalidConfig || error instanceof DataFolderInUse || 'code' in error;
  if (!isOrdinary) return error.stack ?? error.message;
  if ('code' in error && error.code === 'EADDRINUSE') return `${error.message}. Set PORT to another port.`;
  // A host with several addresses: one error for each, and none in the sum of them.
  return error instanceof AggregateError ? error.errors.map(explain).join('\n') : error.message;
}

async function start(config: Config): Promise<number> {
  const asked = askedToStop();
  const service = await startService(config, openLog(config.LOG_LEVEL), print);
  // A process that is killed keeps nothing. Costs time at the first start only, when there is something new to be kept.
  flushCompileCache();
  await asked;
  await service.stop();
  return 0;
}

/**
 * Resolves at the first SIGTERM or SIGINT: what was accepted is finished. A later one is for those who can't wait. The
 * handlers stay, since a signal that meets none ends the process at once.
 */
function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const onSignal = (): void => {
      if (askedAt !== undefined && performance.now() - askedAt > ONE_WISH_MS) process.exit(1);
      askedAt ??= performance.now();
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

async function runMigrations(database: Database): Promise<number> {
  const { from, to } = await migrate(database);
  print(from === to ? `The database is at version ${to} already.` : `The database went from version ${from} to ${to}.`);
  return 0;
}

async function runVerify(database: Database): Promise<number> {
  const { checked, breaches } = await verify(database);
  print(...breaches.map(({ invariant, detail }) => `BROKEN  ${invariant}\n        ${detail}`));
  print(breaches.length === 0 ? `All ${checked} invariants hold.` : `${breaches.length} breaches found.`);
  return breaches.length === 0 ? 0 : 1;
}

async function runReplay(database: Database): Promise<number> {
  const started = performance.now();
  const { decided, leftOut, differences } = await replaySales(database, (done) => {
    if (done % PROGRESS_STEP === 0) print(`${done} decided again`);
  });
  print(...differences.map((each) => `DIFFERS  transaction ${each.transactionId}: ${each.detail}`));
  if (leftOut > 0) print(`${leftOut} left out: their visits are not kept any more`);
  const took = `${decided} transactions decided again in ${((performance.now() - started) / 1000).toFixed(1)} s`;
  print(differences.length === 0 ? `${took}: no difference.` : `${took}: ${differences.length} differences.`);
  return differences.length === 0 ? 0 : 1;
}

async function replaceSecrets(config: Config): Promise<number> {
  const { key } = await encryptionKey(config);
  return withDatabase(config, async (database) => {
    const replaced = await replaceLostSecrets(database, secretBox(key));
    print(
      ...replaced.map(
        ({ organizationId, id, url, signingSecret }) =>
          `organization ${organizationId}, webhook ${id} (${url}): ${signingSecret}`,
      ),
    );
    print(`${replaced.length} secrets replaced.`);
    return 0;
  });
}

/** The database of the settings: a server of one's own, the embedded one that runs already, or that one for a moment. */
async function withDatabase(config: Config, work: (database: Database) => Promise<number>): Promise<number> {
  const running = config.DATABASE_URL ?? (await attachEmbedded(config.WHENCE_DATA_DIR))?.url;
  const embedded =
    running === undefined ? await startEmbedded({ dataDir: config.WHENCE_DATA_DIR, log: () => {} }) : undefined;
  const database = openDatabase(running ?? (embedded?.url as string), {
    connections: 2,
    pooler: config.DATABASE_POOLER,
  });
  try {
    return await work(database);
  } finally {
    await database.end();
    await embedded?.stop();
  }
}

function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
