import { buyerOf } from '../buyer.ts';
import { isCurrency } from '#core/currency.ts';
import { divideHalfUp, type Minor, parseMajor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { ConnectorEvent, JsonObject } from '../connector.ts';
import type { Clues } from '../customers.ts';
import { integerIn, objectIn, objectsIn, textIn, timeIn } from '../json.ts';
import { linesOf, MAX_LINES, type Part } from '../lines.ts';
import type { OrderRefund, WholeOrder } from '../whole-orders.ts';

/** Returns the order that a message contains, or the fault that makes the order unreadable. */
export function orderIn({ payload: order, occurredAt }: ConnectorEvent): WholeOrder | string {
  const externalId = orderIdOf(order);
  if (externalId === undefined) return 'The order has no id.';
  const total = amountIn(order, 'total_price');
  if (total === undefined) return 'The total of the order is not an amount.';
  const refunds = refundsOf(order);
  if (refunds === undefined)
    return 'The amount of a refund can’t be read, or can’t be converted to the currency of the shop.';
  const currency = textIn(order, 'currency');
  return {
    externalId,
    modifiedAt: timeIn(order, 'updated_at') ?? occurredAt,
    paidAt: PAID.has(textIn(order, 'financial_status')) ? (timeIn(order, 'processed_at') ?? occurredAt) : undefined,
    isCanceled: textIn(order, 'cancelled_at') !== undefined || textIn(order, 'financial_status') === 'voided',
    currency: currency !== undefined && isCurrency(currency) ? currency : undefined,
    total,
    lines: linesOfOrder(order, total),
    refunds,
    canLoseRefunds: false,
    canFall: false,
    clues: cluesIn(order),
    customer: customerOf(order),
    buyer: buyerOf(textIn(order, 'email'), objectIn(order, 'customer')),
  };
}

export const PAID: ReadonlySet<string | undefined> = new Set(['paid', 'partially_refunded', 'refunded']);

/**
 * Returns an amount in hundredths from its decimal text, such as `29.35`, or undefined if the field isn't an amount.
 */
function amountIn(from: JsonObject, name: string): Minor | undefined {
  return parseMajor(textIn(from, name) ?? '');
}

/**
 * Returns the id of an order, or undefined if the order has no id. The id can exceed 2^53, so the id in text form is
 * preferred to the number.
 */
export function orderIdOf(order: JsonObject): string | undefined {
  return idIn(order, 'id', 'gid://shopify/Order/');
}

export function customerOf(order: JsonObject): string | undefined {
  return idIn(objectIn(order, 'customer'), 'id', 'gid://shopify/Customer/');
}

/**
 * Returns an integer id as text: the part of the global id after `prefix`, or else the field `name`. Integers beyond
 * 2^53 are texts already. Returns undefined if both are missing.
 */
export function idIn(from: JsonObject, name: string, prefix: string): string | undefined {
  const global = textIn(from, 'admin_graphql_api_id');
  if (global?.startsWith(prefix)) return global.slice(prefix.length);
  return textIn(from, name) ?? integerIn(from, name)?.toString();
}

/**
 * Returns the successful refund payments. A refund in Shopify can have several payments, which succeed at different
 * times. It can also have no payments, for example if it only records returned pieces. Returns undefined if an amount
 * can't be read or converted.
 */
function refundsOf(order: JsonObject): readonly OrderRefund[] | undefined {
  const refunds: OrderRefund[] = [];
  for (const payment of objectsIn(order, 'refunds').flatMap((refund) => objectsIn(refund, 'transactions'))) {
    const id = idIn(payment, 'id', 'gid://shopify/OrderTransaction/');
    if (id === undefined || payment['kind'] !== 'refund' || payment['status'] !== 'success') continue;
    const amount = convertToShopCurrency(order, payment);
    if (amount === undefined) return undefined;
    if (amount > 0n) refunds.push({ id, amount });
  }
  return refunds;
}

/** Returns the part of an order that `convertToShopCurrency` reads. */
export function moneyOf({ currency, total_price, total_price_set }: JsonObject): JsonObject {
  return { currency, total_price, total_price_set };
}

/**
 * Returns the amount of a refund payment or dispute in the shop's currency. A customer who paid in another currency is
 * refunded in that currency. In that case, the result is the corresponding fraction of the order's total in the shop's
 * currency. Returns undefined if the amount can't be read or converted.
 */
export function convertToShopCurrency(order: JsonObject, paid: JsonObject): Minor | undefined {
  const amount = amountIn(paid, 'amount');
  const currency = textIn(paid, 'currency');
  if (amount === undefined || currency === undefined || currency === order['currency']) return amount;
  const presented = objectIn(objectIn(order, 'total_price_set'), 'presentment_money');
  const [total, whole] = [amountIn(order, 'total_price'), amountIn(presented, 'amount')];
  if (currency !== presented['currency_code'] || total === undefined || whole === undefined) return undefined;
  return whole > 0n ? (divideHalfUp(amount * total, whole) as Minor) : undefined;
}

/**
 * Returns the tracking ids and discount codes of an order. The theme stores the tracking id as a cart attribute. If the
 * customer arrived from another domain, the URL of the first page can contain the tracking id.
 */
function cluesIn(order: JsonObject): Clues {
  const attributes = objectsIn(order, 'note_attributes').filter((each) => ATTRIBUTES.has(textIn(each, 'name')));
  const landed = textIn(order, 'landing_site');
  const trackingIds = [
    ...attributes.map((each) => textIn(each, 'value')),
    landed === undefined ? undefined : new URLSearchParams(landed.split('?', 2)[1]).get('trackingId'),
  ];
  const couponCodes = objectsIn(order, 'discount_codes').flatMap((each) => textIn(each, 'code') ?? []);
  return {
    trackingIds: [...new Set(trackingIds.filter((each) => each !== undefined && each !== null))],
    couponCodes: [...new Set(couponCodes)],
  };
}

/** The cart attributes that can contain the tracking id. */
export const ATTRIBUTES: ReadonlySet<string | undefined> = new Set(['whence', '_whence']);

/**
 * Returns the lines of an order. They add up to the total: a separate line contains amounts that Shopify lists
 * elsewhere, such as duties. Products have their price before discounts and without tax, even if the shop's prices
 * include tax.
 */
function linesOfOrder(order: JsonObject, total: Minor): readonly Line[] {
  const isTaxIncluded = order['taxes_included'] === true;
  const includedTax = (item: JsonObject): bigint =>
    isTaxIncluded ? objectsIn(item, 'tax_lines').reduce((sum, tax) => sum + (amountIn(tax, 'price') ?? 0n), 0n) : 0n;
  const products = objectsIn(order, 'line_items')
    .slice(0, MAX_LINES)
    .map((item): Part => {
      const quantity = integerIn(item, 'quantity') ?? 1;
      return {
        externalId: textIn(item, 'sku') ?? idIn({ id: item['product_id'] }, 'id', ''),
        name: textIn(item, 'name') ?? 'Item',
        // A gift card earns no commission, because it pays for a later order, which earns commission itself.
        type: item['gift_card'] === true ? 'fee' : 'product',
        quantity,
        total: (amountIn(item, 'price') ?? 0n) * BigInt(quantity) - includedTax(item),
      };
    });
  const deliveries = objectsIn(order, 'shipping_lines');
  const sumOf = (amountOf: (delivery: JsonObject) => bigint): bigint =>
    deliveries.reduce((sum, each) => sum + amountOf(each), 0n);
  const fullPrice = (each: JsonObject): bigint => amountIn(each, 'price') ?? 0n;
  const paidPrice = (each: JsonObject): bigint => amountIn(each, 'discounted_price') ?? fullPrice(each);
  const shipping = sumOf((each) => paidPrice(each) - includedTax(each));
  // `total_discounts` includes discounts on shipping. Subtract them, because shipping earns no commission.
  const discount = (amountIn(order, 'total_discounts') ?? 0n) - sumOf((each) => fullPrice(each) - paidPrice(each));
  const parts: Part[] = [
    ...products,
    { name: 'Discount', type: 'discount', total: -discount },
    { name: 'Shipping', type: 'shipping', total: shipping },
    { name: 'Tip', type: 'fee', total: amountIn(order, 'total_tip_received') ?? 0n },
    { name: 'Tax', type: 'tax', total: amountIn(order, 'total_tax') ?? 0n },
  ];
  const rest = total - parts.reduce((sum, part) => sum + part.total, 0n);
  return linesOf([...parts, { name: 'Other', type: rest < 0n ? 'discount' : 'fee', total: rest }]);
}
