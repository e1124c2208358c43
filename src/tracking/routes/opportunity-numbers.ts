import type { OpportunityId } from '#core/ids.ts';
import { type Numbered, showNumbers as numbered } from '#core/shown-numbers.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import { readMembers } from '../store/read/opportunities.ts';
import type { Filters } from '#platform/postgres/lists/relation.ts';
import type { Auth } from '#core/auth.ts';

/** Returns the rows with public opportunity numbers instead of opportunity ids. Encodes all ids in one batch. */
export function showNumbers<Row extends { readonly opportunityId: OpportunityId | null }>(
  { opportunityNumbers }: Auth,
  rows: readonly Row[],
): Numbered<Row>[] {
  return numbered(opportunityNumbers, rows);
}

export function showNumber<Row extends { readonly opportunityId: OpportunityId | null }>(
  auth: Auth,
  row: Row,
): Numbered<Row> {
  return showNumbers(auth, [row])[0] as Numbered<Row>;
}

/** Returns the opportunity id for a public opportunity number. The opportunity may not exist. */
export function readNumber({ opportunityNumbers }: Auth, number: number): OpportunityId {
  return opportunityNumbers.decode([number])[0] as OpportunityId;
}

/**
 * Filters of a list by public opportunity numbers: a single opportunity with all opportunities merged with it, or
 * several separate opportunities.
 */
export type NumberFilters = {
  readonly opportunityId?: OpportunityId | undefined;
  readonly opportunityIds?: readonly number[] | undefined;
};

/**
 * Converts filters by public opportunity numbers to filters by opportunity ids. A single number includes all
 * opportunities merged with its opportunity, because the numbers of merged opportunities stay valid. Several numbers
 * mean separate opportunities, because a page of opportunities lists them separately.
 */
export async function withinOpportunity(
  connection: Queryable,
  auth: Auth,
  { opportunityId, opportunityIds }: NumberFilters,
): Promise<Filters> {
  const several = opportunityIds && { opportunityIds: auth.opportunityNumbers.decode([...opportunityIds]) };
  if (opportunityId === undefined) return several ?? {};
  const members = await readMembers(
    { connection, organizationId: auth.organizationId },
    readNumber(auth, opportunityId),
  );
  return { ...several, opportunityId: members };
}
