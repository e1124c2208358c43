import { isCurrency } from '#core/currency.ts';
import type { Minor } from '#core/money.ts';
import { areDigits, listedAmount, listedTime } from './values.ts';

/** A table from a CSV file. The first record is the header. */
export type Table = { readonly separator: string; readonly records: readonly (readonly string[])[] };

/** A row of a table. Its cells are found by the names of their columns. */
export type Row = {
  /** The number of the row. The header is row 1. */
  readonly number: number;
  readonly separator: string;
  /** Returns the trimmed text of a cell, or an empty string if the row lacks the cell. */
  readonly cell: (column: string) => string;
};

export type RowFault = { readonly row: number; readonly reason: string };

export function isFault(read: unknown): read is RowFault {
  return typeof read === 'object' && read !== null && 'reason' in read;
}

export function columnsOf({ records: [header = []] }: Table): readonly string[] {
  return header.map((name) => name.trim());
}

/** Returns the rows below the header. If several columns have the same name, `cell` reads the first of them. */
export function rowsOf(table: Table): readonly Row[] {
  const columns = columnsOf(table);
  const places = new Map(columns.map((name, at) => [name, at] as const).toReversed());
  const { separator, records } = table;
  return records.slice(1).map((cells, index) => ({
    number: index + 2,
    separator,
    cell: (column) => cells[places.get(column) ?? -1]?.trim() ?? '',
  }));
}

/** Returns the amount of a cell in hundredths, or a fault if the cell isn't an amount. An empty cell is 0. */
export function amountIn(row: Row, column: string): Minor | RowFault {
  const text = row.cell(column);
  if (text === '') return 0n as Minor;
  return listedAmount(text, row.separator) ?? faultOf(row, column, 'is not an amount');
}

/** Returns the time of a cell, or a fault if the cell isn't a time. A time without a zone is in UTC. */
export function timeIn(row: Row, column: string): Date | RowFault {
  return listedTime(row.cell(column)) ?? faultOf(row, column, 'is not a time');
}

export function currencyIn(row: Row, column: string): string | RowFault {
  const code = row.cell(column).toUpperCase();
  return isCurrency(code) ? code : faultOf(row, column, 'is not a currency');
}

/**
 * Returns the integer id of a cell, or a fault if the cell isn't an integer. A spreadsheet can change a long id to
 * `6.04E+12`, which has lost digits.
 */
export function idIn(row: Row, column: string): string | RowFault {
  const text = row.cell(column);
  return areDigits(text) ? text : faultOf(row, column, 'is not an id');
}

/** The maximum number of characters of a cell that an error shows. */
const SHOWN_LENGTH = 60;

function faultOf(row: Row, column: string, what: string): RowFault {
  return { row: row.number, reason: `“${row.cell(column).slice(0, SHOWN_LENGTH)}” in the column ${column} ${what}.` };
}
