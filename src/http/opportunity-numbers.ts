import type { OpportunityId } from '#domain/ids.ts';
import { type Numbered, showNumbers as numbered } from '#domain/shown-numbers.ts';
import type { Queryable } from '#store/database.ts';
import { readMembers } from '#store/read/opportunities.ts';
import type { Filters } from '#store/read/relation.ts';
import type { Auth } from './authentication.ts';

/** Shows public numbers in the place of rows' ids, for a whole page in one batch. */
export function showNumbers<Row extends { readonly opportunityId: OpportunityId }>(
  { opportunityNumbers }: Auth,
  rows: readonly Row[],
): Numbered<Row>[] {
  return numbered(opportunityNumbers, rows);
}

export function showNumber<Row extends { readonly opportunityId: OpportunityId }>(auth: Auth, row: Row): Numbered<Row> {
  return showNumbers(auth, [row])[0] as Numbered<Row>;
}

/** The row's id of a public number; it need not exist. */
export function readNumber({ opportunityNumbers }: Auth, number: number): OpportunityId {
  return opportunityNumbers.decode([number])[0] as OpportunityId;
}

/** Filters by public numbers: of one, and of several, each alone. */
export type NumberFilters = {
  readonly opportunityId?: OpportunityId | undefined;
  readonly opportunityIds?: readonly number[] | undefined;
};

/**
 * The filters for public numbers. One is the opportunity with all that it was merged with, since merged numbers keep
 * resolving; several are each themselves alone, since a page of opportunities has each of them.
 */
export async function withinOpportunity(
  connection: Queryable,
  auth: Auth,
  { opportunityId, opportunityIds }: NumberFilters,
): Promise<Filters> {
  const several = opportunityIds && { opportunityIds: auth.opportunityNumbers.decode([...opportunityIds]) };
  if (opportunityId === undefined) return several ?? {};
  const members = await readMembers(connection, auth.organizationId, readNumber(auth, opportunityId));
  return { ...several, opportunityId: members };
}
