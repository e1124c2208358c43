import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

export type PgBouncer = {
  /** The URL of the database through PgBouncer. */
  readonly url: string;
  readonly stop: () => Promise<void>;
};

const PORT = 6432;
/** The id of the user `nobody`. PgBouncer refuses to run as root. */
const NOBODY = 65_534;
/** The command that runs a program in a user namespace, where root appears as `NOBODY`. */
const IN_NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];
const READY_WITHIN_MS = 10_000;

/** Returns the reason to skip a test if this machine has no PgBouncer, and otherwise false. */
export function lacksPgBouncer(): string | false {
  return program() === undefined && 'there is no PgBouncer on this machine';
}

/**
 * Starts PgBouncer in transaction mode with at most the given number of server connections. It listens on a socket in
 * its own folder. Settings for statements and startup parameters keep their defaults. Throws if PgBouncer exits or does
 * not answer within READY_WITHIN_MS.
 */
export async function startPgBouncer(databaseUrl: string, serverConnections: number): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'whence-pgbouncer-'));
  const isRoot = process.getuid?.() === 0;
  // PgBouncer runs as the database server's account, because other accounts can't reach the server's socket. If root
  // owns that socket, PgBouncer runs as root in a namespace.
  const owner = ownerOfServer(databaseUrl);
  const isInNamespace = isRoot && owner?.uid === 0;
  const account = isRoot && !isInNamespace ? (owner ?? { uid: NOBODY, gid: NOBODY }) : undefined;
  const [command, ...args] = [...(isInNamespace ? IN_NAMESPACE : []), program() as string];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settingsFor(databaseUrl, folder, serverConnections));
  chmodSync(folder, 0o755);
  if (account !== undefined) for (const path of [folder, file]) chownSync(path, account.uid, account.gid);
  const child = spawn(command, [...args, file], { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  const exited = once(child, 'exit');
  // Kill PgBouncer when this process exits, even if a test fails to stop it.
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `postgres://postgres@localhost:${PORT}/whence?host=${encodeURIComponent(folder)}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`PgBouncer does not answer. Its output:\n${said}`);
    }
    await delay(10);
  }
  return { url, stop };
}

/** Returns the owner of the server's socket, or undefined if there is no socket. */
function ownerOfServer(databaseUrl: string): { uid: number; gid: number } | undefined {
  const { port, searchParams } = new URL(databaseUrl);
  const socket = statSync(join(searchParams.get('host') ?? '', `.s.PGSQL.${port || 5432}`), { throwIfNoEntry: false });
  return socket && { uid: socket.uid, gid: socket.gid };
}

function program(): string | undefined {
  const folders = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));
}

function settingsFor(databaseUrl: string, folder: string, serverConnections: number): string {
  const { hostname, port, pathname, username, password, searchParams } = new URL(databaseUrl);
  const server = `host=${searchParams.get('host') ?? hostname} port=${port || 5432} dbname=${pathname.slice(1)}`;
  return `
[databases]
whence = ${server} user=${username} password=${decodeURIComponent(password)} pool_size=${serverConnections}

[pgbouncer]
pool_mode = transaction
auth_type = any
listen_addr =
listen_port = ${PORT}
unix_socket_dir = ${folder}
max_client_conn = 200
; Otherwise, idle server connections would keep the database from being dropped.
server_idle_timeout = 1
`;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
