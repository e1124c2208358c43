import { stringify } from 'csv-stringify/sync';
import type { Answer } from './handler.ts';

/**
 * 200 with a file that a spreadsheet opens as it is: UTF-8 with a byte order mark, lines that end in CRLF, and no cell
 * that it would run. Amounts are passed as text in major units, null is an empty cell. The file is made in one piece.
 */
export function answerCsv(
  fileName: string,
  columns: readonly string[],
  rows: Iterable<readonly (string | number | bigint | null)[]>,
): Answer {
  const csv = csvText([columns, ...rows], true);
  return { kind: 'answer', status: 200, csv, headers: { 'content-disposition': `attachment; filename="${fileName}"` } };
}

/** Records of such a file; `isFirst` has the byte order mark before them. */
export function csvText(records: readonly (readonly (string | number | bigint | null)[])[], isFirst: boolean): string {
  return stringify([...records], {
    bom: isFirst,
    record_delimiter: '\r\n',
    escape_formulas: true,
    // Where the comma separates decimals, spreadsheets look for semicolons: those must not open a cell either.
    quoted_match: /[\n\r\t;]/,
    cast: { string: unescapedNumber },
  });
}

/** A formula too begins with a minus, but `-12.50` is an amount and must stay a number. */
function unescapedNumber(cell: string): string {
  // The package lets a cast take the escape off a single cell; its types know text only.
  return /^-\d+(?:\.\d+)?$/.test(cell) ? ({ value: cell, escape_formulas: false } as unknown as string) : cell;
}
