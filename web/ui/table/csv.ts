type Cell = string | number;

/**
 * Returns records as a CSV file, byte for byte as the service writes them (src/platform/http/csv.ts): UTF-8 with a
 * byte order mark and CRLF line ends. No cell can run as a formula.
 */
export function csvFile(records: readonly (readonly Cell[])[]): Blob {
  const lines = records.map((cells) => `${cells.map(cellText).join(',')}\r\n`);
  return new Blob(['\uFEFF', ...lines], { type: 'text/csv' });
}

const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^-\d+(?:\.\d+)?$/;
const QUOTED = /[",;\t\r\n]/;

function cellText(cell: Cell): string {
  const plain = String(cell);
  const text = NUMBER.test(plain) ? plain : `${FORMULA.test(plain) ? "'" : ''}${disarmCell(plain)}`;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The characters that start a formula in a spreadsheet, in all the character widths that some spreadsheets accept. */
const FORMULA_SIGN = /[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u;
/**
 * The characters that separate cells or lines if a spreadsheet in a locale with a decimal comma opens the file. Such a
 * spreadsheet doesn't interpret a quotation mark in the middle of a line, so quoting a cell isn't enough.
 */
const SEPARATOR = /[;\t\r\n]/u;
/** Characters that a spreadsheet ignores before a formula. */
const UNSEEN = /[\s"\u2800\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Inserts an apostrophe before every character that would start a formula, except at the beginning of the cell. */
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
