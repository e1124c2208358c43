/**
 * The source of a list: a query, its key, and the database types of the sorted fields. The query's columns are
 * organization_id and columns with the names of the API's fields. Sorted fields are never null.
 */
export type Relation<Row, Resource> = {
  readonly query: string;
  /** The values of the numbered parameters of the query, for a relation that is built for one request. */
  readonly values?: readonly unknown[];
  /** A numeric column that is unique within an organization or, if a page has `within`, within the selected rows. */
  readonly key: string;
  /**
   * The fields by which a list can be sorted, with their database types. A table that grows without bound has an index
   * for each of them (docs/decisions/0054-lists.md).
   */
  readonly sorts: Readonly<Record<string, 'bigint' | 'numeric' | 'timestamptz' | 'text'>>;
  /** The value of `status` whose rows are listed only if the request filters by `status` or `ids`. */
  readonly hidden?: string;
  /**
   * SQL for the condition that the filter `search` sets on the row `r`. `:text` is the search text in lower case, and
   * `:organization` is the organization. Evaluating it reads all rows of the organization.
   */
  readonly searched?: string;
  /**
   * SQL for a query that finds the keys of the rows that match `searched` with an index. It is used for texts of at
   * least MIN_INDEXED characters. If absent, all rows are read.
   */
  readonly sought?: string;
  /** Returns an equivalent query that can use an index for the given filters, or undefined if no such query exists. */
  readonly narrowed?: (filters: Filters) => string | undefined;
  /** The filter whose condition is part of the query that `narrowed` returns. */
  readonly narrowsBy?: string;
  /**
   * The number of rows to read first, if rows can be large. Their size determines how many rows are read next, and a
   * page with more than MAX_PAGE_CHARACTERS is refused. If absent, a page of up to 1,000 rows is read with one query.
   */
  readonly firstSlice?: number;
  /** The columns with amounts in `currency`, if the list has totals. */
  readonly sums?: readonly string[];
  /**
   * Whether the rows are computed together, so that reading some rows costs as much as reading all. A page then counts
   * all rows with the statement that reads it.
   */
  readonly isComputed?: true;
  readonly read: (row: Row) => Resource;
};

export type Filters = Readonly<Record<string, FilterValue>>;
/** The value of a filter. A list of ids matches rows with any of these ids. */
export type FilterValue = string | number | readonly number[] | undefined;

export type PageRequest = {
  readonly page: number;
  readonly perPage: number;
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly after: Cursor | undefined;
  readonly filters: Filters;
  /** The ranges of time by field name. `from` is inclusive and `until` exclusive. */
  readonly ranges?: Readonly<Record<string, TimeRange>>;
};

export type TimeRange = { readonly from?: Date | undefined; readonly until?: Date | undefined };

/**
 * The position after a row: its value of the sorted field as the database writes it (null if sorted by the key), and
 * its key.
 */
export type Cursor = { readonly value: string | null; readonly key: number };
