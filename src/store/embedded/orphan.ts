import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { socketOf } from './address.ts';
import { clusterIn, postmasterIn } from './data-folder.ts';
import { contentOf } from './file-content.ts';
import { DataFolderInUse } from './folder-lock.ts';
import { identityOf } from './process-identity.ts';
import { signal } from './server-process.ts';

const ORPHAN_LIMIT_MS = 60_000;
/** One that is stuck ends by its immediate shutdown only. */
const PATIENCE_MS = 30_000;

/**
 * Ends a server that outlived its owner, and answers the number it had. Ending it is simpler than adopting it and loses
 * nothing: its settings may be an older version's, and it is no child of ours to wait for. Throws `DataFolderInUse` when
 * it still runs after a minute.
 */
export async function endOrphan(folder: string, log: (message: string) => void): Promise<number | undefined> {
  const pid = postmasterIn(folder)?.pid;
  if (pid === undefined) return undefined;
  const began = performance.now();
  let asked: 'INT' | 'QUIT' | undefined;
  // A server in another container shows itself by its socket only: its number means nothing here.
  while (runsIn(clusterIn(folder), pid) || (await isAnswered(socketOf(folder)))) {
    const waited = performance.now() - began;
    if (asked === undefined && runsIn(clusterIn(folder), pid)) {
      log(`ending PostgreSQL (process ${pid}), which outlived the service that had started it`);
      signal(pid, 'INT');
      asked = 'INT';
    } else if (asked === 'INT' && waited > PATIENCE_MS) {
      signal(pid, 'QUIT');
      asked = 'QUIT';
    }
    if (waited > ORPHAN_LIMIT_MS) throw new DataFolderInUse(folder, pid);
    await delay(20);
  }
  return pid;
}

/** By its command line: the working folder of another user's process is hidden, from a container's root too. */
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
