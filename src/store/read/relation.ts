/**
 * What can be listed: a written query whose columns are named as the API's fields (and organization_id), its key, and
 * what the sorted fields are to the database. Sorted fields are never null.
 */
export type Relation<Row, Resource> = {
  readonly query: string;
  /** A number, unique within one organization and, with a page's `within`, within that. */
  readonly key: string;
  readonly sorts: Readonly<Record<string, 'bigint' | 'timestamptz' | 'text'>>;
  /** Rows in this state are listed only when a filter asks for a state. */
  readonly hidden?: string;
  /**
   * What the filter `search` looks for its text in: a condition on the row `r`, in which `:text` is that text in small
   * letters and `:organization` whose rows they are. It reads all of them.
   */
  readonly searched?: string | undefined;
  /** The keys of those same rows, by an index that knows texts of MIN_INDEXED letters and more; where it is not said, all are read. */
  readonly sought?: string;
  /** The query that says the same under these filters in words that an index understands; undefined: there is none. */
  readonly narrowed?: (filters: Filters) => string | undefined;
  /** By the name of a filter the query that has as many rows where that filter alone is given, and is read in an index alone. */
  readonly counted?: Readonly<Record<string, string>>;
  /** By the name of a sorted field the filters that have an index in its order: a page of what one of them leaves is read without the rest of it. */
  readonly inOrder?: Readonly<Record<string, readonly string[]>>;
  /** Sorted fields that no index has, since it would cost those who report more than it gives to those who read. */
  readonly unordered?: readonly string[];
  /**
   * A time that is later than another one by less than `slackMs`, if at all; that is an hour unless told. So the rows of a range
   * of `before` that ends at some moment are among those whose `time` is below that moment plus `slackMs`.
   */
  readonly earliest?: { readonly time: string; readonly before: string; readonly slackMs?: number };
  readonly read: (row: Row) => Resource;
};

export type Filters = Readonly<Record<string, FilterValue>>;
/** A list of ids matches any of them. */
export type FilterValue = string | number | readonly number[] | undefined;

export type PageRequest = {
  readonly page: number;
  readonly perPage: number;
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly after: Cursor | undefined;
  readonly filters: Filters;
  /** Rows from a moment on (inclusive), and until one (exclusive), by the field that they are of. */
  readonly ranges?: Readonly<Record<string, TimeRange>>;
};

export type TimeRange = { readonly from?: Date | undefined; readonly until?: Date | undefined };

/** The place after a row: its value of the sorted field as the database writes it (null: the key itself), and its key. */
export type Cursor = { readonly value: string | null; readonly key: number };
