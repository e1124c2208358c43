import type { OpportunityId } from './ids.ts';
import type { OpportunityNumbers } from './opportunity-number.ts';

type OfOpportunity = { readonly opportunityId: OpportunityId };
type Merging = { readonly id: OpportunityId; readonly mergedInto: OpportunityId | null };

/** A row with the public number in the place of its opportunity's id. */
export type Numbered<Row extends OfOpportunity> = Omit<Row, 'opportunityId'> & { readonly opportunityId: number };

/** The same of an opportunity's own row. */
export type NumberedOpportunity<Row extends Merging> = Omit<Row, keyof Merging> & {
  readonly id: number;
  readonly mergedInto: number | null;
};

/** Puts public numbers in the place of ids, for many rows in one batch. */
export function showNumbers<Row extends OfOpportunity>(
  numbers: OpportunityNumbers,
  rows: readonly Row[],
): Numbered<Row>[] {
  const shown = numbers.encode(rows.map(({ opportunityId }) => opportunityId));
  return rows.map((row, index) => ({ ...row, opportunityId: shown[index] as number }));
}

/** Puts public numbers in the place of opportunities' own ids and of those that they were merged into. */
export function showOpportunities<Row extends Merging>(
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
