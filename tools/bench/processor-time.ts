import { readFileSync } from 'node:fs';
import type { Database } from '#platform/postgres/database.ts';
import { processesOfServer } from './server-processes.ts';

/** Linux reports processor time in hundredths of a second, regardless of the kernel's configuration. */
const TICKS = 100;

/**
 * Returns the processor time of a process without its children, in seconds. Returns NaN if the process has ended, or on
 * a system without /proc.
 */
export function secondsOf(pid: number | undefined): number {
  return (readStat(pid)?.own ?? NaN) / TICKS;
}

/**
 * Returns the processor time of a PostgreSQL server on this machine in seconds, including ended processes. Returns NaN
 * if the server is on another machine, or on a system without /proc.
 */
export async function secondsOfServer(database: Database): Promise<number> {
  const [postmaster, ...children] = await processesOfServer(database);
  const stat = readStat(postmaster);
  if (stat === undefined) return NaN;
  return children.reduce((ticks, pid) => ticks + (readStat(pid)?.own ?? 0), stat.own + stat.ended) / TICKS;
}

type Stat = { readonly own: number; readonly ended: number };

/** Reads the processor time of a process, in ticks. Returns undefined if the process has ended. */
function readStat(pid: number | undefined): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is a name in parentheses, which may contain spaces. The fields after it begin with the state.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = NaN, system = NaN, userOfEnded = NaN, systemOfEnded = NaN] = fields.slice(11, 15);
    return { own: user + system, ended: userOfEnded + systemOfEnded };
  } catch {
    return undefined;
  }
}
