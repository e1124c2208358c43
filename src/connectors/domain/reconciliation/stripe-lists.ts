import type { Minor } from '#core/money.ts';
import type { LinkKey } from '../connector.ts';
import { orderKey, paymentKeys } from '../stripe/orders.ts';
import { type StripeSettings, stripeSettings } from '../stripe/settings.ts';
import { type ListedOrder, type ListReader, readEach } from './listed-order.ts';
import { amountIn, currencyIn, isFault, type Row, type RowFault, timeIn } from './rows.ts';

/*
 * Both of Stripe's exports list payments instead of orders. The external id of a recorded order is the id of its
 * invoice, or else the id of its payment. Several payments can pay one invoice. The amounts of both exports are in
 * major units.
 */

/** The reader for Stripe's export of payments with all columns. The default columns lack the payment's id. */
export const stripePaymentsReader: ListReader = {
  format: 'stripe-payments',
  columns: ['id', 'Amount', 'Amount Refunded', 'Currency', 'Status', 'PaymentIntent ID', 'Invoice ID'],
  hasParts: true,
  read: (rows, settings) => readEach(rows, (row) => paymentIn(row, stripeSettings(settings))),
};

function paymentIn(row: Row, settings: StripeSettings): ListedOrder | undefined | RowFault {
  const occurredAt = timeIn(row, CREATED.find((column) => row.cell(column) !== '') ?? 'Created date (UTC)');
  const currency = currencyIn(row, 'Currency');
  const total = amountIn(row, 'Amount');
  const refunded = amountIn(row, 'Amount Refunded');
  const disputed = amountIn(row, 'Disputed Amount');
  const fault = [occurredAt, currency, total, refunded, disputed].find((each) => isFault(each));
  if (fault !== undefined) return fault;
  const name = namesOf(row.cell('Invoice ID'), row.cell('PaymentIntent ID'), row.cell('id'));
  if (name === undefined) return undefined;
  const taken = isDisputed(row.cell('Dispute Status'), settings) ? (disputed as Minor) : 0n;
  return {
    ...name,
    number: null,
    occurredAt: occurredAt as Date,
    currency: currency as string,
    total: total as Minor,
    refunded: smallerOf((refunded as Minor) + taken, total as Minor),
    state: isPaid(row) ? 'paid' : 'unpaid',
  };
}

/** The names of the column with the creation time. Stripe has changed the name over the years. */
const CREATED = ['Created date (UTC)', 'Created (UTC)'];

function isPaid(row: Row): boolean {
  const status = row.cell('Status').toLowerCase();
  return row.cell('Captured').toLowerCase() !== 'false' && PAID.has(status);
}

const PAID: ReadonlySet<string> = new Set(['paid', 'succeeded', 'refunded', 'partially refunded', 'disputed']);

/** Returns whether a dispute has reversed commissions. Inquiries move no money. */
function isDisputed(status: string, { reverseDisputes }: StripeSettings): boolean {
  const state = status.toLowerCase().replaceAll(' ', '_');
  if (state === '' || state === 'won' || state.startsWith('warning_')) return false;
  return state === 'lost' || reverseDisputes === 'opened';
}

function smallerOf(one: bigint, other: bigint): Minor {
  return (one < other ? one : other) as Minor;
}

/**
 * Returns the possible external ids of the order that a payment has paid, and the keys of the order's links. Returns
 * undefined if the row has no id.
 */
function namesOf(invoice: string, payment: string, charge: string): Pick<ListedOrder, 'names' | 'keys'> | undefined {
  const [first, ...others] = [invoice, payment, charge].filter((id) => id !== '');
  if (first === undefined) return undefined;
  const own: readonly LinkKey[] = invoice === '' ? [] : [orderKey(invoice)];
  return {
    names: [first, ...others],
    keys: [...own, ...paymentKeys(payment === '' ? undefined : payment, charge === '' ? undefined : charge)],
  };
}

/**
 * The reader for Stripe's itemized report “Balance change from activity”, with the ids of charge, payment and invoice.
 */
export const stripeBalanceReader: ListReader = {
  format: 'stripe-balance',
  columns: ['created_utc', 'currency', 'gross', 'reporting_category', 'charge_id', 'payment_intent_id', 'invoice_id'],
  hasParts: true,
  read: (rows) => readEach(rows, movementIn),
};

/** The sign with which each category changes the refunded amount. */
const REFUNDS: ReadonlyMap<string, 1n | -1n> = new Map([
  ['refund', 1n],
  ['dispute', 1n],
  ['refund_failure', -1n],
  ['dispute_reversal', -1n],
]);

/** Reads a change of the balance. Returns undefined for payouts, fees and other categories. */
function movementIn(row: Row): ListedOrder | undefined | RowFault {
  const category = row.cell('reporting_category');
  const sign = REFUNDS.get(category);
  if (category !== 'charge' && sign === undefined) return undefined;
  const name = namesOf(row.cell('invoice_id'), row.cell('payment_intent_id'), row.cell('charge_id'));
  if (name === undefined) return undefined;
  // Prefer the customer-facing amount, which is in the payment's currency. The gross amount is in the account's
  // currency.
  const isFacing = row.cell('customer_facing_amount') !== '' && row.cell('customer_facing_currency') !== '';
  const occurredAt = timeIn(row, 'created_utc');
  const currency = currencyIn(row, isFacing ? 'customer_facing_currency' : 'currency');
  const amount = amountIn(row, isFacing ? 'customer_facing_amount' : 'gross');
  const fault = [occurredAt, currency, amount].find((each) => isFault(each));
  if (fault !== undefined) return fault;
  const magnitude = (amount as bigint) < 0n ? -(amount as bigint) : (amount as bigint);
  return {
    ...name,
    number: null,
    occurredAt: occurredAt as Date,
    currency: currency as string,
    total: sign === undefined ? (amount as Minor) : null,
    refunded: (sign === undefined ? 0n : sign * magnitude) as Minor,
    state: 'paid',
  };
}
