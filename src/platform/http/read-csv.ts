import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';

export type CsvTable = {
  /** The character between two cells: a comma, a semicolon or a tab. */
  readonly separator: string;
  /** The rows, without empty lines. The first row is the header. */
  readonly records: readonly (readonly string[])[];
};

export type CsvOutcome =
  | { readonly kind: 'table'; readonly table: CsvTable }
  /** The text is not valid CSV according to RFC 4180. `line` is the line of the fault. */
  | { readonly kind: 'malformed'; readonly line: number }
  /** A row has more than MAX_COLUMNS cells, or more than MAX_ROW_BYTES bytes. */
  | { readonly kind: 'too-wide' | 'too-long-row' };

export const MAX_COLUMNS = 1_000;
/**
 * The maximum length of a row in bytes of UTF-8. It is checked between slices, so a row can exceed it by two slices.
 */
export const MAX_ROW_BYTES = 100_000;

/**
 * Reads CSV according to RFC 4180, with or without a byte order mark. The separator is the comma, semicolon or tab,
 * whichever occurs most often in the first line. Rows can have different numbers of cells. Stops soon after
 * `maxRecords` rows, so the result of a longer table can be incomplete. A megabyte takes 100 to 800 ms, so the text is
 * read in slices, and other requests are served in between.
 */
export async function readCsv(text: string, maxRecords: number): Promise<CsvOutcome> {
  const separator = separatorOf(text);
  const records: string[][] = [];
  const parser = parse({ bom: true, delimiter: separator, relax_column_count: true, skip_empty_lines: true });
  const ended = new Promise<CsvError | undefined>((resolve, reject) => {
    parser.on('error', (error) => (error instanceof CsvError ? resolve(error) : reject(error)));
    parser.on('end', () => resolve(undefined));
  });
  let widest = 0;
  parser.on('data', (record: string[]) => {
    records.push(record);
    widest = Math.max(widest, record.length);
  });
  // Slice the bytes, not the text. The parser joins a character that is split between two byte slices, but a surrogate
  // pair that is split between two text slices is lost.
  const bytes = Buffer.from(text);
  let rows = 0;
  let rowFrom = 0;
  for (let from = 0; from < bytes.length && !parser.destroyed; from += SLICE_BYTES) {
    parser.write(bytes.subarray(from, from + SLICE_BYTES));
    await setImmediate();
    if (widest > MAX_COLUMNS) return { kind: 'too-wide' };
    if (records.length > maxRecords) return { kind: 'table', table: { separator, records } };
    const rowsRead = parser.info.records + parser.info.empty_lines;
    if (rowsRead > rows) rowFrom = from;
    rows = rowsRead;
    if (from - rowFrom > MAX_ROW_BYTES) return { kind: 'too-long-row' };
  }
  if (!parser.destroyed) parser.end();
  const error = await ended;
  if (error !== undefined) return { kind: 'malformed', line: parser.info.lines };
  return widest > MAX_COLUMNS ? { kind: 'too-wide' } : { kind: 'table', table: { separator, records } };
}

/**
 * The number of bytes that are parsed before other requests get a turn. Parsing them takes about 1 ms, even if all of
 * them are commas.
 */
const SLICE_BYTES = 2_048;

const SEPARATORS = [',', ';', '\t'] as const;

function separatorOf(text: string): string {
  const counts = { ',': 0, ';': 0, '\t': 0 };
  for (const character of text.slice(0, MAX_ROW_BYTES)) {
    if (character === '\n') break;
    if (character === ',' || character === ';' || character === '\t') counts[character] += 1;
  }
  const most = Math.max(...Object.values(counts));
  return SEPARATORS.find((separator) => counts[separator] === most) ?? ',';
}
