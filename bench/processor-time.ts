import { readFileSync } from 'node:fs';
import type { Database } from '#store/database.ts';
import { processesOfServer } from './server-processes.ts';

/** What Linux counts processor time in: hundredths of a second, whatever the kernel was built with. */
const TICKS = 100;

/** Seconds of processor time that a process itself has used so far; NaN where there is no /proc. */
export function secondsOf(pid: number | undefined): number {
  return (readStat(pid)?.own ?? NaN) / TICKS;
}

/** The same of a PostgreSQL on this machine with all its processes, those that have ended too; NaN where it is elsewhere. */
export async function secondsOfServer(database: Database): Promise<number> {
  const [postmaster, ...children] = await processesOfServer(database);
  const stat = readStat(postmaster);
  if (stat === undefined) return NaN;
  return children.reduce((ticks, pid) => ticks + (readStat(pid)?.own ?? 0), stat.own + stat.ended) / TICKS;
}

type Stat = { readonly own: number; readonly ended: number };

/** Undefined for a process that has ended. */
function readStat(pid: number | undefined): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is a name in brackets, which may hold blanks; the fields after it begin with the state.
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
