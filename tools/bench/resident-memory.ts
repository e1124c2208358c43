import { readFileSync } from 'node:fs';
import type { Database } from '#platform/postgres/database.ts';
import { processesOfServer } from './server-processes.ts';

/** Returns the current and the peak resident memory of a process in MB. Works on Linux only, because it reads /proc. */
export function readResidentMemory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { now: megabytes(status, 'VmRSS'), peak: megabytes(status, 'VmHWM') };
}

/**
 * Returns the memory of all processes of a PostgreSQL server on this machine in MB, with shared memory counted once.
 * Returns NaN if the server is on another machine, or on a system without /proc.
 */
export async function residentMemoryOfServer(database: Database): Promise<number> {
  const processes = await processesOfServer(database);
  return processes.length === 0 ? NaN : processes.reduce((sum, pid) => sum + ownShare(pid), 0);
}

/**
 * Returns the private memory of a process plus its share of shared memory, in MB. Returns 0 if the process has ended.
 */
function ownShare(pid: number): number {
  try {
    return megabytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), '\nPss');
  } catch {
    return 0;
  }
}

function megabytes(text: string, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1] ?? NaN) / 1024;
}
