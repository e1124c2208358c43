import { isCurrency } from '#core/currency.ts';
import { formatMajor, type Minor } from '#core/money.ts';
import type {
  ConnectorEvent,
  FindLink,
  JsonObject,
  Link,
  LinkKey,
  Translation,
  TranslationContext,
  Translator,
} from '../connector.ts';
import { type Clues, customerLinks, earlierOrder } from '../customers.ts';
import { integerIn, objectsIn, textIn } from '../json.ts';
import type { OrderName, Report, SaleReport } from '../report.ts';
import { orderLines, totalOf } from './lines.ts';

/*
 * WooCommerce has no events about payments or refunds. Each message has the whole order, with its refunds. So a
 * translation compares the order with the state that the previous message left, and reports the difference.
 */

/** The topics for which to create a webhook in WooCommerce. */
export const WOOCOMMERCE_TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;

/** The type of every message with an order, and of the message about a deleted order, which has only its id. */
export const ORDER_UPDATED = 'order.updated';
export const ORDER_DELETED = 'order.deleted';

export const woocommerce: Translator = {
  linkKeys: ({ payload }) => {
    const customer = customerOf(payload);
    return [orderKey(orderIdOf(payload)), ...(customer === undefined ? [] : [customerKey(customer)])];
  },

  translate: (event, find, _, context) => {
    const { payload: order } = event;
    const externalId = orderIdOf(order);
    if (externalId === '') return { kind: 'failed', reason: 'The order has no id.' };
    if (event.type !== ORDER_DELETED && [order, ...refundsOf(order)].some((each) => totalOf(each) === undefined)) {
      return { kind: 'failed', reason: 'The total of the order or of a refund is not an amount.' };
    }
    const before = stateOf(find('order', externalId));
    if (before === undefined) return reportOrder(event, { source: context.source, externalId }, find, context);
    return reportChanges(event, { source: context.source, externalId }, before);
  },
};

/** The state of an order after a message. Amounts are texts in hundredths. */
type State = {
  readonly modifiedAt: string;
  readonly total: string;
  /** The ids of its refunds. */
  readonly refunds: readonly string[];
  /** How often the order was canceled or its total lowered. The number makes the ids of these refunds unique. */
  readonly cancellations: number;
  readonly reductions: number;
  readonly isCanceled: boolean;
};

const CANCELED: ReadonlySet<string | undefined> = new Set(['cancelled', 'failed', 'refunded', 'trash']);

function reportOrder(event: ConnectorEvent, name: OrderName, find: FindLink, context: TranslationContext): Translation {
  const { payload: order } = event;
  const paidAt = paidTimeOf(order);
  if (event.type === ORDER_DELETED || isCanceled(event)) {
    return { kind: 'ignored', reason: 'The order was canceled before it was reported.' };
  }
  if (paidAt === undefined) return { kind: 'ignored', reason: 'The order is not paid.' };
  const currency = textIn(order, 'currency')?.toUpperCase();
  const total = totalOf(order) as Minor;
  if (currency === undefined || !isCurrency(currency)) {
    return { kind: 'failed', reason: 'The currency of the order is unknown.' };
  }
  if (total <= 0n) return { kind: 'ignored', reason: 'Nothing was paid.' };
  const clues = cluesIn(order);
  const customer = customerOf(order);
  const sale: SaleReport = {
    verb: 'sale',
    ...name,
    referral: { ...clues, sameCustomerAs: earlierOrder(find, customer, context), userId: null },
    currency,
    total,
    lines: orderLines(order, total),
    occurredAt: paidAt,
  };
  const state: State = {
    modifiedAt: modifiedAt(event),
    total: String(total),
    refunds: refundsOf(order).map(refundIdOf),
    cancellations: 0,
    reductions: 0,
    isCanceled: false,
  };
  return {
    kind: 'translated',
    reports: [sale, ...refundsOf(order).flatMap((refund) => refundReport(refund, name, event))],
    links: [orderLink(name, state), ...customerLinks(sale, customer, clues, find)],
  };
}

function reportChanges(event: ConnectorEvent, name: OrderName, before: State): Translation {
  const { payload: order, occurredAt } = event;
  if (modifiedAt(event) < before.modifiedAt) {
    return { kind: 'ignored', reason: 'A later state of the order was processed before.' };
  }
  const reports: Report[] = [];
  const reverse = (refundId: string) => reports.push({ verb: 'refund-reversal', ...name, refundId, occurredAt });
  const wasDeleted = event.type === ORDER_DELETED;
  // The message about a deleted order has only its id, so everything else stays as it was.
  const listed = wasDeleted ? before.refunds : refundsOf(order).map(refundIdOf);
  const fresh = wasDeleted ? [] : refundsOf(order).filter((refund) => !before.refunds.includes(refundIdOf(refund)));
  reports.push(...fresh.flatMap((refund) => refundReport(refund, name, event)));
  for (const gone of before.refunds.filter((id) => !listed.includes(id))) reverse(gone);

  const canceled = isCanceled(event);
  const cancellations = before.cancellations + (canceled && !before.isCanceled ? 1 : 0);
  if (canceled && !before.isCanceled) {
    const refundId = cancellationId(cancellations);
    reports.push({ verb: 'refund', ...name, refundId, given: { kind: 'full' }, occurredAt });
  }
  if (!canceled && before.isCanceled) reverse(cancellationId(cancellations));

  const total = wasDeleted ? BigInt(before.total) : (totalOf(order) as Minor);
  const rise = total - BigInt(before.total);
  const reductions = before.reductions + (rise < 0n ? 1 : 0);
  if (rise < 0n) {
    const given = { kind: 'amount', amount: -rise as Minor, isUpTo: true } as const;
    reports.push({ verb: 'refund', ...name, refundId: `reduced-${reductions}`, given, occurredAt });
  }
  if (rise > 0n && reports.length === 0) return { kind: 'failed', reason: raisedText(before.total, total as Minor) };
  const state: State = {
    modifiedAt: modifiedAt(event),
    total: String(rise > 0n ? before.total : total),
    refunds: listed,
    cancellations,
    reductions,
    isCanceled: canceled,
  };
  if (reports.length === 0) {
    return { kind: 'ignored', reason: 'The money of the order has not changed.', links: [orderLink(name, state)] };
  }
  return { kind: 'translated', reports, links: [orderLink(name, state)] };
}

function raisedText(before: string, now: Minor): string {
  return (
    `The total of the order rose from ${formatMajor(BigInt(before) as Minor)} to ${formatMajor(now)} after it was ` +
    'reported. Whence can’t raise a reported order. Report the difference as an order of its own, then dismiss this event.'
  );
}

function refundReport(refund: JsonObject, name: OrderName, { occurredAt }: ConnectorEvent): Report[] {
  const total = totalOf(refund) as Minor;
  if (total === 0n) return [];
  const amount = (total < 0n ? -total : total) as Minor;
  const given = { kind: 'amount', amount, isUpTo: true } as const;
  return [{ verb: 'refund', ...name, refundId: refundIdOf(refund), given, occurredAt }];
}

/** Returns the tracking ids and coupon codes of an order. The storefront stores the tracking id as metadata. */
function cluesIn(order: JsonObject): Clues {
  const metadata = objectsIn(order, 'meta_data').filter((each) => META_KEYS.has(textIn(each, 'key')));
  const trackingIds = metadata.flatMap((each) => textIn(each, 'value') ?? integerIn(each, 'value')?.toString() ?? []);
  const couponCodes = objectsIn(order, 'coupon_lines').flatMap((each) => textIn(each, 'code') ?? []);
  return { trackingIds: [...new Set(trackingIds)], couponCodes: [...new Set(couponCodes)] };
}

const META_KEYS: ReadonlySet<string | undefined> = new Set(['whence', '_whence']);

function isCanceled({ type, payload }: ConnectorEvent): boolean {
  return type === ORDER_DELETED || CANCELED.has(textIn(payload, 'status'));
}

/** Returns the time of a state as text in ISO 8601, which sorts by time. */
function modifiedAt({ payload, occurredAt }: ConnectorEvent): string {
  return (timeIn(payload, 'date_modified_gmt') ?? occurredAt).toISOString();
}

/** Returns when an order was paid. An order that was completed by hand may lack the time of its payment. */
function paidTimeOf(order: JsonObject): Date | undefined {
  const paidAt = timeIn(order, 'date_paid_gmt');
  if (paidAt !== undefined || textIn(order, 'status') !== 'completed') return paidAt;
  return timeIn(order, 'date_completed_gmt') ?? timeIn(order, 'date_modified_gmt');
}

/** Reads a time in UTC, such as `2017-03-22T16:28:02`. */
export function timeIn(order: JsonObject, name: string): Date | undefined {
  const text = textIn(order, name);
  const time = text === undefined || !UTC_TIME.test(text) ? undefined : new Date(`${text}Z`);
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

function orderIdOf(order: JsonObject): string {
  return integerIn(order, 'id')?.toString() ?? '';
}

/** Returns the id of the customer's account. Guests have the id 0. */
export function customerOf(order: JsonObject): string | undefined {
  const id = integerIn(order, 'customer_id');
  return id === undefined || id === 0 ? undefined : String(id);
}

function refundsOf(order: JsonObject): readonly JsonObject[] {
  return objectsIn(order, 'refunds').filter((refund) => integerIn(refund, 'id') !== undefined);
}

function refundIdOf(refund: JsonObject): string {
  return String(integerIn(refund, 'id'));
}

function cancellationId(number: number): string {
  return `canceled-${number}`;
}

function orderKey(externalId: string): LinkKey {
  return { kind: 'order', externalId };
}

function customerKey(externalId: string): LinkKey {
  return { kind: 'customer', externalId };
}

function orderLink({ externalId }: OrderName, state: State): Link {
  return { ...orderKey(externalId), value: state };
}

function stateOf(link: JsonObject | undefined): State | undefined {
  return link as State | undefined;
}
