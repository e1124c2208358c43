import type { Minor } from '#core/money.ts';
import { listedAmount } from '#connectors/domain/reconciliation/values.ts';
import {
  parsePayoutReference,
  type ReadResults,
  type ReportedPayment,
  type ReportedState,
  shortenReason,
} from './reported-payment.ts';

/** A CSV file. The first record is the header. */
export type ResultTable = { readonly separator: string; readonly records: readonly (readonly string[])[] };

export type TableReading =
  | ReadResults
  /** The header lacks a column for the state. */
  | { readonly kind: 'no-status-column' }
  /** The header lacks a column for the reference, or for the amount. */
  | { readonly kind: 'no-reference-column' | 'no-amount-column' }
  | { readonly kind: 'unreadable-amount'; readonly row: number };

/*
 * The accepted names of columns, reduced to lower-case letters. PayPal, Wise and spreadsheets use different names, and
 * merchants can choose the columns of PayPal's reports.
 */
const REFERENCE = new Set([
  'reference',
  'paymentreference',
  'payoutreference',
  'customerid',
  'uniqueid',
  'senderitemid',
]);
/** The column of an account history that distinguishes outgoing payments (`OUT`) from incoming payments. */
const DIRECTION = ['direction'];
const STATUS = ['status', 'transactionstatus', 'payoutstatus', 'payoutitemstatus'];
const AMOUNT = [
  'amount',
  'paymentamount',
  'payoutamount',
  'gross',
  'grossamount',
  'targetamount',
  'targetamountafterfees',
];
const CURRENCY = ['currency', 'currencycode', 'paymentcurrency', 'payoutcurrency', 'targetcurrency'];
const REASON = ['reason', 'failurereason', 'reasoncode', 'error', 'errors', 'errormessage'];

/**
 * The states in the result files of PayPal and Wise, and in payment files that people have filled in. The states are in
 * lower case and without separators.
 */
const STATES: Readonly<Record<Exclude<ReportedState, 'unknown'>, string>> = {
  paid: 'paid complete completed success successful processed sent outgoingpaymentsent',
  failed:
    'failed denied returned reversed refunded cancelled canceled blocked rejected bounced bouncedback fundsrefunded',
  pending:
    'pending unclaimed onhold held new processing created scheduled funded incomingpaymentwaiting fundsconverted',
};

const STATE_OF: ReadonlyMap<string, ReportedState> = new Map(
  Object.entries(STATES).flatMap(([state, words]) => words.split(' ').map((word) => [word, state as ReportedState])),
);

/**
 * Reads a result file of PayPal or Wise, or a CSV payment file whose column `status` was filled in. Calls `takeBreak`
 * before each row, so that a long file doesn't delay other requests.
 */
export async function readResultTable(
  { separator, records: [header = [], ...rows] }: ResultTable,
  takeBreak: () => Promise<void> | undefined,
): Promise<TableReading> {
  const columns = header.map(lettersOf);
  const placeOf = (names: readonly string[]): number => columns.findIndex((column) => names.includes(column));
  const statusAt = placeOf(STATUS);
  if (statusAt === -1) return { kind: 'no-status-column' };
  const referencesAt = columns.flatMap((column, place) => (REFERENCE.has(column) ? [place] : []));
  if (referencesAt.length === 0) return { kind: 'no-reference-column' };
  const [amountAt, currencyAt, reasonAt] = [placeOf(AMOUNT), placeOf(CURRENCY), placeOf(REASON)];
  // A payment of another amount with the same reference must not count, so the amount must be known.
  if (amountAt === -1) return { kind: 'no-amount-column' };
  const directionAt = placeOf(DIRECTION);
  const payments: ReportedPayment[] = [];
  for (const [at, row] of rows.entries()) {
    await takeBreak();
    const cell = (place: number): string => row[place]?.trim() ?? '';
    const named = new Set(placesIn(row, referencesAt).flatMap((place) => parsePayoutReference(cell(place)) ?? []));
    const [payoutId] = named;
    if (payoutId === undefined || named.size > 1) continue;
    const status = cell(statusAt);
    // A row without a status is a payment that hasn't been made yet.
    if (status === '') continue;
    const amount = amountOf(cell(amountAt), separator);
    if (amount === undefined) return { kind: 'unreadable-amount', row: at + 2 };
    const direction = cell(directionAt).toUpperCase();
    // The sender of an incoming payment chooses its reference, so a person must judge the payment.
    const isIncoming = direction !== '' && direction !== 'OUT';
    const isUnclear = isIncoming || amount === null;
    payments.push({
      payoutId,
      state: isUnclear ? 'unknown' : (STATE_OF.get(withoutSeparators(status)) ?? 'unknown'),
      status: isIncoming ? `${direction} ${status}` : status,
      amount,
      currency: cell(currencyAt) === '' ? null : cell(currencyAt).toUpperCase(),
      reason: shortenReason(cell(reasonAt)),
    });
  }
  return { kind: 'read', payments, others: rows.length - payments.length };
}

/** Returns the places, in ascending order, that a row has. A row can be shorter than the header. */
function placesIn(row: readonly string[], places: readonly number[]): readonly number[] {
  const end = places.findIndex((place) => place >= row.length);
  return end === -1 ? places : places.slice(0, end);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function withoutSeparators(status: string): string {
  return status.toLowerCase().replaceAll(/[ _-]/g, '');
}

/**
 * Returns an amount without its sign, because reports show outgoing payments as negative. Returns null for an empty
 * cell, and undefined for a text that isn't an amount.
 */
function amountOf(text: string, separator: string): Minor | null | undefined {
  if (text === '') return null;
  const amount = listedAmount(text, separator);
  return amount === undefined ? undefined : ((amount < 0n ? -amount : amount) as Minor);
}
