import { copyFileSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_BYTES = 10 * 2 ** 20;
const LINES_OF_END = 12;

const logIn = (folder: string) => join(folder, 'postgres.log');

/** A descriptor to append with, to be closed by the caller. */
export const openLog = (folder: string): number => openSync(logIn(folder), 'a', 0o600);

/** In bytes; 0 while there is none. */
export const logSize = (folder: string): number => statSync(logIn(folder), { throwIfNoEntry: false })?.size ?? 0;

/**
 * PostgreSQL appends, so the file can be emptied below it. Its own rotation limits the age of files, never their size. On
 * a disk that is full the copy is given up, since room is what is needed.
 */
export function limitLog(folder: string): void {
  if (logSize(folder) < LIMIT_BYTES) return;
  const copy = `${logIn(folder)}.1`;
  try {
    copyFileSync(logIn(folder), copy);
  } catch {
    rmSync(copy, { force: true });
  }
  truncateSync(logIn(folder));
}

/** What it answers those who ask whether it has started yet. */
const NOT_YET = /FATAL: {2}the database system is |DETAIL: {2}Consistent recovery state/;

/** The last lines of what was written after the first `from` bytes, but for what it says to us who wait. */
export function endOfLog(folder: string, from: number): string {
  const written = readFileSync(logIn(folder)).subarray(from).toString().trim().split('\n');
  return written
    .filter((line) => !NOT_YET.test(line))
    .slice(-LINES_OF_END)
    .join('\n');
}
