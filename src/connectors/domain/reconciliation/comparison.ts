import type { Minor } from '#core/money.ts';
import type { FindLink } from '../connector.ts';
import { textIn } from '../json.ts';
import { type ListedOrder, type Obstacle, obstacleOf } from './listed-order.ts';
import type { ReadList } from './lists.ts';

export const OUTCOMES = ['matched', 'amount-differs', 'refund-differs', 'missing-here', 'missing-there'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A recorded sale or renewal. Amounts are in hundredths. */
export type BookedOrder = {
  readonly externalId: string;
  readonly occurredAt: Date;
  readonly currency: string;
  readonly total: Minor;
  readonly refunded: Minor;
};

type Amounts = { readonly currency: string; readonly total: Minor; readonly refunded: Minor | null };

export type ComparedOrder = {
  readonly externalId: string;
  readonly number: string | null;
  readonly outcome: Outcome;
  readonly occurredAt: Date;
  /** The amounts in the list. Null if the list lacks the order. */
  readonly listed: Amounts | null;
  /** The recorded amounts. Null if the order is not recorded. */
  readonly booked: Amounts | null;
  /**
   * The obstacle to recording a missing order from the list. Null if there is none, or if the order is already
   * recorded.
   */
  readonly obstacle: Obstacle | null;
};

export type Comparison = {
  readonly orders: readonly ComparedOrder[];
  /**
   * The number of orders in the list that were not compared: unpaid, canceled or free orders that are not recorded, and
   * orders for which the list has only a refund.
   */
  readonly skipped: number;
};

/** An order of the list with its external id. If the order is not recorded, it can be recorded under this id. */
export type NamedOrder = ListedOrder & { readonly externalId: string };

/**
 * Determines the external id of each order in a list, and joins the payments of each order. `find` returns the
 * connector's links. `isBooked` returns whether an order is recorded.
 */
export function nameOrders(
  { orders, hasParts }: ReadList,
  find: FindLink,
  isBooked: (externalId: string) => boolean,
): readonly NamedOrder[] {
  const named = new Map<string, NamedOrder>();
  for (const order of orders) {
    const externalId = nameOf(order, find, isBooked);
    const before = named.get(externalId);
    if (before === undefined) named.set(externalId, { ...order, externalId });
    else if (hasParts === true) named.set(externalId, joinPayments(before, order));
  }
  return [...named.values()];
}

/** Returns all external ids under which the orders of a list can be recorded. */
export function possibleNames({ orders }: ReadList, find: FindLink): readonly string[] {
  return [...new Set(orders.flatMap((order) => [...linkedNames(order, find), ...order.names]))];
}

function nameOf(order: ListedOrder, find: FindLink, isBooked: (externalId: string) => boolean): string {
  const names = [...linkedNames(order, find), ...order.names];
  return names.find((name) => isBooked(name)) ?? order.names[0];
}

function linkedNames({ keys }: ListedOrder, find: FindLink): readonly string[] {
  return keys.flatMap(({ kind, externalId }) => {
    const link = find(kind, externalId);
    if (link === undefined) return [];
    return kind === 'order' ? [externalId] : (textIn(link, 'order') ?? []);
  });
}

/** Joins two payments of an order. An unpaid payment adds nothing. */
function joinPayments(one: NamedOrder, other: ListedOrder): NamedOrder {
  if (other.state === 'unpaid') return one;
  if (one.state === 'unpaid') return { ...other, externalId: one.externalId };
  const first = one.total === null && other.total !== null ? other : one;
  const second = first === one ? other : one;
  const isSame = first.currency === second.currency;
  return {
    ...one,
    occurredAt: first.occurredAt,
    currency: first.currency,
    total: sumOf(first.total, isSame ? second.total : null),
    refunded:
      isSame && first.refunded !== null && second.refunded !== null
        ? ((first.refunded + second.refunded) as Minor)
        : null,
  };
}

function sumOf(one: Minor | null, other: Minor | null): Minor | null {
  return one === null || other === null ? (one ?? other) : ((one + other) as Minor);
}

/** Returns the period from the first to the last payment of a list. Returns undefined if nothing was paid. */
export function periodOf({ orders }: ReadList): { readonly from: Date; readonly until: Date } | undefined {
  const times = orders.filter(({ state }) => state === 'paid').map(({ occurredAt }) => occurredAt.getTime());
  if (times.length === 0) return undefined;
  const [from, until] = times.reduce(
    ([first, last], time) => [Math.min(first, time), Math.max(last, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { from: new Date(from), until: new Date(until) };
}

/**
 * Compares the orders of a list with the recorded orders. `others` are the recorded orders that the list lacks. `now`
 * and `lateReportDays` decide which missing orders can still be recorded.
 */
export function compareOrders(
  listed: readonly NamedOrder[],
  booked: ReadonlyMap<string, BookedOrder>,
  others: readonly BookedOrder[],
  { now, lateReportDays }: { readonly now: Date; readonly lateReportDays: number },
): Comparison {
  const compared = listed.map((order) => compareOrder(order, booked.get(order.externalId), now, lateReportDays));
  const orders = compared.filter((each) => each !== undefined);
  return { orders: [...orders, ...others.map(missingThere)], skipped: compared.length - orders.length };
}

function compareOrder(
  order: NamedOrder,
  booked: BookedOrder | undefined,
  now: Date,
  lateReportDays: number,
): ComparedOrder | undefined {
  const { externalId, number, occurredAt, currency, total, refunded, state } = order;
  // The list has only a refund of this order, because the order was paid before the period of the list.
  if (total === null) return undefined;
  const listed = { currency, total, refunded: state === 'paid' ? refunded : total };
  if (booked !== undefined) {
    const outcome = outcomeOf(listed, booked);
    return { externalId, number, outcome, occurredAt, listed, booked: amountsOf(booked), obstacle: null };
  }
  if (state !== 'paid' || total <= 0n) return undefined;
  const obstacle = obstacleOf(order, now, lateReportDays);
  return { externalId, number, outcome: 'missing-here', occurredAt, listed, booked: null, obstacle };
}

/**
 * Compares the amounts of an order. The connector reports a lowered total in Shopify as a refund, so the recorded order
 * has the original total.
 */
function outcomeOf(listed: Amounts, booked: BookedOrder): Outcome {
  if (listed.currency !== booked.currency) return 'amount-differs';
  if (listed.total !== booked.total) {
    const { refunded } = listed;
    const isLowered = listed.total < booked.total && refunded !== null;
    const isSame = isLowered && listed.total - refunded === booked.total - booked.refunded;
    return isSame ? 'matched' : 'amount-differs';
  }
  return listed.refunded === null || listed.refunded === booked.refunded ? 'matched' : 'refund-differs';
}

function missingThere(booked: BookedOrder): ComparedOrder {
  const { externalId, occurredAt } = booked;
  const outcome = 'missing-there';
  return { externalId, number: null, outcome, occurredAt, listed: null, booked: amountsOf(booked), obstacle: null };
}

function amountsOf({ currency, total, refunded }: BookedOrder): Amounts {
  return { currency, total, refunded };
}
