import type { Line } from '#programs/domain/line.ts';
import type { JsonObject } from '../connector.ts';
import { integerIn, objectIn, objectsIn, textIn } from '../json.ts';
import { linesOf, MAX_LINES, type Part } from '../lines.ts';
import { amountIn, convertStripeAmount } from './amounts.ts';

/** A part of an order's total. `amount` is in Stripe's smallest unit. */
type StripePart = Omit<Part, 'total'> & { readonly amount: number };

/**
 * Returns the lines of a Checkout Session, whose items are not part of the event. The goods are the total plus the
 * discount, minus tax and shipping, so that included taxes don't earn commission.
 */
export function sessionLines(session: JsonObject, currency: string): readonly Line[] {
  const details = objectIn(session, 'total_details');
  const [discount, shipping, tax] = ['amount_discount', 'amount_shipping', 'amount_tax'].map((name) =>
    amountIn(details, name),
  ) as [number, number, number];
  const goods = amountIn(session, 'amount_total') + discount - shipping - tax;
  return linesIn(currency, [{ name: 'Order', type: 'product', amount: goods }, ...extras(discount, shipping, tax)]);
}

/**
 * Returns the lines of an invoice. They add up to the paid amount. Separate lines contain the amounts that Stripe
 * doesn't list: further items, and the customer's credit balance.
 */
export function invoiceLines(invoice: JsonObject, currency: string): readonly Line[] {
  const lines = objectIn(invoice, 'lines');
  const items = objectsIn(lines, 'data').slice(0, MAX_LINES).map(itemOf);
  const taxes = [...objectsIn(invoice, 'total_taxes'), ...objectsIn(invoice, 'total_tax_amounts')];
  const tax = invoice['total_taxes'] === undefined && taxes.length === 0 ? amountIn(invoice, 'tax') : undefined;
  const listed = objectsIn(invoice, 'total_taxes').length > 0 ? objectsIn(invoice, 'total_taxes') : taxes;
  const exclusive = tax ?? sum(listed.filter((each) => !isInclusive(each)).map((each) => amountIn(each, 'amount')));
  const inclusive = sum(objectsIn(lines, 'data').map(inclusiveTaxOf));
  const discount = sum(objectsIn(invoice, 'total_discount_amounts').map((each) => amountIn(each, 'amount')));
  const shippingCost = objectIn(invoice, 'shipping_cost');
  const shipping = integerIn(shippingCost, 'amount_subtotal') ?? amountIn(invoice, 'amount_shipping');
  const parts: StripePart[] = [...items, ...extras(discount, shipping, exclusive + inclusive)];
  const unlisted = amountIn(invoice, 'total') - sum(parts.map(({ amount }) => amount));
  const others: StripePart = { name: 'Other items', type: unlisted < 0 ? 'discount' : 'product', amount: unlisted };
  const balance = amountIn(invoice, 'amount_paid') - amountIn(invoice, 'total');
  const credit: StripePart = { name: 'Customer balance', type: balance < 0 ? 'discount' : 'fee', amount: balance };
  return linesIn(currency, [...parts, others, credit]);
}

/** Converts an item to a line. A credit for unused time has a negative amount, and counts as a discount. */
function itemOf(item: JsonObject): StripePart {
  const amount = amountIn(item, 'amount') - inclusiveTaxOf(item);
  return {
    externalId: textIn(item, 'id'),
    name: textIn(item, 'description') ?? 'Item',
    type: amount < 0 ? 'discount' : 'product',
    quantity: integerIn(item, 'quantity'),
    amount,
  };
}

function extras(discount: number, shipping: number, tax: number): readonly StripePart[] {
  return [
    { name: 'Discount', type: 'discount', amount: -discount },
    { name: 'Shipping', type: 'shipping', amount: shipping },
    { name: 'Tax', type: 'tax', amount: tax },
  ];
}

/**
 * Returns the tax included in a line. Lines have `tax_amounts` before API version 2025-03-31, and `taxes` since then.
 * Some versions have both.
 */
function inclusiveTaxOf(item: JsonObject): number {
  const taxes = objectsIn(item, 'taxes');
  const listed = taxes.length > 0 ? taxes : objectsIn(item, 'tax_amounts');
  return sum(listed.filter(isInclusive).map((each) => amountIn(each, 'amount')));
}

function isInclusive(tax: JsonObject): boolean {
  return tax['inclusive'] === true || tax['tax_behavior'] === 'inclusive';
}

function linesIn(currency: string, parts: readonly StripePart[]): readonly Line[] {
  return linesOf(parts.map(({ amount, ...part }) => ({ ...part, total: convertStripeAmount(amount, currency) })));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
