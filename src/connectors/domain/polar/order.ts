import { buyerOf } from '../buyer.ts';
import { type Minor, splitByLargestRemainder } from '#core/money.ts';
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
import { integerIn, objectIn, objectsIn, textIn } from '../json.ts';
import { linesOf, MAX_LINES, type Part } from '../lines.ts';
import { paymentKeys, trackingIdsIn, translatePayment } from '../payments.ts';
import { amountIn, convertStripeAmount, currencyIn } from '../stripe/amounts.ts';

/* Polar charges through Stripe, so its amounts are integers in Stripe's smallest units. */

export function orderKeys(order: JsonObject): readonly LinkKey[] {
  return paymentKeys(textIn(order, 'id') ?? '', textIn(order, 'customer_id'), textIn(order, 'subscription_id'));
}

/**
 * Translates a paid order. The first order of a subscription has the `billing_reason` `subscription_create`. Later
 * orders are for a new period, a change of the plan or metered usage. A free trial has an order of 0.
 */
export function translateOrder(
  { occurredAt }: ConnectorEvent,
  order: JsonObject,
  find: FindLink,
  context: TranslationContext,
): Translation {
  const externalId = textIn(order, 'id');
  if (externalId === undefined) return unreadable('The order has no id.');
  if (find('order', externalId) !== undefined) return { kind: 'ignored', reason: 'The order was already processed.' };
  const currency = currencyIn(order);
  if (currency === undefined) return unreadable('The currency of the order is missing or unknown.');
  const total = integerIn(order, 'total_amount');
  if (total === undefined) return unreadable('The total of the order is not an amount.');
  const payment = {
    externalId,
    currency,
    total: convertStripeAmount(total + balanceIn(order), currency),
    lines: linesOfOrder(order, total, currency),
    occurredAt,
    subscription: textIn(order, 'subscription_id'),
    isFirst: !isLater(textIn(order, 'billing_reason')),
    customer: textIn(order, 'customer_id'),
    clues: cluesIn(order),
    buyer: buyerOf(textIn(objectIn(order, 'customer'), 'email'), objectIn(order, 'customer'), 'name'),
  };
  return translatePayment(payment, find, context);
}

/** Returns whether an order with the given reason follows the first order of its subscription. */
function isLater(reason: string | undefined): boolean {
  return reason !== 'subscription_create' && reason?.startsWith('subscription_') === true;
}

/**
 * Returns the amount that the customer's balance adds to the paid amount, in Stripe's smallest units. It is negative if
 * the balance pays a part of the order.
 */
function balanceIn(order: JsonObject): number {
  return amountIn(order, 'applied_balance_amount');
}

/**
 * Returns the tracking ids in the metadata, and the code and id of the discount. Polar copies the metadata of a
 * checkout to its orders and to its subscription. A checkout link also copies its query parameter `reference_id` to the
 * metadata.
 */
function cluesIn(order: JsonObject): Clues {
  const codes = [textIn(objectIn(order, 'discount'), 'code'), textIn(order, 'discount_id')];
  return {
    trackingIds: trackingIdsIn(objectIn(order, 'metadata'), ['whence', 'referral', 'reference_id']),
    couponCodes: codes.filter((code) => code !== undefined),
  };
}

/**
 * Returns the lines of an order. They add up to the paid amount. Items have their price without tax and before
 * discounts, and are identified by the id of the order's product. Credit for unused time has a negative amount.
 */
function linesOfOrder(order: JsonObject, total: number, currency: string): readonly Line[] {
  const items = objectsIn(order, 'items').slice(0, MAX_LINES);
  const taxes = includedTaxes(order, items);
  const parts: Part[] = [
    ...items.map((item, index): Part => {
      const amount = amountIn(item, 'amount');
      return {
        externalId: textIn(order, 'product_id') ?? textIn(item, 'product_price_id'),
        name: textIn(item, 'label') ?? 'Item',
        type: amount < 0 ? 'discount' : 'product',
        total: convertStripeAmount(amount - Number(taxes[index]), currency),
      };
    }),
    { name: 'Discount', type: 'discount', total: convertStripeAmount(-amountIn(order, 'discount_amount'), currency) },
    { name: 'Tax', type: 'tax', total: convertStripeAmount(amountIn(order, 'tax_amount'), currency) },
  ];
  const rest = convertStripeAmount(total, currency) - parts.reduce((sum, part) => sum + part.total, 0n);
  const balance = balanceIn(order);
  return linesOf([
    ...parts,
    { name: 'Other items', type: rest < 0n ? 'discount' : 'product', total: rest },
    { name: 'Customer balance', type: balance < 0 ? 'discount' : 'fee', total: convertStripeAmount(balance, currency) },
  ]);
}

/**
 * Returns the tax that the price of each item includes. If the merchant's prices include tax, the amounts of the items
 * and of the discount include it, but the net amount excludes the tax. An item has no reliable tax amount of its own.
 */
function includedTaxes(order: JsonObject, items: readonly JsonObject[]): readonly bigint[] {
  const prices = items.map((item) => BigInt(Math.max(0, amountIn(item, 'amount'))));
  const [subtotal, net] = [integerIn(order, 'subtotal_amount'), integerIn(order, 'net_amount')];
  const taxed = subtotal === undefined || net === undefined ? 0 : subtotal - amountIn(order, 'discount_amount') - net;
  const sum = prices.reduce((total, price) => total + price, 0n);
  if (taxed <= 0 || taxed > sum) return prices.map(() => 0n);
  return splitByLargestRemainder(BigInt(taxed) as Minor, prices);
}
