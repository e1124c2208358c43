import { buyerOf } from '../buyer.ts';
import { isCurrency } from '#core/currency.ts';
import type { Minor } from '#core/money.ts';
import { type ConnectorEvent, type JsonObject, type Translator, unreadable } from '../connector.ts';
import type { Clues } from '../customers.ts';
import { integerIn, objectIn, objectsIn, textIn } from '../json.ts';
import { customerKeys, orderKey, type OrderRefund, translateDeleted, translateOrder } from '../whole-orders.ts';
import { linesOfOrder, totalOf } from './lines.ts';

/** The topics for which to create a webhook in WooCommerce. WooCommerce has no topics for payments or refunds. */
export const WOOCOMMERCE_TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;

/** The type of every message with an order. */
export const ORDER_UPDATED = 'order.updated';
/** The type of the message about a deleted order, which contains only the order's id. */
export const ORDER_DELETED = 'order.deleted';

export const woocommerce: Translator = {
  linkKeys: ({ payload }) => [orderKey(orderIdOf(payload)), ...customerKeys(customerOf(payload))],

  translate: (event, find, _, context) => {
    const { payload: order } = event;
    const externalId = orderIdOf(order);
    if (externalId === '') return unreadable('The order has no id.');
    if (event.type === ORDER_DELETED) return translateDeleted(externalId, event, find, context);
    const total = totalOf(order);
    const refunds = refundsOf(order);
    if (total === undefined || refunds === undefined) {
      return unreadable('The total of the order or of a refund is not an amount.');
    }
    const currency = textIn(order, 'currency')?.toUpperCase();
    const whole = {
      externalId,
      modifiedAt: modifiedAt(event),
      paidAt: paidTimeOf(order),
      isCanceled: CANCELED.has(textIn(order, 'status')),
      currency: currency !== undefined && isCurrency(currency) ? currency : undefined,
      total,
      lines: linesOfOrder(order, total),
      refunds,
      canLoseRefunds: true,
      canFall: true,
      clues: cluesIn(order),
      customer: customerOf(order),
      buyer: buyerOf(textIn(objectIn(order, 'billing'), 'email'), objectIn(order, 'billing')),
    };
    return translateOrder(whole, event, find, context);
  },
};

/** The statuses that count as a cancellation of the order. */
export const CANCELED: ReadonlySet<string | undefined> = new Set(['cancelled', 'failed', 'refunded', 'trash']);

/** Returns the tracking ids and coupon codes of an order. The storefront stores the tracking id as metadata. */
function cluesIn(order: JsonObject): Clues {
  const metadata = objectsIn(order, 'meta_data').filter((each) => META_KEYS.has(textIn(each, 'key')));
  const trackingIds = metadata.flatMap((each) => textIn(each, 'value') ?? integerIn(each, 'value')?.toString() ?? []);
  const couponCodes = objectsIn(order, 'coupon_lines').flatMap((each) => textIn(each, 'code') ?? []);
  return { trackingIds: [...new Set(trackingIds)], couponCodes: [...new Set(couponCodes)] };
}

/** The keys of the metadata that can contain the tracking id. */
export const META_KEYS: ReadonlySet<string | undefined> = new Set(['whence', '_whence']);

/** Returns the time of the order's last change. */
function modifiedAt({ payload, occurredAt }: ConnectorEvent): Date {
  return timeIn(payload, 'date_modified_gmt') ?? occurredAt;
}

/**
 * Returns the time at which an order was paid, or undefined if it is not paid. An order that was completed by hand may
 * lack the time of its payment. In that case, returns the time of its completion, or of its last change.
 */
function paidTimeOf(order: JsonObject): Date | undefined {
  const paidAt = timeIn(order, 'date_paid_gmt');
  if (paidAt !== undefined || textIn(order, 'status') !== 'completed') return paidAt;
  return timeIn(order, 'date_completed_gmt') ?? timeIn(order, 'date_modified_gmt');
}

/** Returns a time in UTC from a field such as `2017-03-22T16:28:02`, or undefined if the field isn't such a time. */
export function timeIn(order: JsonObject, name: string): Date | undefined {
  const text = textIn(order, name);
  const time = text === undefined || !UTC_TIME.test(text) ? undefined : new Date(`${text}Z`);
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

function orderIdOf(order: JsonObject): string {
  return integerIn(order, 'id')?.toString() ?? '';
}

/** Returns the id of the customer's account, or undefined for guests, who have the id 0. */
export function customerOf(order: JsonObject): string | undefined {
  const id = integerIn(order, 'customer_id');
  return id === undefined || id === 0 ? undefined : String(id);
}

/**
 * Returns the refunds of an order with positive amounts, without refunds of 0. WooCommerce lists refunds with negative
 * amounts. Returns undefined if the amount of a refund can't be read.
 */
function refundsOf(order: JsonObject): readonly OrderRefund[] | undefined {
  const refunds = objectsIn(order, 'refunds').flatMap((refund) => {
    const id = integerIn(refund, 'id');
    return id === undefined ? [] : [{ id: String(id), total: totalOf(refund) }];
  });
  if (refunds.some(({ total }) => total === undefined)) return undefined;
  return refunds.flatMap(({ id, total = 0n }) =>
    total === 0n ? [] : [{ id, amount: (total < 0n ? -total : total) as Minor }],
  );
}
