import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import {
  type ConnectorEvent,
  type FindLink,
  type JsonObject,
  type LinkKey,
  type Translation,
  type TranslationContext,
  unreadable,
} from '../connector.ts';
import type { Clues } from '../customers.ts';
import { integerIn, objectIn, objectsIn, textIn, timeIn } from '../json.ts';
import { linesOf, MAX_LINES, type Part } from '../lines.ts';
import { paymentKeys, trackingIdsIn, translatePayment } from '../payments.ts';
import { amountIn, currencyIn } from './amounts.ts';
import { discountKey } from './links.ts';

export function transactionKeys(transaction: JsonObject): readonly LinkKey[] {
  const discount = textIn(transaction, 'discount_id');
  return [
    ...paymentKeys(
      textIn(transaction, 'id') ?? '',
      textIn(transaction, 'customer_id'),
      textIn(transaction, 'subscription_id'),
    ),
    ...(discount === undefined ? [] : [discountKey(discount)]),
  ];
}

/**
 * Translates a completed transaction. Upgrades and single charges of a subscription are translated like its other
 * payments.
 */
export function translateTransaction(
  event: ConnectorEvent,
  transaction: JsonObject,
  find: FindLink,
  context: TranslationContext,
): Translation {
  const externalId = textIn(transaction, 'id');
  if (externalId === undefined) return unreadable('The transaction has no id.');
  if (find('order', externalId) !== undefined) return { kind: 'ignored', reason: 'The order was already processed.' };
  const currency = currencyIn(transaction);
  if (currency === undefined) return unreadable('The currency of the transaction is missing or unknown.');
  const total = amountIn(totalsOf(transaction), 'grand_total', currency);
  if (total === undefined) return unreadable('The total of the transaction is not an amount.');
  const payment = {
    externalId,
    currency,
    total,
    lines: transactionLines(transaction, currency, total),
    occurredAt: paidAt(transaction) ?? event.occurredAt,
    subscription: textIn(transaction, 'subscription_id'),
    isFirst: textIn(transaction, 'origin')?.startsWith('subscription_') !== true,
    customer: textIn(transaction, 'customer_id'),
    clues: cluesIn(transaction, find),
    // A transaction has only the id of its customer.
    buyer: {},
  };
  return translatePayment(payment, find, context);
}

/** Returns the tracking ids in the custom data, and the code and id of the discount. */
function cluesIn(transaction: JsonObject, find: FindLink): Clues {
  const trackingIds = trackingIdsIn(objectIn(transaction, 'custom_data'), ['whence', 'referral']);
  const discount = textIn(transaction, 'discount_id');
  if (discount === undefined) return { trackingIds, couponCodes: [] };
  const link = find('discount', discount);
  const code = link && textIn(link, 'code');
  return { trackingIds, couponCodes: code === undefined ? [discount] : [code, discount] };
}

/**
 * Returns the lines of a transaction. They add up to the paid amount. Products have their price without tax and before
 * discounts, and are identified by Paddle's product ids.
 */
function transactionLines(transaction: JsonObject, currency: string, paid: Minor): readonly Line[] {
  const totals = totalsOf(transaction);
  const amount = (from: JsonObject, name: string): bigint => amountIn(from, name, currency) ?? 0n;
  const items = objectsIn(objectIn(transaction, 'details'), 'line_items')
    .slice(0, MAX_LINES)
    .map((item): Part => {
      const total = amount(objectIn(item, 'totals'), 'subtotal');
      const product = objectIn(item, 'product');
      return {
        externalId: textIn(product, 'id') ?? textIn(item, 'price_id'),
        name: textIn(product, 'name') ?? 'Item',
        type: total < 0n ? 'discount' : 'product',
        quantity: integerIn(item, 'quantity'),
        total,
      };
    });
  const parts: Part[] = [
    ...items,
    { name: 'Discount', type: 'discount', total: -amount(totals, 'discount') },
    { name: 'Tax', type: 'tax', total: amount(totals, 'tax') },
    { name: 'Customer balance', type: 'discount', total: -amount(totals, 'credit') },
  ];
  const rest = paid - parts.reduce((sum, part) => sum + part.total, 0n);
  return linesOf([...parts, { name: 'Other items', type: rest < 0n ? 'discount' : 'product', total: rest }]);
}

function totalsOf(transaction: JsonObject): JsonObject {
  return objectIn(objectIn(transaction, 'details'), 'totals');
}

/**
 * Returns the time at which the transaction was paid. If it has no captured payment, returns the time at which it was
 * billed, or undefined. An invoice is billed before it is paid.
 */
function paidAt(transaction: JsonObject): Date | undefined {
  const captured = objectsIn(transaction, 'payments').find((payment) => payment['status'] === 'captured');
  return (captured && timeIn(captured, 'captured_at')) ?? timeIn(transaction, 'billed_at');
}
