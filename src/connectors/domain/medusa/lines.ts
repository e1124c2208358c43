import { divideHalfUp, type Minor, parseMajor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { JsonObject } from '../connector.ts';
import { integerIn, objectIn, objectsIn, textIn } from '../json.ts';
import { linesOf, MAX_LINES, type Part } from '../lines.ts';

/**
 * Returns an amount in hundredths from a number in major units. Amounts with more than two decimals, such as taxes, are
 * rounded. Returns undefined if the field isn't an amount.
 */
export function amountIn(from: JsonObject, name: string): Minor | undefined {
  const value = from[name];
  return typeof value === 'number' || typeof value === 'string' ? parseMajor(String(value)) : undefined;
}

/**
 * Returns the lines of an order, which add up to the captured amount. Medusa shows each amount with and without tax.
 * Products have their price before discounts, without tax.
 */
export function linesOfOrder(order: JsonObject, captured: Minor): readonly Line[] {
  const amount = (name: string): bigint => amountIn(order, name) ?? 0n;
  const items = objectsIn(order, 'items').slice(0, MAX_LINES);
  const goods: Part[] = [
    ...items.map(productOf),
    { name: 'Discount', type: 'discount', total: -amount('discount_subtotal') },
  ];
  const parts: Part[] = [
    ...goods,
    { name: 'Shipping', type: 'shipping', total: amount('shipping_subtotal') },
    { name: 'Tax', type: 'tax', total: amount('tax_total') },
  ];
  const rest = captured - sumOf(parts);
  return linesOf([
    ...parts,
    ...(rest > 0n && items.some(isReturned) ? returnedParts(rest, goods, parts) : [roundingOf(rest)]),
  ]);
}

/**
 * Returns two lines for the rest of the captured amount, which is the value of returned items. Medusa removes returned
 * items from an order, and refunds them. A refund reduces all lines of a sale in proportion, so the rest is split in
 * the proportions of the lines. After the refund, the lines have the values that Medusa shows.
 */
function returnedParts(rest: bigint, goods: readonly Part[], parts: readonly Part[]): Part[] {
  const all = sumOf(parts);
  const returned = all > 0n ? divideHalfUp(rest * sumOf(goods), all) : rest;
  return [
    { name: 'Returned items', type: 'product', total: returned },
    { name: 'Tax and shipping of returned items', type: 'tax', total: rest - returned },
  ];
}

/**
 * Returns a line for the rest of the captured amount. A negative rest is credit, and a positive rest is a rounding
 * difference.
 */
function roundingOf(rest: bigint): Part {
  return rest < 0n ? { name: 'Credit', type: 'discount', total: rest } : { name: 'Rounding', type: 'fee', total: rest };
}

function sumOf(parts: readonly Part[]): bigint {
  return parts.reduce((sum, { total }) => sum + total, 0n);
}

function isReturned(item: JsonObject): boolean {
  const detail = objectIn(item, 'detail');
  return RETURNS.some((name) => (integerIn(detail, name) ?? 0) > 0);
}

const RETURNS = ['return_received_quantity', 'return_dismissed_quantity', 'written_off_quantity'];

function productOf(item: JsonObject): Part {
  return {
    externalId: textIn(item, 'variant_sku') ?? textIn(item, 'product_id'),
    name: textIn(item, 'product_title') ?? textIn(item, 'title') ?? 'Item',
    type: 'product',
    quantity: integerIn(item, 'quantity'),
    total: amountIn(item, 'subtotal') ?? 0n,
  };
}
