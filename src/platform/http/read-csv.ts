import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';

export type CsvTable = {
  /** The character between two cells: a comma, a semicolon or a tab. */
  readonly separator: string;
  /** The rows with at least one cell. The first is the header. */
  readonly records: readonly (readonly string[])[];
};

export type CsvReading =
  | { readonly kind: 'table'; readonly table: CsvTable }
  /** The text is not CSV by RFC 4180. `line` is where the fault was found. */
  | { readonly kind: 'malformed'; readonly line: number };

/**
 * Reads CSV by RFC 4180, with or without a byte order mark. The separator is the one that the first line has most of.
 * Rows can have different numbers of cells. Reads in slices, so that other requests are served in between: a megabyte
 * takes 100 to 800 ms.
 */
export async function readCsv(text: string): Promise<CsvReading> {
  const separator = separatorOf(text);
  const records: string[][] = [];
  const parser = parse({ bom: true, delimiter: separator, relax_column_count: true, skip_empty_lines: true });
  const ended = new Promise<CsvError | undefined>((resolve, reject) => {
    parser.on('error', (error) => (error instanceof CsvError ? resolve(error) : reject(error)));
    parser.on('end', () => resolve(undefined));
  });
  parser.on('data', (record: string[]) => records.push(record));
  for (let from = 0; from < text.length && !parser.destroyed; from += SLICE_LENGTH) {
    parser.write(text.slice(from, from + SLICE_LENGTH));
    await setImmediate();
  }
  if (!parser.destroyed) parser.end();
  const error = await ended;
  if (error !== undefined) return { kind: 'malformed', line: parser.info.lines };
  return { kind: 'table', table: { separator, records } };
}

/** The characters that are parsed before other requests are served. They take about 3 ms. */
const SLICE_LENGTH = 32_768;

const SEPARATORS = [',', ';', '\t'] as const;

function separatorOf(text: string): string {
  const [header = ''] = text.split('\n', 1);
  const counts = SEPARATORS.map((separator) => header.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}
