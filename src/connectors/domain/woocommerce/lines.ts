import { divideHalfUp, type Minor, parseMajor } from '#core/money.ts';
import type { Line, LineType } from '#programs/domain/line.ts';
import type { JsonObject } from '../connector.ts';
import { integerIn, objectsIn, textIn } from '../json.ts';

const MAX_NAME = 255;
const MAX_QUANTITY = 1_000_000;
const MAX_LINES = 1_000;

type Part = {
  readonly externalId?: string | undefined;
  readonly name: string;
  readonly type: LineType;
  readonly quantity?: number | undefined;
  readonly total: bigint;
};

/** Returns the total of an order or refund in hundredths from its decimal text, such as `29.35`. */
export function totalOf(from: JsonObject): Minor | undefined {
  return parseMajor(textIn(from, 'total') ?? '');
}

/**
 * Returns an amount that is part of an order. A missing or malformed amount is 0, because another line has the rest of
 * the total.
 */
function amountOf(from: JsonObject, name: string): bigint {
  return parseMajor(textIn(from, name) ?? '0') ?? 0n;
}

/**
 * Returns the lines of an order. WooCommerce shows amounts without tax, and taxes as a sum. Products have their price
 * before discounts. The lines add up to the total: a separate line has the cents that WooCommerce's rounding leaves.
 */
export function linesOf(order: JsonObject, total: Minor): readonly Line[] {
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
  return [...parts, rounding].filter((part) => part.total !== 0n).map(lineOf);
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

function lineOf({ externalId, name, type, quantity = 1, total }: Part): Line {
  const pieces = quantity >= 1 && quantity <= MAX_QUANTITY ? quantity : 1;
  return {
    externalId: externalId?.slice(0, MAX_NAME) ?? null,
    name: name.replaceAll('\0', '').slice(0, MAX_NAME) || 'Item',
    type,
    quantity: pieces,
    amount: divideHalfUp(total, BigInt(pieces)) as Minor,
    total: total as Minor,
  };
}
