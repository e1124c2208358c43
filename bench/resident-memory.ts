import { readFileSync } from 'node:fs';
import type { Database } from '#store/database.ts';
import { processesOfServer } from './server-processes.ts';

/** What of a process is in memory, in MB: now, and at most since it began. By /proc, so on Linux alone. */
export function residentMemory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { now: megabytes(status, 'VmRSS'), peak: megabytes(status, 'VmHWM') };
}

/**
 * What of a PostgreSQL on this machine is in memory with all its processes, in MB; what they share counts once. NaN where
 * it is elsewhere.
 */
export async function residentMemoryOfServer(database: Database): Promise<number> {
  const processes = await processesOfServer(database);
  return processes.length === 0 ? NaN : processes.reduce((sum, pid) => sum + ownShare(pid), 0);
}

/** What a process has to itself, and its share of what it has with others; 0 when it has ended meanwhile. */
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
