import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { runAs, childEnvironment, type Account } from './account.ts';
import type { Address } from './address.ts';
import { clusterIn } from './data-folder.ts';
import { packagedPrograms, type Programs } from './postgres-programs.ts';
import { openLog } from './server-log.ts';

/** The options with which a server is started. They are the same at each restart. */
export type Launch = {
  folder: string;
  programs: Programs;
  account: Account;
  address: Address;
  settings: Readonly<Record<string, string>>;
  log: (message: string) => void;
};

const PATIENCE_WITH_SHUTDOWN_MS = 30_000;

/**
 * Starts a server process that ends soon after this process does, except on Windows. `predecessor` is the process id of
 * the previous server, as returned by `endOrphan`.
 */
export async function spawnServer(launch: Launch, predecessor: number | undefined): Promise<ChildProcess> {
  const flags = Object.entries(launch.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = runAs(
    launch.account,
    join(launch.programs.bin, 'postgres'),
    ['-D', clusterIn(launch.folder), ...flags],
    // PostgreSQL ignores a lock file with the process id in PG_GRANDPARENT_PID. The predecessor has ended, but another
    // process may have got its id since.
    predecessor ? { PG_GRANDPARENT_PID: `${predecessor}` } : {},
  );
  const log = openLog(launch.folder);
  // The server runs in a separate session. Ctrl-C signals all processes of this process's session, but requests in
  // progress still need the server.
  let server: ChildProcess;
  try {
    server = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  } finally {
    closeSync(log);
  }
  await once(server, 'spawn');
  server.unref();
  endWithUs(server);
  return server;
}

/**
 * Starts a small shell that ends the server once this process's end of the pipe closes. Even `kill -9` closes the pipe.
 * Does nothing on Windows.
 */
function endWithUs(server: ChildProcess): void {
  if (process.platform === 'win32') return;
  const shell = spawn('/bin/sh', ['-c', 'read -r ended || kill -INT "$0"', `${server.pid}`], {
    ...childEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  server.once('exit', () => shell.stdin.end('ended\n'));
}

/**
 * Shuts the server down, rolling back open transactions, and waits for its end. Uses an immediate shutdown if it still
 * runs after `patienceMs` milliseconds. Does nothing if the server has already ended.
 */
export async function stopServer(server: ChildProcess, patienceMs = PATIENCE_WITH_SHUTDOWN_MS): Promise<void> {
  const { pid } = server;
  if (pid === undefined || hasEnded(server)) return;
  server.ref();
  signal(pid, 'INT');
  // If the fast shutdown takes too long, shut down immediately. This loses no committed data, because PostgreSQL
  // replays it at the next start.
  const impatience = setTimeout(() => signal(pid, 'QUIT'), patienceMs);
  await waitForExit(server);
  clearTimeout(impatience);
}

/** Asks PostgreSQL to shut down. INT is a fast shutdown, and QUIT an immediate shutdown. */
export function signal(pid: number, name: 'INT' | 'QUIT'): void {
  // Windows has no signals, so use pg_ctl, which sends PostgreSQL's replacement for them.
  if (process.platform === 'win32') {
    spawnSync(join(packagedPrograms().bin, 'pg_ctl'), ['kill', name, `${pid}`]);
    return;
  }
  try {
    process.kill(pid, `SIG${name}`);
  } catch (error) {
    // A process that has already ended needs no signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits until the server has ended, on its own or because of `stopServer`. */
export async function waitForExit(server: ChildProcess): Promise<void> {
  if (!hasEnded(server)) await once(server, 'exit');
}

/** Returns whether the server process has ended for any reason. */
export const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

/** Returns why a server ended: the signal's name or the exit code. */
export const reasonOf = (server: ChildProcess): string => server.signalCode ?? `exit code ${server.exitCode}`;
