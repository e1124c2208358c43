import type { Queryable } from '../database.ts';
import type { Meant } from './ordered-rows.ts';
import type { PageRequest, Relation } from './relation.ts';
import { boundedTimes, conditionsOf, countUpTo, givenFilters, planRows, rowsOf, wholeList } from './rows.ts';

/**
 * The largest number of rows that are sorted for one page. It takes some thirty milliseconds if they are far apart on
 * disk.
 */
export const MAX_SORTED = 25_000;
/** The largest number of rows that are skipped to reach a page. They are adjacent on disk. */
const MAX_WALKED = 100_000;
/** Sorting one row takes as long as skipping this many adjacent rows [4 and 0.2 µs]. */
const PASSED_PER_SORTED = 20;

/** How rows are ordered, or `too-many` if no way is fast. `count` is the number of rows if it had to be determined. */
export type Ordering = { readonly way: 'by-index' | 'sorted' | 'too-many'; readonly count?: number };

/** Returns the ordering of the matching rows. `estimate` is their number according to the planner. */
export async function planOrder<Row, Resource>(
  connection: Queryable,
  meant: Meant<Row, Resource>,
  request: PageRequest,
  estimate: number,
): Promise<Ordering> {
  const { narrowed, counted, conditions } = meant;
  if (narrowed.unordered?.includes(request.sort.field) === true) {
    // A request is never refused because of an estimate, which can be arbitrarily wrong for two combined filters.
    if (estimate <= MAX_SORTED) return { way: 'sorted' };
    return (
      sortedUpTo(MAX_SORTED, await countUpTo(connection, counted, conditions, MAX_SORTED + 1)) ?? { way: 'too-many' }
    );
  }
  if (isInOrder(narrowed, request)) return { way: 'by-index' };
  const passed = await planPassed(connection, meant, request);
  if (passed > Math.min(estimate, MAX_WALKED) && estimate <= MAX_SORTED) return { way: 'sorted' };
  if (passed > MAX_WALKED) return { way: 'too-many' };
  const few = await planFew(connection, meant, request, estimate);
  if (estimate > few) return { way: 'by-index' };
  return sortedUpTo(few, await countUpTo(connection, counted, conditions, Math.ceil(few) + 1)) ?? { way: 'by-index' };
}

/** Returns whether an index contains the rows of the only filter in the requested order. */
export function isInOrder(
  { inOrder }: Pick<Relation<never, never>, 'inOrder'>,
  { sort, filters, ranges }: PageRequest,
): boolean {
  const [filter = '', ...others] = givenFilters(filters);
  return others.length === 0 && boundedTimes(ranges).length === 0 && inOrder?.[sort.field]?.includes(filter) === true;
}

function sortedUpTo(limit: number, count: number): Ordering | undefined {
  return count <= limit ? { way: 'sorted', count } : undefined;
}

/**
 * Returns the number of matching rows up to which sorting all of them is faster than a scan until a page is full. The
 * scan skips the rows that don't match. The planner can't determine that number, because it doesn't know which rows are
 * adjacent. Nor does it know how many rows some filters match.
 */
async function planFew<Row, Resource>(
  connection: Queryable,
  { organizationId, narrowed: relation }: Meant<Row, Resource>,
  { filters, page, perPage }: PageRequest,
  estimate: number,
): Promise<number> {
  if (estimate > MAX_SORTED || givenFilters(filters).length === 0) return 0;
  const all = await planRows(connection, rowsOf(relation, wholeList(organizationId, relation)));
  // With this many matching rows, a scan skips PASSED_PER_SORTED rows for each of them until a page is full.
  return Math.min(Math.sqrt((page * perPage * all) / PASSED_PER_SORTED), all / PASSED_PER_SORTED);
}

/**
 * Returns how many rows a scan by key skips before it reaches a range of time, according to the planner. These are the
 * rows after the range, or before it. The planner itself would assume that the rows of the range are evenly
 * distributed. A scan from a cursor is already in the range.
 */
async function planPassed<Row, Resource>(
  connection: Queryable,
  { organizationId, narrowed: relation }: Meant<Row, Resource>,
  { sort, after, filters, ranges = {} }: PageRequest,
): Promise<number> {
  if (sort.field !== relation.key || after !== undefined) return 0;
  const [passed] = Object.entries(ranges).flatMap(([name, { from, until }]) => {
    const end = sort.descending ? until : from;
    return end === undefined ? [] : [{ [name]: sort.descending ? { from: end } : { until: end } }];
  });
  if (passed === undefined) return 0;
  return planRows(connection, rowsOf(relation, conditionsOf(organizationId, relation, filters, passed)));
}
