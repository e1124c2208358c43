import { importResults, previewResults } from '../commands/import-results.ts';
import { MAX_RESULTS } from '../contract/payout-results.ts';
import type * as contract from '../contract/payout-results.ts';
import { readBankMessage } from '../domain/bank-message.ts';
import type { PaymentResult } from '../domain/payment-results.ts';
import type { ReadResults, ReportedPayment } from '../domain/reported-payment.ts';
import { readResultTable } from '../domain/result-table.ts';
import { faultAt, type Problem } from '#core/contract/problem.ts';
import { type Answer, answer, type HandlersFor, unchanged } from '#platform/http/handler.ts';
import { createBreaks } from '#platform/breaks.ts';
import { MAX_COLUMNS, MAX_ROW_BYTES, readCsv } from '#platform/http/read-csv.ts';
import { MAX_ELEMENTS, readXml } from '#platform/http/read-xml.ts';

export const payoutResultHandlers: HandlersFor<typeof contract> = {
  previewPayoutResults: ({ tenant, body: { file } }) =>
    withResults(file, async (payments) => previewResults(tenant, payments)),

  importPayoutResults: ({ tenant, body: { file } }) =>
    withResults(file, async (payments) => importResults(tenant, payments)),
};

async function withResults(
  file: string,
  decide: (payments: readonly ReportedPayment[]) => Promise<PaymentResult[]>,
): Promise<Answer | Problem> {
  const read = await readResults(file);
  if (read.kind !== 'read') return read;
  if (read.payments.length > MAX_RESULTS) {
    return fault(
      'too-many',
      `The file has more than ${MAX_RESULTS} payments of payouts. Split the file, and import each part.`,
    );
  }
  const results = await decide(read.payments);
  const shown = answer(200, { others: read.others, payments: results.map(({ state: _, ...result }) => result) });
  return results.some(({ outcome }) => outcome === 'paid' || outcome === 'failed') ? shown : unchanged(shown);
}

async function readResults(file: string): Promise<ReadResults | Problem> {
  return file.trimStart().startsWith('<') ? readMessage(file) : readTable(file);
}

async function readMessage(file: string): Promise<ReadResults | Problem> {
  const reading = await readXml(file);
  if (reading.kind === 'malformed') return fault('malformed-xml', 'The file is not XML. Download it again.');
  if (reading.kind === 'too-many-elements') {
    return fault(
      'too-many',
      `The file has more than ${MAX_ELEMENTS} XML elements. Split the file, and import each part.`,
    );
  }
  const message = readBankMessage(reading.root);
  switch (message.kind) {
    case 'read':
      return message;
    case 'rejected':
      return fault(
        'file-rejected',
        `The bank rejected the whole payment file${message.reason === null ? '' : ` (${message.reason})`}, so nothing was paid. Correct the cause, and send the file again.`,
      );
    case 'unsupported':
      return fault(
        'unsupported',
        'This XML file is not a result message. Import a pain.002, camt.053 or camt.054 of ISO 20022.',
      );
    default:
      return message satisfies never;
  }
}

async function readTable(file: string): Promise<ReadResults | Problem> {
  const reading = await readCsv(file, MAX_ROWS);
  switch (reading.kind) {
    case 'malformed':
      return fault('malformed-csv', `Line ${reading.line} is not CSV. Download the file again, and don’t edit it.`);
    case 'too-wide':
      return fault('too-many', `The file has more than ${MAX_COLUMNS} columns. Export fewer columns.`);
    case 'too-long-row':
      return fault('row-too-long', `A row has more than ${MAX_ROW_BYTES} bytes. Export fewer columns.`);
    case 'table':
      break;
    default:
      return reading satisfies never;
  }
  if (reading.table.records.length > MAX_ROWS)
    return fault(
      'too-many',
      `The file has more than ${MAX_ROWS} rows. Split the file into smaller files, each with the header as its first ` +
        'line, and import each file.',
    );
  const table = await readResultTable(reading.table, createBreaks());
  switch (table.kind) {
    case 'read':
      return table;
    case 'no-status-column':
      return fault(
        'missing-columns',
        'The file lacks a column with the status of the payments, for example “Status”. Export the file with this column.',
      );
    case 'no-reference-column':
      return fault(
        'missing-columns',
        'The file lacks a column with the reference of the payments, for example “Reference”. Export the file with this column.',
      );
    case 'no-amount-column':
      return fault(
        'missing-columns',
        'The file lacks a column with the amount of the payments, for example “Amount”. Export the file with this column.',
      );
    case 'unreadable-amount':
      return fault('invalid-format', `The amount in row ${table.row} is not a number. Export the file again.`);
    default:
      return table satisfies never;
  }
}

/**
 * The maximum number of rows in a CSV file. It is above MAX_RESULTS, because a file can also list payments that belong
 * to no payout.
 */
const MAX_ROWS = 50_000;

function fault(code: string, detail: string): Problem {
  return faultAt('/file', code, detail);
}
