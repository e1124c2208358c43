import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { Argument, Command, Option } from 'commander';
import { readAddress, readKeyId, readName, readOrganizationId, readUserId } from './command-arguments.ts';
import { CONNECTOR_KINDS, type ConnectorKind } from '#connectors/domain/connector.ts';
import { type Config, readConfig } from './config.ts';
import type { CommandContext } from './database-commands.ts';
import { openLog } from '#platform/log.ts';
import { VERSION } from '#platform/version.ts';
import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import { type Mode, MODES } from '#core/mode.ts';
import type { PlatformUserId } from '#core/user.ts';
import { type Embedded, startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { KEY_KINDS, type KeyKind, type Role, ROLES } from '#core/caller.ts';

/*
 * The command line. Each command loads its modules when it runs, so that the embedded PostgreSQL can start while the
 * modules of the service are being loaded.
 */

/**
 * The time after the first signal in which further signals count as the same request to stop, in milliseconds. With
 * `npm start`, Ctrl-C causes two signals: from the terminal and from npm.
 */
const SAME_REQUEST_MS = 2_000;

/** The error classes that indicate a bug in Whence. */
const OURS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** The SQLSTATEs for an undefined table, column or function. */
const NOT_MIGRATED = new Set(['42P01', '42703', '42883']);

type DatabaseCommands = typeof import('./database-commands.ts');

const program = new Command('whence')
  .description('Self-hosted attribution: who referred the sale, what they earned, and why.')
  .version(VERSION)
  .showHelpAfterError();

program
  .command('start')
  .description('start the service; settings come from the environment (docs/reference/operating.md)')
  .action(() => run(start));

program
  .command('migrate')
  .description('update the database to the newest schema')
  .action(() => withCommands((commands, config) => commands.migrate(config, print)));

program
  .command('verify')
  .description('check every invariant on one consistent snapshot; exits with 1 if an invariant is violated')
  .action(() => onDatabase((commands, context) => commands.verify(context)));

program
  .command('replay')
  .description('decide every sale again from the event log and compare; exits with 1 if anything differs')
  .option('--from-reports', 'ignore the recorded decisions, and decide all reports in the order of their events')
  .action(({ fromReports = false }: { fromReports?: boolean }) =>
    onDatabase((commands, context) => commands.replay(context, fromReports)),
  );

program
  .command('backup')
  .argument('<file>')
  .description('write a backup of the database to a new file, even while the service runs')
  .action((file: string) => onDatabase((commands, context) => commands.backUp(context, file)));

program
  .command('restore')
  .argument('<file>')
  .description('restore a backup into an empty database')
  .action((file: string) => withCommands((commands, config) => commands.restore(config, print, file)));

program
  .command('skip-ids')
  .option('--yes', 'do not ask for confirmation')
  .description(
    'after a restore with another tool, such as pg_restore: skip the ids that may have been used since the backup',
  )
  .action(({ yes = false }: { yes?: boolean }) =>
    onDatabase((commands, context) => commands.skipIds(context, yes ? async () => true : confirm)),
  );

const organization = program.command('organization').description('work with organizations');

organization
  .command('create')
  .argument('<name>', 'the name of the organization', readName)
  .option('--test', 'for test orders only; this can’t be changed later')
  .description('create another organization and print its first keys')
  .action((name: string, { test = false }: { test?: boolean }) =>
    onDatabase((commands, context) => commands.createOrganization(context, name, test ? 'test' : 'live')),
  );

organization
  .command('list')
  .description('print all organizations')
  .action(() => onDatabase((commands, context) => commands.listOrganizations(context)));

const key = program.command('key').description('work with API keys');

key
  .command('create')
  .addOption(ofOrganization())
  .addOption(new Option('--kind <kind>', 'the purpose of the key').choices(KEY_KINDS).default('secret'))
  .addOption(new Option('--label <label>', 'a name for the key').argParser(readName).default('From the command line'))
  .description('create an API key and print it; it is shown only once')
  .action((options: OfOrganization & { kind: KeyKind; label: string }) =>
    onDatabase((commands, context) => commands.createKey(context, options)),
  );

key
  .command('list')
  .addOption(ofOrganization())
  .description('print the API keys of an organization, without the secrets')
  .action((options: OfOrganization) => onDatabase((commands, context) => commands.listKeys(context, options)));

key
  .command('revoke')
  .argument('<id>', 'the id of the key, as "key list" prints it', readKeyId)
  .addOption(ofOrganization())
  .description('revoke an API key permanently')
  .action((id: ApiKeyId, options: OfOrganization) =>
    onDatabase((commands, context) => commands.revokeKey(context, { id, ...options })),
  );

program
  .command('connect')
  .addArgument(new Argument('<kind>', 'the billing or shop system').choices(CONNECTOR_KINDS))
  .addOption(ofOrganization())
  .addOption(new Option('--mode <mode>', 'the mode of the organization, as a check').choices(MODES))
  .addOption(new Option('--name <name>', 'the name of the connector; the default is its kind').argParser(readName))
  .description('create a connector, ask for its secret, and wait for the first event')
  .action((kind: ConnectorKind, options: OfOrganization & { mode?: Mode; name?: string }) =>
    run(async (config) => {
      const { connect } = await import('./connect-command.ts');
      return connect(config, print, askSecret, { kind, ...options });
    }),
  );

program
  .command('person')
  .description('work with people')
  .command('invite')
  .argument('<email>', 'the email address of the person', readAddress)
  .addOption(ofOrganization())
  .addOption(
    new Option('--role <role>', 'the role of the person; the default for a new person is viewer').choices(ROLES),
  )
  .description('print a link that invites a person, or that sets a new password for a locked-out person')
  .action((email: string, options: OfOrganization & { role?: Role }) =>
    onDatabase((commands, context) => commands.invitePerson(context, { email, ...options })),
  );

program
  .command('visitor')
  .description('erase a visitor’s data')
  .command('erase')
  .argument('<userId>', 'the user id of the visitor in your platform', readUserId)
  .addOption(ofOrganization())
  .description('permanently remove a user id from all stored data (docs/reference/privacy.md)')
  .action((userId: PlatformUserId, options: OfOrganization) =>
    onDatabase((commands, context) => commands.eraseVisitor(context, { userId, ...options })),
  );

program
  .command('webhook')
  .description('work with webhooks')
  .command('replace-secrets')
  .description('an earlier name of “secrets replace”')
  .action(() => onDatabase((commands, context) => commands.replaceSecrets(context)));

program
  .command('secrets')
  .description('work with encrypted data')
  .command('replace')
  .description(
    'after the encryption key is lost: create and print new webhook secrets, and delete data that can’t be decrypted',
  )
  .action(() => onDatabase((commands, context) => commands.replaceSecrets(context)));

await program.parseAsync();

async function run(command: (config: Config) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command(readConfig(process.env));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

type OfOrganization = { readonly organization?: OrganizationId };

function ofOrganization(): Option {
  return new Option(
    '--organization <id>',
    'the id of the organization; the default is the first organization',
  ).argParser(readOrganizationId);
}

/**
 * Returns the first line of standard input, or an empty string if there is none. On a terminal, asks the question first
 * and doesn't show the answer, because it is a secret. Nothing can be read from standard input afterwards.
 */
async function askSecret(question: string): Promise<string> {
  const [{ createInterface }, { Writable }] = [await import('node:readline'), await import('node:stream')];
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stdout.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    for await (const line of createInterface({ input: process.stdin, output, terminal: isTerminal })) return line;
    return '';
  } finally {
    if (isTerminal) process.stdout.write('\n');
    // An open terminal would keep the process running.
    process.stdin.destroy();
  }
}

/** Asks for confirmation in the terminal. Returns true only if the answer is yes. Throws if there is no terminal. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error(`${question} There is no terminal to confirm this. Run the command again with --yes.`);
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function withCommands(command: (commands: DatabaseCommands, config: Config) => Promise<number>): Promise<void> {
  return run(async (config) => command(await import('./database-commands.ts'), config));
}

/** Runs a command on the existing database. */
function onDatabase(
  command: (commands: DatabaseCommands, context: CommandContext) => Promise<number | void>,
): Promise<void> {
  return withCommands((commands, config) =>
    commands.withDatabase(config, (database) => command(commands, { config, database, print })),
  );
}

/**
 * Returns the text to print for an error: the stack if the error is a bug in Whence, otherwise a message for the
 * operator.
 */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If a host has several addresses, a failed connection throws an AggregateError. It has one error for each address,
  // and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(explain).join('\n');
  if (OURS.some((kind) => error instanceof kind) && !('code' in error)) return error.stack ?? error.message;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE') return `${error.message}. Set PORT to another port.`;
  if (NOT_MIGRATED.has(code)) {
    return 'The database is empty or has another schema version. Run "whence migrate".';
  }
  return error.message;
}

async function start(config: Config): Promise<number> {
  const asked = waitForStop();
  const log = openLog(config.LOG_LEVEL);
  const embedded = config.DATABASE_URL === undefined ? await launchDatabase(config, log) : undefined;
  const { startService } = await import('./main.ts');
  const service = await startService(config, log, print, embedded?.ready);
  // A killed process doesn't write the compile cache, so write the cache now. Writing takes time only if the cache
  // lacks some modules, as at the first start.
  flushCompileCache();
  await asked;
  await service.stop();
  return 0;
}

/**
 * Starts the embedded PostgreSQL, and resolves as soon as its process exists. `ready` resolves once PostgreSQL accepts
 * connections, so the service can be loaded in the meantime. Rejects if PostgreSQL can't be started.
 */
function launchDatabase(config: Config, log: Logger): Promise<{ readonly ready: Promise<Embedded> }> {
  print(`Starting the embedded PostgreSQL in ${config.WHENCE_DATA_DIR} …`);
  return new Promise((resolve, reject) => {
    const ready = startEmbedded({
      dataDir: config.WHENCE_DATA_DIR,
      log: (message, level = 'info') => log[level]({ component: 'postgres' }, message),
      maxConnections: config.DATABASE_CONNECTIONS + 20,
      onLaunch: () => resolve({ ready }),
    });
    ready.catch(reject);
  });
}

/**
 * Resolves at the first SIGTERM or SIGINT, after which the service finishes accepted requests. A signal more than
 * SAME_REQUEST_MS after the first signal ends the process without waiting. The handlers stay installed, because an
 * unhandled signal ends the process immediately.
 */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const onSignal = (): void => {
      if (askedAt !== undefined && performance.now() - askedAt > SAME_REQUEST_MS) process.exit(1);
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
