import type { Filters } from '#store/read/page.ts';
import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import type { OpportunityNumbers } from '#domain/opportunity-number.ts';
import type { Queryable } from '#store/database.ts';
import { readMembers } from '#store/read/opportunities.ts';

type Auth = { readonly organizationId: OrganizationId; readonly opportunityNumbers: OpportunityNumbers };

/** Shows public numbers in the place of rows' ids, for a whole page in one batch. */
export function showNumbers<Row extends { readonly opportunityId: OpportunityId }>(
  { opportunityNumbers }: Auth,
  rows: readonly Row[],
): (Omit<Row, 'opportunityId'> & { opportunityId: number })[] {
  const numbers = opportunityNumbers.encode(rows.map(({ opportunityId }) => opportunityId));
  return rows.map((row, index) => ({ ...row, opportunityId: numbers[index] as number }));
}

export function showNumber<Row extends { readonly opportunityId: OpportunityId }>(
  auth: Auth,
  row: Row,
): Omit<Row, 'opportunityId'> & { opportunityId: number } {
  return showNumbers(auth, [row])[0] as Omit<Row, 'opportunityId'> & { opportunityId: number };
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
