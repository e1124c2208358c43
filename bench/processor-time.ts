import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from '#store/database.ts';

/** What Linux counts processor time in: hundredths of a second, whatever the kernel was built with. */
const TICKS = 100;

/** Seconds of processor time that a process itself has used so far; NaN where there is no /proc. */
export function secondsOf(pid: number | undefined): number {
  const stat = readStat(pid);
  return stat === undefined ? NaN : stat.own / TICKS;
}

/** The same of a PostgreSQL on this machine with all its processes, those that have ended too; NaN where it is elsewhere. */
export async function secondsOfServer(database: Database): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = readStat(rows[0]?.pid)?.parent;
  const stat = readStat(postmaster);
  if (stat === undefined) return NaN;
  const children = processes().filter(({ parent }) => parent === postmaster);
  return children.reduce((ticks, { own }) => ticks + own, stat.own + stat.ended) / TICKS;
}

type Stat = { readonly parent: number; readonly own: number; readonly ended: number };

function processes(): Stat[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
}

/** Undefined for a process that has ended. */
function readStat(pid: number | undefined): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is a name in brackets, which may hold blanks; the fields after it begin with the state.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent, , , , , , , , , , user, system, userOfEnded, systemOfEnded] = fields as [number, ...number[]];
    const sum = (a = NaN, b = NaN): number => a + b;
    return { parent: parent ?? NaN, own: sum(user, system), ended: sum(userOfEnded, systemOfEnded) };
  } catch {
    return undefined;
  }
}
