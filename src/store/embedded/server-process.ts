import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { runAs, surroundings, type Account } from './account.ts';
import type { Address } from './address.ts';
import { clusterIn } from './data-folder.ts';
import { packagedPrograms, type Programs } from './postgres-programs.ts';
import { openLog } from './server-log.ts';

/** What a server is started with; the same whenever it is started again. */
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
 * A server that has just begun to start, and that ends soon after this process. `predecessor` is the number of the one
 * before it, as `endOrphan` answers it.
 */
export async function spawnServer(launch: Launch, predecessor: number | undefined): Promise<ChildProcess> {
  const flags = Object.entries(launch.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = runAs(
    launch.account,
    join(launch.programs.bin, 'postgres'),
    ['-D', clusterIn(launch.folder), ...flags],
    // By this variable PostgreSQL knows a number in its lock files that is none of a rival: we have made sure that its
    // predecessor is gone, but another process may have been given the number since.
    predecessor ? { PG_GRANDPARENT_PID: `${predecessor}` } : {},
  );
  const log = openLog(launch.folder);
  // A session of its own: Ctrl-C goes to every process of ours, and requests in flight still need the server.
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

/** Shuts the server down, open transactions are rolled back, and waits for its end. Nothing to do when it has ended. */
export async function end(server: ChildProcess, patienceMs = PATIENCE_WITH_SHUTDOWN_MS): Promise<void> {
  const { pid } = server;
  if (pid === undefined || hasEnded(server)) return;
  server.ref();
  signal(pid, 'INT');
  // Loses nothing either: what was committed is replayed at the next start.
  const impatience = setTimeout(() => signal(pid, 'QUIT'), patienceMs);
  await ended(server);
  clearTimeout(impatience);
}

/** Asks PostgreSQL to end: INT is its fast shutdown, QUIT its immediate one. */
export function signal(pid: number, name: 'INT' | 'QUIT'): void {
  // Windows has no signals; PostgreSQL's own stand-in is reached through its program.
  if (process.platform === 'win32') {
    spawnSync(join(packagedPrograms().bin, 'pg_ctl'), ['kill', name, `${pid}`]);
    return;
  }
  try {
    process.kill(pid, `SIG${name}`);
  } catch (error) {
    // One that has ended meanwhile needs no signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits until the server has ended, by itself or by `end`. */
export async function ended(server: ChildProcess): Promise<void> {
  if (!hasEnded(server)) await once(server, 'exit');
}

/** Whether it has ended, in whatever way. */
export const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

/** How an ended server ended: the signal's name or the exit code. */
export const reasonOf = (server: ChildProcess): string => server.signalCode ?? `exit code ${server.exitCode}`;
