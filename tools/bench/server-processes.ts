import { readFileSync } from 'node:fs';
import type { Database } from '#platform/postgres/database.ts';

/**
 * Returns the processes of a PostgreSQL server on this machine, starting with the postmaster. Returns an empty array if
 * the server is on another machine, or on a system without /proc.
 */
export async function processesOfServer(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  try {
    const status = readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8');
    const postmaster = Number(/PPid:\s+(\d+)/.exec(status)?.[1]);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    return [postmaster, ...children.trim().split(' ').map(Number)];
  } catch {
    return [];
  }
}
