import { stringify } from 'csv-stringify/sync';

export type CsvRecord = readonly (string | number | bigint | null)[];

/**
 * Writes records piece by piece as a file that spreadsheets open without an import dialog: UTF-8 with a byte order
 * mark, lines that end in CRLF, and no cell that a spreadsheet would run as a formula. Amounts are passed as text in
 * major units. Null is an empty cell.
 */
export async function* csvPieces(
  columns: readonly string[],
  slices: AsyncIterable<readonly CsvRecord[]>,
): AsyncGenerator<string> {
  yield csvText([columns], true);
  for await (const records of slices) if (records.length > 0) yield csvText(records, false);
}

/** Returns records as CSV text. If `isFirst`, it begins with the byte order mark. */
export function csvText(records: readonly CsvRecord[], isFirst: boolean): string {
  return stringify([...records], {
    bom: isFirst,
    record_delimiter: '\r\n',
    escape_formulas: true,
    quoted_match: SEPARATOR,
    cast: { string: safeText },
  });
}

/** Escapes formulas, some of which begin with a minus sign. `-12.50` is an amount and must stay a number. */
function safeText(cell: string): string {
  if (!/^-\d+(?:\.\d+)?$/.test(cell)) return disarmed(cell);
  // The package lets a cast disable the escape for a single cell, but its types allow only text.
  return { value: cell, escape_formulas: false } as unknown as string;
}

/** The characters that begin a formula in a spreadsheet, in all the character widths that some spreadsheets accept. */
const FORMULA_SIGN = /[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u;
/** Separates cells in locales with a decimal comma. There, a quotation mark in the middle of a line has no effect. */
const SEPARATOR = /[;\t\r\n]/u;
/** Characters before a formula that a spreadsheet ignores. */
const UNSEEN = /[\s"\u2800\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Inserts an apostrophe before every character that would begin a formula, except one at the beginning of the cell. */
function disarmed(cell: string): string {
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
