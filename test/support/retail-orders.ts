import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Line, LineKind } from '#test/oracle/facts.ts';
import { minorOf } from '#test/oracle/fraction.ts';

/** The line types of stock codes that are not products. */
const KINDS: Record<string, LineKind> = { POST: 'shipping', DOT: 'shipping', C2: 'shipping', 'BANK CHARGES': 'fee' };

export type Row = Readonly<Record<string, string>>;
export type Invoice = {
  readonly number: string;
  readonly isCancellation: boolean;
  readonly userId: number | undefined;
  /** A label for the customer. Each invoice without a customer id has its own label. */
  readonly visitor: string;
  readonly codes: ReadonlySet<string>;
  readonly lines: readonly Line[];
};

/** Returns the rows and the invoices of test/fixtures/orders.csv.gz in the file's order, which is chronological. */
export function readRetailOrders(): { readonly rows: readonly Row[]; readonly invoices: readonly Invoice[] } {
  const rows = readRows();
  return { rows, invoices: readInvoices(rows) };
}

function readRows(): Row[] {
  const file = gunzipSync(readFileSync(new URL('../fixtures/orders.csv.gz', import.meta.url)));
  const [names = [], ...records] = parseCsv(file.toString('utf8'));
  return records.map((record) => {
    assert.equal(record.length, names.length, record.join());
    return Object.fromEntries(names.map((name, index) => [name, record[index] ?? '']));
  });
}

/** Parses CSV (RFC 4180). A quoted field may contain commas, line ends and quotes, which are doubled. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g)) {
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

/** Returns the invoices in the file's order, which is chronological. */
function readInvoices(rows: readonly Row[]): Invoice[] {
  const groups = Map.groupBy(rows, ({ InvoiceNo = '' }) => InvoiceNo);
  return [...groups].map(([number, rows]) => {
    const customer = rows[0]?.['CustomerID'] ?? '';
    return {
      number,
      isCancellation: number.startsWith('C'),
      userId: customer === '' ? undefined : Number(customer),
      visitor: customer === '' ? `visitor of ${number}` : `customer ${Number(customer)}`,
      codes: new Set(rows.map(({ StockCode = '' }) => StockCode)),
      lines: rows.map(readLine),
    };
  });
}

/**
 * Returns a line of an order. The price keeps its digits. A line with a negative quantity is an item that was returned
 * within the order, and is read as a discount.
 */
function readLine({ StockCode = '', Description = '', Quantity = '', UnitPrice = '' }: Row): Line {
  const quantity = Number(Quantity);
  return {
    externalId: StockCode,
    name: Description.trim() === '' ? `Item ${StockCode}` : Description,
    type: quantity < 0 ? 'discount' : (KINDS[StockCode] ?? 'product'),
    quantity: Math.abs(quantity),
    amount: quantity < 0 ? `-${UnitPrice}` : UnitPrice,
  };
}

/** Returns the sum of the lines in pence. */
export function sumOf(lines: readonly Line[]): bigint {
  return lines.reduce((pence, { amount = '0', quantity }) => pence + minorOf(amount) * BigInt(quantity), 0n);
}

/** Formats pence as pounds. */
export function majorOf(pence: bigint): string {
  const digits = String(pence).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
