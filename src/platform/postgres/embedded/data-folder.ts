import { join } from 'node:path';
import { contentOf } from './file-content.ts';

/** Returns the path of the folder with PostgreSQL's own files. */
export const clusterIn = (folder: string): string => join(folder, 'postgres');

/** Returns the path of the file with the superuser's password. */
export const passwordIn = (folder: string): string => join(folder, 'password');

/** Returns the path of PostgreSQL's own lock file. */
export const postmasterFileIn = (folder: string): string => join(clusterIn(folder), 'postmaster.pid');

/**
 * Returns the process id and port from the file that a server writes at its start and removes at a clean shutdown.
 * Returns undefined if there is no process id. `port` is NaN while the file is being written.
 */
export function postmasterIn(folder: string): { pid: number; port: number } | undefined {
  const lines = contentOf(postmasterFileIn(folder))?.split('\n') ?? [];
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid ? { pid, port: Number(lines[3]) } : undefined;
}
