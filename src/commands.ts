import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Config, InvalidConfig, readConfig } from './config.ts';
import { openLog } from './log.ts';
import { KEY_KINDS, type KeyKind } from '#domain/api-key.ts';
import { MAX_ID, type OrganizationId, type UserId } from '#domain/ids.ts';
import { ROLES, type Role } from '#domain/person.ts';
import { DataFolderInUse, type Embedded, startEmbedded } from '#store/embedded.ts';

/*
 * The command line. What a command needs is loaded when it is asked for: so the embedded PostgreSQL, which needs little of
 * it, comes up while the service is loaded.
 */

/** Signals that follow each other closer than this are one wish: Ctrl-C reaches us from the terminal and from npm. */
const ONE_WISH_MS = 2_000;

type DatabaseCommands = typeof import('./database-commands.ts');

const program = new Command('whence')
  .description('Self-hosted attribution: who referred the sale, what they earned, and why.')
  .showHelpAfterError();

program
  .command('start')
  .description('start the service; settings come from the environment (docs/operating.md)')
  .action(() => run(start));

program
  .command('migrate')
  .description('bring the database to the newest version')
  .action(() => onDatabase((commands, config) => commands.migrate(config, print)));

program
  .command('verify')
  .description('prove every invariant on one consistent snapshot; exit 1 where one is broken')
  .action(() => onDatabase((commands, config) => commands.verify(config, print)));

program
  .command('replay')
  .description('decide every sale again from the event log and compare; exit 1 where anything differs')
  .action(() => onDatabase((commands, config) => commands.replay(config, print)));

program
  .command('backup')
  .argument('<file>')
  .description('write all that the database holds at this moment to a new file, while the service runs or not')
  .action((file: string) => onDatabase((commands, config) => commands.backUp(config, print, file)));

program
  .command('restore')
  .argument('<file>')
  .description('bring an empty database to what a back-up holds')
  .action((file: string) => onDatabase((commands, config) => commands.restore(config, print, file)));

program
  .command('skip-ids')
  .description('after a restore by other means than "restore": give no id that may have been given since the back-up')
  .action(() => onDatabase((commands, config) => commands.skipIds(config, print)));

program
  .command('organization')
  .description('work with organizations')
  .command('create')
  .argument('<name>')
  .description('found a further organization and print its first keys')
  .action((name: string) => onDatabase((commands, config) => commands.createOrganization(config, print, name)));

program
  .command('key')
  .description('work with API keys')
  .command('create')
  .option('--organization <id>', 'of which organization; the first one unless told', Number)
  .addOption(new Option('--kind <kind>', 'what it is for').choices(KEY_KINDS).default('secret'))
  .option('--label <label>', 'to tell it from others', 'From the command line')
  .description('make an API key and print it: it is shown this once')
  .action((options: { organization?: OrganizationId; kind: KeyKind; label: string }) =>
    onDatabase((commands, config) => commands.createKey(config, print, options)),
  );

program
  .command('person')
  .description('work with people')
  .command('invite')
  .argument('<email>')
  .option('--organization <id>', 'to which organization; the first one unless told', Number)
  .addOption(new Option('--role <role>', 'what they may do; owner unless told').choices(ROLES))
  .description('print a link that makes somebody one of the people, or lets in again who is locked out')
  .action((email: string, options: { organization?: OrganizationId; role?: Role }) =>
    onDatabase((commands, config) => commands.invitePerson(config, print, { email, ...options })),
  );

program
  .command('visitor')
  .description('work with what is stored of visitors')
  .command('erase')
  .argument('<userId>', 'their user number in your platform', userNumber)
  .option('--organization <id>', 'of which organization; the first one unless told', Number)
  .description('take a user number out of all that is stored, for good (docs/privacy.md)')
  .action((userId: UserId, options: { organization?: OrganizationId }) =>
    onDatabase((commands, config) => commands.eraseVisitor(config, print, { userId, ...options })),
  );

program
  .command('webhook')
  .description('work with webhooks')
  .command('replace-secrets')
  .description('the same as “secrets replace”, by its first name')
  .action(() => onDatabase((commands, config) => commands.replaceSecrets(config, print)));

program
  .command('secrets')
  .description('work with what is sealed')
  .command('replace')
  .description(
    'where the encryption key is lost: give webhooks new secrets and print them, give up what none can replace',
  )
  .action(() => onDatabase((commands, config) => commands.replaceSecrets(config, print)));

await program.parseAsync();

async function run(command: (config: Config) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command(readConfig(process.env));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

function userNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > MAX_ID)
    throw new InvalidArgumentError('It must be an integer from 1.');
  return number;
}

function onDatabase(command: (commands: DatabaseCommands, config: Config) => Promise<number>): Promise<void> {
  return run(async (config) => command(await import('./database-commands.ts'), config));
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
  const log = openLog(config.LOG_LEVEL);
  const embedded = config.DATABASE_URL === undefined ? await launchDatabase(config, log) : undefined;
  const { startService } = await import('./main.ts');
  const service = await startService(config, log, print, embedded?.ready);
  // A process that is killed keeps nothing. Costs time at the first start only, when there is something new to be kept.
  flushCompileCache();
  await asked;
  await service.stop();
  return 0;
}

/** The embedded PostgreSQL as soon as it is a process; `ready` once it answers. Loading the service fills the time between. */
function launchDatabase(config: Config, log: Logger): Promise<{ readonly ready: Promise<Embedded> }> {
  print(`Starting the embedded PostgreSQL in ${config.WHENCE_DATA_DIR} …`);
  return new Promise((resolve, reject) => {
    const ready = startEmbedded({
      dataDir: config.WHENCE_DATA_DIR,
      log: (message) => log.info({ component: 'postgres' }, message),
      maxConnections: config.DATABASE_CONNECTIONS + 20,
      onLaunch: () => resolve({ ready }),
    });
    ready.catch(reject);
  });
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

function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
