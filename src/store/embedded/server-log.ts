import { copyFileSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_BYTES = 10 * 2 ** 20;
const LINES_OF_END = 12;

const logIn = (folder: string) => join(folder, 'postgres.log');

/** A descriptor to append with, to be closed by the caller. */
export const openLog = (folder: string): number => openSync(logIn(folder), 'a', 0o600);

/** In bytes; 0 while there is none. */
export const logSize = (folder: string): number => statSync(logIn(folder), { throwIfNoEntry: false })?.size ?? 0;

/** PostgreSQL appends, so the file can be emptied below it. Its own rotation limits the age of files, never their size. */
export function limitLog(folder: string): void {
  if (logSize(folder) < LIMIT_BYTES) return;
  try {
    copyFileSync(logIn(folder), `${logIn(folder)}.1`);
  } finally {
    truncateSync(logIn(folder));
  }
}

/** The last lines of what was written after the first `from` bytes. */
export function endOfLog(folder: string, from: number): string {
  const written = readFileSync(logIn(folder)).subarray(from).toString();
  return written.trim().split('\n').slice(-LINES_OF_END).join('\n');
}
