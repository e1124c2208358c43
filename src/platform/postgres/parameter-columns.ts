/** The SQL type of a parameter column, and the function that returns the column's value for a row. */
export type ParameterColumn<Row> = readonly [type: string, valueOf: (row: Row) => unknown];

/**
 * The columns that a statement takes as parameters. SQL and values are derived from one list, so that they always
 * match.
 */
export type ParameterColumns<Row> = {
  /** The names of the columns, separated by commas. */
  readonly names: string;
  /** One parameter for each column of a single row: `$2::bigint, $3::text`. */
  readonly parameters: string;
  /** The number of the first parameter after the parameters of the columns. */
  readonly next: number;
  /** Returns SQL for many rows, with one array as the parameter of each column. */
  readonly unnest: (alias: string) => string;
  /** Returns the values of a single row, for `parameters`. */
  readonly valuesOf: (row: Row) => unknown[];
  /** Returns an array for each column, for `unnest`. */
  readonly arraysOf: (rows: readonly Row[]) => unknown[][];
};

/**
 * Returns the SQL and the values for columns whose parameters are numbered from `first`. The keys of `columns` are the
 * names of the columns, in their order.
 */
export function parameterColumns<Row>(
  first: number,
  columns: Readonly<Record<string, ParameterColumn<Row>>>,
): ParameterColumns<Row> {
  const names = Object.keys(columns).join(', ');
  const list = Object.values(columns);
  const parameters = list.map(([type], index) => `$${first + index}::${type}`);
  const arrays = parameters.map((parameter) => `${parameter}[]`).join(', ');
  return {
    names,
    parameters: parameters.join(', '),
    next: first + list.length,
    unnest: (alias) => `unnest(${arrays}) as ${alias} (${names})`,
    valuesOf: (row) => list.map(([, valueOf]) => valueOf(row)),
    arraysOf: (rows) => list.map(([, valueOf]) => rows.map(valueOf)),
  };
}
