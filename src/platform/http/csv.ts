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
  for await (const records of slices) {
    for (let from = 0; from < records.length;) {
      const to = endOfPiece(records, from);
      yield csvText(records.slice(from, to), false);
      from = to;
    }
  }
}

/**
 * The maximum number of characters of the records that are converted to text in one step, except for a longer single
 * record.
 */
export const PIECE_CHARACTERS = 64 * 1024;

/** Returns the index after the last record of the piece that begins with the record at `from`. */
function endOfPiece(records: readonly CsvRecord[], from: number): number {
  let characters = 0;
  let to = from;
  do {
    for (const cell of records[to] ?? []) characters += typeof cell === 'string' ? cell.length : OTHER_CHARACTERS;
    to += 1;
  } while (to < records.length && characters < PIECE_CHARACTERS);
  return to;
}

/** The counted characters of a number, a bigint or null. */
const OTHER_CHARACTERS = 8;

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

const [OTHER, FORMULA, SEPARATING, IGNORED] = [1, 2, 3, 4];
/**
 * The kinds of the characters up to U+FFFF, or 0 for characters that no cell has contained yet. A sale with 1,000 lines
 * is a cell of 600,000 characters, and testing the expressions for each of them would take 40 ms.
 */
const kinds = new Uint8Array(0x1_00_00);

function kindOf(code: number): number {
  const known = kinds[code];
  if (known !== undefined && known > 0) return known;
  const character = String.fromCodePoint(code);
  const kind = [FORMULA_SIGN, SEPARATOR, UNSEEN].findIndex((each) => each.test(character));
  const found = [FORMULA, SEPARATING, IGNORED][kind] ?? OTHER;
  kinds[code] = found;
  return found;
}

/**
 * Inserts an apostrophe before every character that would start a formula, except at the beginning of the cell, where
 * csv-stringify inserts it.
 */
function disarmCell(cell: string): string {
  let text = '';
  let from = 0;
  let isAtStart = true;
  for (let at = 0; at < cell.length; at += 1) {
    const code = cell.codePointAt(at) as number;
    const kind = kindOf(code);
    if (kind === FORMULA && isAtStart && at > 0) {
      text += `${cell.slice(from, at)}'`;
      from = at;
    }
    isAtStart = kind === SEPARATING || (isAtStart && kind === IGNORED);
    if (code > 0xff_ff) at += 1;
  }
  return from === 0 ? cell : text + cell.slice(from);
}
