import { z } from 'zod';
import { choice, field, type Field, integer, optional, parameters, refusal, text } from './fields.ts';
import { addFault } from './parse.ts';
import { moment } from './time-field.ts';
import type { HeaderDescription, Success } from './operation.ts';

/** A position in a sorted list: just after the row with this key and this value of the sorted field. */
export type Cursor = { readonly sort: string; readonly value: string | null; readonly key: number };

/** A range of time. `from` is inclusive, `until` is exclusive. */
export type TimeRange = { readonly from?: Date | undefined; readonly until?: Date | undefined };

export type ListRequest<Filters> = {
  readonly page: number;
  readonly perPage: number;
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly after: Cursor | undefined;
  readonly filters: Filters;
  /** The time ranges, by field name. */
  readonly ranges: Readonly<Record<string, TimeRange>>;
};

type FilterFields = Readonly<Record<string, Field<unknown>>>;
type FilterValues<Filters extends FilterFields> = { readonly [Name in keyof Filters]?: z.output<Filters[Name]> };
type RequiredValues<Filters extends FilterFields, Required extends keyof Filters> = {
  readonly [Name in Required]: z.output<Filters[Name]>;
};
type Given<Filters extends FilterFields, Required extends keyof Filters> = Pick<
  ListRequest<FilterValues<Filters> & RequiredValues<Filters, Required>>,
  'filters' | 'ranges'
>;

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 25;
/** The maximum number of rows before a numbered page. The database reads and skips these rows. A cursor avoids that. */
const MAX_PASSED = 10_000;
/** The maximum number of rows in a list that can be downloaded as a CSV file or added up to totals. */
export const MAX_LISTED = 100_000;
const MAX_SEARCHED = 100;
const MAX_CURSOR_LENGTH = 4_096;
export const NO_CURSOR = 'This cursor is invalid. Use the cursor from the `Link` header of a page.';

/**
 * Returns a filter by status. The filter also accepts the statuses in `others`, which exist only in other
 * implementations of this API and match no rows. Clients of other implementations don't expect a 422 for these
 * statuses.
 */
export function stateFilter<const State extends string>(
  rows: string,
  states: readonly State[],
  others: readonly string[],
): Field<State | readonly never[]> {
  const names = others.map((each) => `\`${each}\``).join(' and ');
  const description = `${rows} with this status. ${names} are statuses of other implementations and give an empty list.`;
  const known: readonly string[] = [...states, ...others];
  return field<State | readonly never[]>({ type: 'string', enum: known }, { description }, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (!known.includes(value)) return refusal('unknown-value', `This must be one of ${known.join(', ')}.`);
    return others.includes(value) ? NO_VALUES : (value as State);
  });
}

/** The filter value that matches no row. A comparison with an unused status would read every row. */
const NO_VALUES: readonly never[] = [];

/**
 * Returns the query parameters of a list: pages, a cursor, a sort, the `filters`, and a range for each time in `sorts`
 * and `times`. Most filters match exactly. The range of `createdAt` is `createdFrom` and `createdUntil`. An unknown
 * parameter is a fault that lists the supported parameters.
 *
 * The first of `sorts` is the key of the rows. The default sort is by this key, descending. If the request has a range
 * for a time in `sorts`, the default sort is by that time, descending. The matching rows are then adjacent. Each
 * request must have the filters in `required`.
 */
export function listQuery<Filters extends FilterFields, Required extends keyof Filters = never>(
  sorts: readonly [string, ...string[]],
  filters: Filters,
  times: readonly string[] = [],
  required: readonly Required[] = [],
): z.ZodType<ListRequest<FilterValues<Filters> & RequiredValues<Filters, Required>>, unknown> {
  const names: readonly PropertyKey[] = required;
  const fields = Object.fromEntries(
    Object.entries(filters).map(([name, of]) => [name, names.includes(name) ? of : optional(of)]),
  );
  const sortedTimes = sorts.filter((name) => TIME.test(name));
  const ranged = [...sortedTimes, ...times];
  const sort = sortField(sorts, sortedTimes);
  return parameters({ ...PAGING, sort, ...fields, ...rangeFields(ranged) }).transform(
    ({ page, perPage, sort: chosen, after, ...others }, context) => {
      const rest: Readonly<Record<string, unknown>> = others;
      const asked = sortedTimes.find((time) => Object.values(boundsOf(time)).some((name) => rest[name] !== undefined));
      const order = chosen || `-${asked ?? sorts[0]}`;
      const sorted = orderOf(order);
      if (after !== undefined && after.sort !== order)
        refuseAfter(context, 'The cursor belongs to another sort. Send the same sort as for the previous page.');
      // A cursor has no value only if the list is sorted by the key alone. With any other sort, a null value would
      // match no row, and the list would seem to have ended.
      else if (after !== undefined && (after.value === null) !== (sorted.field === sorts[0]))
        refuseAfter(context, NO_CURSOR);
      if (after !== undefined && page > 1) refuseAfter(context, 'Send page or after, not both.');
      if ((page - 1) * perPage > MAX_PASSED) refusePage(context);
      const given = filtersIn(rest, filters, ranged, context) as Given<Filters, Required>;
      return { page, perPage, sort: sorted, after, ...given };
    },
  );
}

/** Returns the query parameters for the totals of a list: its filters and time ranges, without pages and sorts. */
export function filterQuery<Filters extends FilterFields>(
  filters: Filters,
  times: readonly string[],
): z.ZodType<Pick<ListRequest<FilterValues<Filters>>, 'filters' | 'ranges'>, unknown> {
  const optionalFilters = Object.fromEntries(Object.entries(filters).map(([name, of]) => [name, optional(of)]));
  return parameters({ ...optionalFilters, ...rangeFields(times) }).transform((given, context) =>
    filtersIn(given, filters, times, context),
  );
}

function filtersIn<Filters extends FilterFields>(
  given: Readonly<Record<string, unknown>>,
  filters: Filters,
  times: readonly string[],
  context: z.RefinementCtx,
): Pick<ListRequest<FilterValues<Filters>>, 'filters' | 'ranges'> {
  const chosen = Object.keys(filters).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return {
    filters: Object.fromEntries(chosen) as FilterValues<Filters>,
    ranges: Object.fromEntries(times.map((time) => [time, rangeOf(time, given, context)])),
  };
}

/** Returns a filter for rows with any of the given states, separated by commas. */
export function statesFilter(rows: string, states: readonly string[]): Field<string> {
  const any = `(${states.join('|')})`;
  return field(
    { type: 'string', pattern: `^${any}(,${any}){0,${2 * states.length - 1}}$` },
    {
      description: `${rows}: ${states.map((state) => `\`${state}\``).join(', ')}, or several of them, separated by commas.`,
    },
    (value) => {
      if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
      const given = value.split(',');
      if (given.length > 2 * states.length || !given.every((each) => states.includes(each)))
        return refusal(
          'unknown-value',
          `This must be one of ${states.join(', ')}, or several of them, separated by commas.`,
        );
      return value;
    },
  );
}

/** Returns a filter for rows that contain a given text. `of` describes the searched fields in the documentation. */
export function searchFilter(of: string): Field<string> {
  return text(1, MAX_SEARCHED, { description: `A part of ${of}, in upper or lower case.`, example: 'ada' });
}

/**
 * A filter with a list of ids. With the filter `ids`, a list also includes hidden rows, because callers may need the
 * names of deleted rows. Other filters with a list of ids don't have this effect.
 */
export const idsFilter: Field<readonly number[]> = field(
  { type: 'string', pattern: `^[0-9]{1,16}(,[0-9]{1,16}){0,${MAX_PER_PAGE - 1}}$` },
  {
    description: `Rows with any of these ids: at most ${MAX_PER_PAGE} ids, separated by commas. \`ids\` also finds deleted rows.`,
    example: '7,8',
  },
  (value) => {
    const ids = typeof value === 'string' && /^[0-9,]+$/.test(value) ? value.split(',').map(Number) : [];
    if (ids.length > MAX_PER_PAGE) return refusal('too-many', `This must have at most ${MAX_PER_PAGE} entries.`);
    return ids.length > 0 && ids.every((id) => Number.isSafeInteger(id) && id > 0)
      ? ids
      : refusal('invalid-format', 'This must be a list of ids, separated by commas.');
  },
);

/** Matches the name of a time field: `at`, or a name that ends in `At`, such as `createdAt`. */
const TIME = /(^a|A)t$/;

function rangeFields(times: readonly string[]): Record<string, Field<Date | undefined>> {
  return Object.fromEntries(
    times.flatMap((time) => {
      const { from, until } = boundsOf(time);
      return [
        [from, optional(moment({ description: `Rows whose \`${time}\` is this moment or later.` }))],
        [until, optional(moment({ description: `Rows whose \`${time}\` is before this moment.` }))],
      ];
    }),
  );
}

function boundsOf(time: string): { from: string; until: string } {
  const stem = time.slice(0, -2);
  return stem === '' ? { from: 'from', until: 'until' } : { from: `${stem}From`, until: `${stem}Until` };
}

function rangeOf(time: string, given: Readonly<Record<string, unknown>>, context: z.RefinementCtx): TimeRange {
  const names = boundsOf(time);
  const [from, until] = [given[names.from] as Date | undefined, given[names.until] as Date | undefined];
  if (from !== undefined && until !== undefined && until <= from) {
    const message = `This must be after ${names.from}.`;
    addFault(context, [names.until], 'out-of-range', message);
  }
  return { from, until };
}

/** Encodes a position as a value of the query parameter `after`, which is opaque to callers. */
export function writeCursor({ sort, value, key }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, value, key])).toString('base64url');
}

const LIST_HEADERS: Readonly<Record<string, HeaderDescription>> = {
  'Estimated-Count': {
    description:
      'The number of rows on all pages. Exact up to 10,000, and 10001 means more. If counting takes too long, it is the number of rows up to this page, plus one if there is a next page.',
    schema: { type: 'integer', minimum: 0 },
    example: '42',
  },
};
const LIST_LINKS: Readonly<Record<string, HeaderDescription>> = {
  Link: {
    description: 'The next page (`rel="next"`), if there is one.',
    schema: { type: 'string' },
    example: '</v1/collaborators?perPage=25&after=WyItaWQiLG51bGwsN10>; rel="next"',
  },
  'Content-Disposition': {
    description: 'The name of the CSV file.',
    schema: { type: 'string' },
    example: 'attachment; filename="collaborators.csv"',
  },
};

/**
 * Returns the response of a list: an array, with the count and the link to the next page as headers. Clients that
 * accept CSV get the whole list as a file.
 */
export function listSuccess<Of extends z.ZodType>(of: Of, description: string) {
  return {
    description,
    body: z.array(of),
    alsoCsv: true,
    serviceHeaders: LIST_HEADERS,
    headers: LIST_LINKS,
  } satisfies Success;
}

const cursorField: Field<Cursor> = field(
  { type: 'string', maxLength: MAX_CURSOR_LENGTH },
  { description: 'The position of the next page, from the `Link` of the previous page.' },
  (value) => (typeof value === 'string' ? readCursor(value) : undefined) ?? refusal('invalid-format', NO_CURSOR),
);

const PAGING = {
  page: optional(
    integer(1, MAX_PASSED, {
      description: 'The number of the page, up to 10,000 rows from the first row. For more rows, follow `Link`.',
      example: 1,
    }),
    1,
  ),
  perPage: optional(
    integer(1, MAX_PER_PAGE, { description: 'The number of rows on a page.', example: DEFAULT_PER_PAGE }),
    DEFAULT_PER_PAGE,
  ),
  after: optional(cursorField),
};

function sortField(sorts: readonly [string, ...string[]], times: readonly string[]): Field<string> {
  const ofRanges = times.map((time) => ` With a range of \`${time}\`, the default is \`-${time}\`.`);
  const description = `The field to sort by, with \`-\` for descending.${ofRanges.join('')}`;
  return optional(
    choice(
      sorts.flatMap((name) => [name, `-${name}`]),
      { description },
    ),
    '',
    `-${sorts[0]}`,
  );
}

function orderOf(sort: string): { field: string; descending: boolean } {
  return sort.startsWith('-') ? { field: sort.slice(1), descending: true } : { field: sort, descending: false };
}

function readCursor(text: string): Cursor | undefined {
  if (text.length > MAX_CURSOR_LENGTH) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts) || parts.length !== 3) return undefined;
    const [sort, value, key] = parts as unknown[];
    const isValue = value === null || (typeof value === 'string' && !value.includes('\0'));
    if (typeof sort !== 'string' || !isValue || typeof key !== 'number' || !Number.isSafeInteger(key)) return undefined;
    return { sort, value, key };
  } catch {
    return undefined;
  }
}

function refusePage(context: z.RefinementCtx): void {
  const message = `Pages can start at most ${MAX_PASSED} rows from the first row. For later rows, use the cursor from the Link header of a page.`;
  addFault(context, ['page'], 'out-of-range', message);
}

function refuseAfter(context: z.RefinementCtx, message: string): void {
  addFault(context, ['after'], 'invalid-format', message);
}
