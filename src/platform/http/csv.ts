import { stringify } from 'csv-stringify/sync';

export type CsvRecord = readonly (string | number | bigint | null)[];

/**
 * Yields the pieces of a CSV file that spreadsheets open without an import dialog. It is UTF-8 with a byte order mark,
 * and its lines end in CRLF. No cell can be run as a formula. Null is an empty cell.
 */
export async function* csvPieces(
  columns: readonly string[],
  slices: AsyncIterable<readonly CsvRecord[]>,
): AsyncGenerator<string> {
  yield csvText([columns], true);
  for await (const records of slices) if (records.length > 0) yield csvText(records, false);
}

/** Returns records as CSV text. If `isFirst`, it starts with the byte order mark. */
export function csvText(records: readonly CsvRecord[], isFirst: boolean): string {
  return stringify([...records], {
    bom: isFirst,
    record_delimiter: '\r\n',
    escape_formulas: true,
    quoted_match: SEPARATOR,
    cast: { string: safeText },
  });
}

/**
 * Returns a cell that can't be run as a formula. A formula can start with a minus sign, but `-12.50` must stay an
 * amount.
 */
function safeText(cell: string): string {
  if (!/^-\d+(?:\.\d+)?$/.test(cell)) return disarmCell(cell);
  // An object with `escape_formulas: false` exempts this cell from the escaping. The types of csv-stringify omit such
  // objects, so a cast is needed.
  return { value: cell, escape_formulas: false } as unknown as string;
}

/**
 * The characters that start a formula in a spreadsheet, including the full-width forms that some spreadsheets accept.
 */
const FORMULA_SIGN = /[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u;
/**
 * The characters that separate cells or lines if a spreadsheet in a locale with a decimal comma opens the file. Such a
 * spreadsheet doesn't interpret a quotation mark in the middle of a line, so quoting a cell isn't enough.
 */
const SEPARATOR = /[;\t\r\n]/u;
/** Characters that a spreadsheet ignores before a formula. */
const UNSEEN = /[\s"\u2800\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Inserts an apostrophe before every character that would start a formula, except at the beginning of the cell, where
 * csv-stringify inserts it.
 */
function disarmCell(cell: string): string {
  if (!SEPARATOR.test(cell) && !UNSEEN.test(cell)) return cell;
  let text = '';
  let isAtStart = true;
  for (const character of cell) {
    if (isAtStart && text !== '' && FORMULA_SIGN.test(character)) text += "'";
    text += character;
    isAtStart = SEPARATOR.test(character) || (isAtStart && UNSEEN.test(character));
  }
  return text;
}
