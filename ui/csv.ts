type Cell = string | number;

/**
 * Records as a file for spreadsheets, to the letter as the service writes its own (src/http/csv.ts): UTF-8 with a byte order
 * mark, lines that end in CRLF, and no cell that would be run.
 */
export function csvFile(records: readonly (readonly Cell[])[]): Blob {
  const lines = records.map((cells) => `${cells.map(cellText).join(',')}\r\n`);
  return new Blob(['\uFEFF', ...lines], { type: 'text/csv' });
}

const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^-\d+(?:\.\d+)?$/;
/** Where the comma separates decimals, spreadsheets look for semicolons: those must not open a cell either. */
const QUOTED = /[",;\t\r\n]/;

function cellText(cell: Cell): string {
  const plain = String(cell);
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
