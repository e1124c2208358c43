import { type Minor, parseMajor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { JsonObject } from '../connector.ts';
import { integerIn, objectsIn, textIn } from '../json.ts';
import { linesOf, MAX_LINES, type Part } from '../lines.ts';

/**
 * Returns the total of an order or refund in hundredths from its decimal text, such as `29.35`. Returns undefined if it
 * isn't an amount.
 */
export function totalOf(from: JsonObject): Minor | undefined {
  return parseMajor(textIn(from, 'total') ?? '');
}

/**
 * Returns an amount that is part of an order. A missing or malformed amount is 0, because a separate line contains the
 * rest of the total.
 */
function amountOf(from: JsonObject, name: string): bigint {
  return parseMajor(textIn(from, name) ?? '0') ?? 0n;
}

/**
 * Returns the lines of an order. WooCommerce shows amounts without tax, and taxes as a sum. Products have their price
 * before discounts. The lines add up to the total: a separate line contains differences from WooCommerce's rounding.
 */
export function linesOfOrder(order: JsonObject, total: Minor): readonly Line[] {
  const products = objectsIn(order, 'line_items').slice(0, MAX_LINES).map(productOf);
  const fees = objectsIn(order, 'fee_lines').slice(0, MAX_LINES).map(feeOf);
  const parts: Part[] = [
    ...products,
    { name: 'Discount', type: 'discount', total: -amountOf(order, 'discount_total') },
    { name: 'Shipping', type: 'shipping', total: amountOf(order, 'shipping_total') },
    ...fees,
    { name: 'Tax', type: 'tax', total: amountOf(order, 'total_tax') },
  ];
  const rest = total - parts.reduce((sum, part) => sum + part.total, 0n);
  const rounding: Part = { name: 'Rounding', type: rest < 0n ? 'discount' : 'fee', total: rest };
  return linesOf([...parts, rounding]);
}

function productOf(item: JsonObject): Part {
  const product = integerIn(item, 'product_id');
  return {
    externalId: textIn(item, 'sku') ?? (product === undefined ? undefined : String(product)),
    name: textIn(item, 'name') ?? 'Item',
    type: 'product',
    quantity: integerIn(item, 'quantity'),
    total: amountOf(item, 'subtotal'),
  };
}

/** Converts a fee. WooCommerce also stores a manual discount as a fee with a negative amount. */
function feeOf(fee: JsonObject): Part {
  const total = amountOf(fee, 'total');
  return { name: textIn(fee, 'name') ?? 'Fee', type: total < 0n ? 'discount' : 'fee', total };
}
