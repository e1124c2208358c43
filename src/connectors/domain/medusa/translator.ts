import { isCurrency } from '#core/currency.ts';
import type { Minor } from '#core/money.ts';
import { type JsonObject, type Translator, unreadable } from '../connector.ts';
import { objectIn, objectsIn, textIn, timeIn } from '../json.ts';
import { customerKeys, orderKey, translateOrder } from '../whole-orders.ts';
import { amountIn, linesOfOrder } from './lines.ts';

/**
 * The only type of Medusa's events. Whence's plugin for Medusa sends the whole order after each event that can change
 * its amounts.
 */
export const ORDER_UPDATED = 'order.updated';

export const medusa: Translator = {
  linkKeys: ({ payload }) => [orderKey(orderIdOf(payload)), ...customerKeys(textIn(payload, 'customer_id'))],

  translate: (event, find, _, context) => {
    const { payload: order, occurredAt } = event;
    const externalId = orderIdOf(order);
    if (externalId === '') return unreadable('The order has no id.');
    const captures = paymentsOf(order).flatMap((payment) => objectsIn(payment, 'captures'));
    const captured = sumOf(captures);
    const due = amountIn(order, 'total');
    if (due === undefined) return unreadable('The total of the order is not an amount.');
    const currency = textIn(order, 'currency_code')?.toUpperCase();
    const whole = {
      externalId,
      modifiedAt: occurredAt,
      // Each capture is rounded to two decimals, so the sum of several captures can be a few hundredths below the
      // total.
      paidAt: captured + BigInt(captures.length) >= due ? latestOf(captures) : undefined,
      isCanceled: textIn(order, 'status') === 'canceled',
      currency: currency !== undefined && isCurrency(currency) ? currency : undefined,
      total: captured,
      lines: linesOfOrder(order, captured),
      refunds: refundsOf(order).flatMap((refund) => {
        const [id, amount] = [textIn(refund, 'id'), amountIn(refund, 'amount') ?? 0n];
        return id === undefined || amount <= 0n ? [] : [{ id, amount: amount as Minor }];
      }),
      canLoseRefunds: false,
      // A lower total is not an edit of the order: Medusa subtracts returns and refunds from the total, and the
      // connector reports the refunds separately.
      canFall: false,
      clues: {
        trackingIds: TRACKING_FIELDS.flatMap((name) => textIn(objectIn(order, 'metadata'), name) ?? []),
        couponCodes: objectsIn(order, 'promotions').flatMap((promotion) => textIn(promotion, 'code') ?? []),
      },
      customer: textIn(order, 'customer_id'),
      // The plugin sends no email addresses or names.
      buyer: {},
    };
    return translateOrder(whole, event, find, context);
  },
};

/** The fields of an order's metadata that can contain the tracking id. Medusa copies them from the cart. */
const TRACKING_FIELDS = ['whence', 'referral'];

/**
 * Returns the time of an order's last change. Medusa doesn't update the order when one of its payments changes, so the
 * times of captures and refunds count too. Returns undefined if the order contains no time.
 */
export function changedAt(order: JsonObject): Date | undefined {
  return [timeIn(order, 'updated_at'), timeIn(order, 'canceled_at'), ...changesOf(order)].reduce(later);
}

function orderIdOf(order: JsonObject): string {
  return textIn(order, 'id') ?? '';
}

function changesOf(order: JsonObject): readonly (Date | undefined)[] {
  const captures = paymentsOf(order).flatMap((payment) => objectsIn(payment, 'captures'));
  return [...captures, ...refundsOf(order)].map((change) => timeIn(change, 'created_at'));
}

function paymentsOf(order: JsonObject): readonly JsonObject[] {
  return objectsIn(order, 'payment_collections').flatMap((collection) => objectsIn(collection, 'payments'));
}

function refundsOf(order: JsonObject): readonly JsonObject[] {
  return paymentsOf(order).flatMap((payment) => objectsIn(payment, 'refunds'));
}

function sumOf(captures: readonly JsonObject[]): Minor {
  return captures.reduce((sum, capture) => sum + (amountIn(capture, 'amount') ?? 0n), 0n) as Minor;
}

function latestOf(captures: readonly JsonObject[]): Date | undefined {
  return captures.map((capture) => timeIn(capture, 'created_at')).reduce(later, undefined);
}

function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}
