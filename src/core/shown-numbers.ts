import type { OpportunityId } from './ids.ts';
import type { OpportunityNumbers } from './opportunity-number.ts';

type OfOpportunity = { readonly opportunityId: OpportunityId | null };
type Merge = { readonly id: OpportunityId; readonly mergedInto: OpportunityId | null };

/**
 * A row with the public opportunity number instead of the opportunity id. The number is null without an opportunity.
 */
export type Numbered<Row extends OfOpportunity> = Omit<Row, 'opportunityId'> & {
  readonly opportunityId: number | (null extends Row['opportunityId'] ? null : never);
};

/** An opportunity's own row, with public opportunity numbers instead of opportunity ids. */
export type NumberedOpportunity<Row extends Merge> = Omit<Row, keyof Merge> & {
  readonly id: number;
  readonly mergedInto: number | null;
};

/** Returns the rows with public opportunity numbers instead of opportunity ids. Encodes all ids in one batch. */
export function showNumbers<Row extends OfOpportunity>(
  numbers: OpportunityNumbers,
  rows: readonly Row[],
): Numbered<Row>[] {
  const ids = rows.flatMap(({ opportunityId }) => opportunityId ?? []);
  const shown = numbers.encode(ids);
  let next = 0;
  return rows.map((row) => ({
    ...row,
    opportunityId: (row.opportunityId === null ? null : shown[next++]) as Numbered<Row>['opportunityId'],
  }));
}

/** Returns the opportunities with public numbers instead of their own ids and the ids of their survivors. */
export function showOpportunities<Row extends Merge>(
  numbers: OpportunityNumbers,
  rows: readonly Row[],
): NumberedOpportunity<Row>[] {
  const ids = numbers.encode(rows.map(({ id }) => id));
  const merged = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
  const survivors = new Map(numbers.encode(merged).map((number, index) => [merged[index], number]));
  return rows.map((row, index) => ({
    ...row,
    id: ids[index] as number,
    mergedInto: row.mergedInto === null ? null : (survivors.get(row.mergedInto) as number),
  }));
}
