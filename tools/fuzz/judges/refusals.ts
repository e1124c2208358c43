import type { Attempt } from '../attempt.ts';
import type { Call } from '../interface.ts';
import type { Fault } from '../judge.ts';
import type { Write } from './writes.ts';

/*
 * The judge of refusals. Requests that are refused and requests that only read must not write data, except notes such
 * as the last use of a key.
 */

/**
 * Returns the fault of a response if its request has written rows that it must not write. Otherwise, returns an empty
 * array.
 */
export function faultsOfWrites(
  attempt: Attempt,
  call: Call | undefined,
  status: number,
  writes: readonly Write[],
): Fault[] {
  const written = unexplainedWrites(writes).filter((write) => !isWrongCode(write) || call?.id !== 'openPortalSession');
  if (status >= 400 && written.length > 0) return [{ kind: 'refused-but-written', says: textOf(written) }];
  if (isReading(attempt) && !written.every(isWitness)) return [{ kind: 'read-but-written', says: textOf(written) }];
  return [];
}

/** The columns that any request may update, because they record the last use of a key or session. */
const NOTED: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['last_used_at'],
  sessions: ['last_seen_at', 'idle_until'],
  people: ['last_seen_at'],
};
/** The tables that any request may write. A lookup of an award sum stores the sum if it is missing. */
const COUNTS = new Set(['award_counters']);

/** Returns the writes, except writes that any request may make: notes of the last use, and missing award sums. */
export function unexplainedWrites(writes: readonly Write[]): readonly Write[] {
  return writes.filter((write) => !isExplained(write));
}

/** Returns whether a write counts a wrong code for a login link. The count limits how many codes a caller can try. */
function isWrongCode({ table, verb }: Write): boolean {
  return verb === 'update' && table === 'entry_links';
}

function isReading({ method }: Attempt): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Returns whether a write is the audit record of reading encrypted data. */
function isWitness({ table, verb }: Write): boolean {
  return table === 'audit_entries' && verb === 'insert';
}

function isExplained({ table, verb, columns }: Write): boolean {
  return COUNTS.has(table) || (verb === 'update' && columns.every((column) => NOTED[table]?.includes(column)));
}

function textOf(writes: readonly Write[]): string {
  return writes.map(({ table, verb, columns }) => `${verb} ${table} ${columns.join(' ')}`.trim()).join('; ');
}
