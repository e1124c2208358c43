import type { Queryable } from '../database.ts';
import type { Meant } from './ordered-rows.ts';
import type { PageRequest, Relation } from './relation.ts';
import { boundedTimes, conditionsOf, countUpTo, givenFilters, planRows, rowsOf, wholeList } from './rows.ts';

/** Rows that are sorted for one page, at most: some thirty milliseconds, where they lie far from each other. */
export const MAX_SORTED = 25_000;
/** Rows that are passed by on the way to a page, at most: they lie beside each other. */
const MAX_WALKED = 100_000;
/** To sort a row that lies anywhere takes as long as to pass by so many that lie beside each other [4 and 0.2 µs]. */
const PASSED_PER_SORTED = 20;

/** How rows come into their order, `too-many` where no way is quick; and how many there are, where that had to be known for it. */
export type Ordering = { readonly way: 'by-index' | 'sorted' | 'too-many'; readonly count?: number };

/** The ordering of the rows that are meant; the planner expects `estimate` of them. */
export async function planOrder<Row, Resource>(
  connection: Queryable,
  meant: Meant<Row, Resource>,
  request: PageRequest,
  estimate: number,
): Promise<Ordering> {
  const { narrowed, counted, conditions } = meant;
  if (narrowed.unordered?.includes(request.sort.field) === true) {
    // Nobody is refused for what the planner has guessed: of two filters together it may be wrong by any number.
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

/** Whether an index has what the one filter leaves in the order that is asked for. */
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
 * Up to how many rows that the filters leave are all read and sorted sooner than a walk through all the others comes by a page
 * of them. The planner can't tell: it doesn't know which rows lie beside each other. Nor does it know how many some filters
 * leave.
 */
async function planFew<Row, Resource>(
  connection: Queryable,
  { organizationId, narrowed: relation }: Meant<Row, Resource>,
  { filters, page, perPage }: PageRequest,
  estimate: number,
): Promise<number> {
  if (estimate > MAX_SORTED || givenFilters(filters).length === 0) return 0;
  const all = await planRows(connection, rowsOf(relation, wholeList(organizationId, relation)));
  // Of so many, a walk passes by PASSED_PER_SORTED for each until it has met a page of them.
  return Math.min(Math.sqrt((page * perPage * all) / PASSED_PER_SORTED), all / PASSED_PER_SORTED);
}

/**
 * How many rows a walk by the key passes by before it comes to a range of time, as the planner sees it: what came since,
 * or before. It would guess that those of the range lie anywhere. After a cursor they are there already.
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
