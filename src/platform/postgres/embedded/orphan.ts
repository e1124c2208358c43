import { once } from 'node:events';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { socketLockOf, socketOf } from './address.ts';
import { clusterIn, postmasterFileIn } from './data-folder.ts';
import { contentOf } from './file-content.ts';
import { DataFolderInUse } from './folder-lock.ts';
import { identityOf } from './process-identity.ts';
import { signal } from './server-process.ts';

const ORPHAN_LIMIT_MS = 60_000;
/** How long to wait for the fast shutdown, in milliseconds. A server that is stuck needs an immediate shutdown. */
const PATIENCE_MS = 30_000;
/** The maximum time for which a lock file is empty while a process is writing it, in milliseconds. */
const BLANK_FOR_MS = 500;

/**
 * Ends a server that still runs although the service that started it has ended. Returns the process id in the server's
 * lock file, or undefined if no lock file contains a process id. Ending the server loses no data, and is simpler than
 * using the server. Its settings may belong to an older version, and a process can't wait for a server that isn't its
 * child. Removes empty lock files, which would block a start. Throws `DataFolderInUse` if the server still runs after a
 * minute.
 */
export async function endOrphan(folder: string, log: (message: string) => void): Promise<number | undefined> {
  const locks = [postmasterFileIn(folder), socketLockOf(folder)];
  await waitUntilWritten(locks);
  const pid = locks.map(numberIn).find((number) => number !== undefined);
  await endServer(folder, pid, log);
  for (const lock of locks.filter(isBlank)) {
    log(`removing ${lock}, which is empty: the machine may have lost power`);
    rmSync(lock, { force: true });
  }
  return pid;
}

async function endServer(folder: string, pid: number | undefined, log: (message: string) => void): Promise<void> {
  const began = performance.now();
  const isOurs = (): boolean => pid !== undefined && runsIn(clusterIn(folder), pid);
  let asked: 'INT' | 'QUIT' | undefined;
  // A server in another container is visible only through its socket, because its process id is not valid in this
  // container.
  while (isOurs() || (await isAnswered(socketOf(folder)))) {
    const waited = performance.now() - began;
    if (asked === undefined && pid !== undefined && isOurs()) {
      log(`stopping PostgreSQL (process ${pid}), which is left over from an earlier start of the service`);
      signal(pid, 'INT');
      asked = 'INT';
    } else if (asked === 'INT' && pid !== undefined && waited > PATIENCE_MS) {
      signal(pid, 'QUIT');
      asked = 'QUIT';
    }
    if (waited > ORPHAN_LIMIT_MS) throw new DataFolderInUse(folder, pid);
    await delay(20);
  }
}

/**
 * Waits until no lock file is empty, for at most BLANK_FOR_MS. A server that has just started writes its process id
 * into the files immediately.
 */
async function waitUntilWritten(locks: readonly string[]): Promise<void> {
  const began = performance.now();
  while (locks.some(isBlank) && performance.now() - began < BLANK_FOR_MS) await delay(20);
}

/**
 * Returns whether a lock file is empty, as after a power failure. No server starts if an empty lock file exists. Some
 * file systems leave zeros in place of unwritten data.
 */
function isBlank(lock: string): boolean {
  return contentOf(lock)?.replaceAll('\0', '').trim() === '';
}

/** Returns the process id in a lock file, or undefined if the file is missing or contains no process id. */
function numberIn(lock: string): number | undefined {
  return Number.parseInt(contentOf(lock) ?? '', 10) || undefined;
}

/**
 * Returns whether a process runs the given cluster, according to its command line. Without /proc, returns whether the
 * process runs at all. The command line is used because the working folder of another user's process is hidden, even
 * from root in a container.
 */
function runsIn(cluster: string, pid: number): boolean {
  if (!existsSync('/proc/self/cmdline')) return identityOf(pid) !== undefined;
  const args = contentOf(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
  const folder = args[args.indexOf('-D') + 1] ?? '';
  return args.includes('-D') && existsSync(folder) && realpathSync(folder) === realpathSync(cluster);
}

async function isAnswered(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
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
