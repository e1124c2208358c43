import { copyFileSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_BYTES = 10 * 2 ** 20;
const LINES_OF_END = 12;

const logIn = (folder: string) => join(folder, 'postgres.log');

/** Opens PostgreSQL's log file for appending. The caller must close the returned descriptor. */
export const openLog = (folder: string): number => openSync(logIn(folder), 'a', 0o600);

/** Returns the size of PostgreSQL's log file in bytes, or 0 if it doesn't exist. */
export const logSize = (folder: string): number => statSync(logIn(folder), { throwIfNoEntry: false })?.size ?? 0;

/**
 * If PostgreSQL's log file has at least LIMIT_BYTES, copies the file and then empties it. PostgreSQL appends, so the
 * file can be truncated while it is open. PostgreSQL's own rotation doesn't limit the total size of its files. If the
 * disk is full, the copy is deleted to free space.
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

/** Matches log lines about connections during startup, which the readiness checks cause. */
const NOT_YET = /FATAL: {2}the database system is |DETAIL: {2}Consistent recovery state/;

/**
 * Returns the last lines of PostgreSQL's log file after the first `from` bytes, without lines that the readiness checks
 * cause.
 */
export function endOfLog(folder: string, from: number): string {
  const written = readFileSync(logIn(folder)).subarray(from).toString().trim().split('\n');
  return written
    .filter((line) => !NOT_YET.test(line))
    .slice(-LINES_OF_END)
    .join('\n');
}
