import { join } from 'node:path';
import { contentOf } from './file-content.ts';

/** Where PostgreSQL's own files are. */
export const clusterIn = (folder: string): string => join(folder, 'postgres');

/** Where the superuser's password is. */
export const passwordIn = (folder: string): string => join(folder, 'password');

/** PostgreSQL's own lock of its files. */
export const postmasterFileIn = (folder: string): string => join(clusterIn(folder), 'postmaster.pid');

/** What a server wrote down at its start and removes when it ends in order; `port` is NaN while it is being written. */
export function postmasterIn(folder: string): { pid: number; port: number } | undefined {
  const lines = contentOf(postmasterFileIn(folder))?.split('\n') ?? [];
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid ? { pid, port: Number(lines[3]) } : undefined;
}
