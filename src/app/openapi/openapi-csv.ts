type Row = Readonly<Record<string, unknown>>;
type Media = { readonly schema: Readonly<Record<string, unknown>>; readonly example: string };

/**
 * Returns the OpenAPI description of a list's CSV format. Its example is built from `rows`, the list's example in JSON.
 */
export function csvOfList(rows: unknown): Media {
  const cells = (rows as readonly Row[]).map((row) => new Map(cellsOf(row, [])));
  const columns = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  const lines = [columns, ...cells.map((row) => columns.map((column) => row.get(column) ?? ''))];
  return { schema: WHOLE_LIST, example: lines.map((line) => `${line.join(',')}\r\n`).join('') };
}

const WHOLE_LIST = {
  type: 'string',
  description:
    'With `Accept: text/csv`: all rows of the list, on one page. Returns 422 (`too-many`) for more than 100,000 ' +
    'rows. Each field is a column, and a field of an object is `object.field`. A list in a field is JSON. Amounts are ' +
    'integers in hundredths of the major unit. With `Accept: text/csv; for=people`, amounts are in major units, names ' +
    'follow the ids of collaborators and programs, and lists are readable text.',
};

function cellsOf(value: unknown, path: readonly string[]): [string, string][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, of]) => cellsOf(of, [...path, name]));
  }
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return [[path.join('.'), /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text]];
}
