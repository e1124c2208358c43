import type { Reply } from '#test/support/service.ts';
import type { Attempt } from '../attempt.ts';
import type { Fault, FaultOptions } from '../judge.ts';
import { decodePath } from '../judge.ts';
import { unexplainedWrites } from './refusals.ts';
import type { Writes } from './writes.ts';

/*
 * The judge of tenants: no request of one organization may show or write data of another organization. Requests use ids
 * of the resources of a foreign organization. The names of these resources contain a mark.
 */

/** Returns the fault of a response that shows data of the foreign organization. */
export function faultsOfTenant(foreignMark: string, { text }: Pick<Reply, 'text'>): Fault[] {
  return text.includes(foreignMark) ? [{ kind: 'foreign', says: text.slice(0, 300) }] : [];
}

/** Returns the fault of a campaign whose requests have written data of the foreign organization. */
export async function faultsOfForeignWrites(writes: Writes, foreignOrganizationId: string): Promise<Fault[]> {
  const written = unexplainedWrites(await writes.ever(foreignOrganizationId));
  return written.length === 0 ? [] : [{ kind: 'foreign', says: 'Data of another organization was written.' }];
}

/**
 * Returns whether the path has a call that is open to anyone, which may reach any organization that the request names.
 */
export function isAtOpenDoor(
  { interface: { at } }: Pick<FaultOptions, 'interface'>,
  { path }: Pick<Attempt, 'path'>,
): boolean {
  const calls = at(decodePath(path))?.calls.values() ?? [];
  return [...calls].some(({ security }) => security.length === 0);
}
