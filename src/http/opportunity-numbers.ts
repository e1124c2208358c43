import type { OpportunityId } from '#domain/ids.ts';
import { type Numbered, showNumbers as numbered } from '#domain/shown-numbers.ts';
import type { Queryable } from '#store/database.ts';
import { readMembers } from '#store/read/opportunities.ts';
import type { Filters } from '#store/read/page.ts';
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

/** The filter for a public number: the opportunity with all that it was merged with, since merged numbers keep resolving. */
export async function withinOpportunity(
  connection: Queryable,
  auth: Auth,
  { opportunityId }: { readonly opportunityId?: OpportunityId | undefined },
): Promise<Filters> {
  if (opportunityId === undefined) return {};
  return { opportunityId: await readMembers(connection, auth.organizationId, readNumber(auth, opportunityId)) };
}
