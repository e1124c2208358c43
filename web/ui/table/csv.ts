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
  const text = NUMBER.test(plain) ? plain : `${FORMULA.test(plain) ? "'" : ''}${disarmed(plain)}`;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The signs that begin a formula in a spreadsheet, in all the character widths that some spreadsheets accept. */
const FORMULA_SIGN = /[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u;
/** Separates cells in locales with a decimal comma. There, quotation marks in the middle of a line quote nothing. */
const SEPARATOR = /[;\t\r\n]/u;
/** Characters before a formula that a spreadsheet ignores. */
const UNSEEN = /[\s"\u2800\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Puts an apostrophe before every sign that would begin a formula, except one at the beginning of the cell. */
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
