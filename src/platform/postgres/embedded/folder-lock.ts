import { randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf } from './file-content.ts';
import { identityOf } from './process-identity.ts';

/** Thrown if another process or another PostgreSQL server uses the data folder. */
export class DataFolderInUse extends Error {
  constructor(folder: string, pid: number | undefined) {
    super(
      `The data folder ${folder} is in use by ${pid === undefined ? 'another PostgreSQL server' : `process ${pid}`}. Stop it first, or choose another folder.`,
    );
    this.name = 'DataFolderInUse';
  }
}

/**
 * Locks the data folder against other processes until the returned function is called. Throws `DataFolderInUse` if
 * another process has locked it.
 */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, 'whence.lock');
  const holder = takeLock(lock);
  if (holder !== undefined) throw new DataFolderInUse(folder, Number.parseInt(holder, 10));
  return () => rmSync(lock, { force: true });
}

/**
 * Takes the lock and returns undefined. If a running process has the lock, returns the identity of that process
 * instead. Creating a link is atomic and fails if the link exists.
 */
function takeLock(lock: string): string | undefined {
  const mine = `${lock}.${randomUUID()}`;
  writeFileSync(mine, identityOf(process.pid) ?? '');
  try {
    while (!isLinked(mine, lock)) {
      const holder = contentOf(lock);
      if (holder === undefined) continue;
      if (identityOf(Number.parseInt(holder, 10)) === holder) return holder;
      // Only one process at a time may remove a stale lock, after it has read the lock again. Otherwise, two processes
      // that find the lock of an ended process could remove each other's lock.
      const rival = takeLock(`${lock}.stale`);
      if (rival !== undefined) return rival;
      if (contentOf(lock) === holder) rmSync(lock);
      rmSync(`${lock}.stale`);
    }
    return undefined;
  } finally {
    rmSync(mine);
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
