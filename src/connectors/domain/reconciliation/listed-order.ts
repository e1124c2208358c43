import { isReportable } from '#core/occurrence.ts';
import type { Minor } from '#core/money.ts';
import type { JsonObject, LinkKey } from '../connector.ts';
import type { WholeOrder } from '../whole-orders.ts';
import { isFault, type Row, type RowFault } from './rows.ts';

/** The supported exports. `docs/reference/connectors.md` describes where to find each export. */
export const LIST_FORMATS = ['stripe-payments', 'stripe-balance', 'shopify-orders', 'woocommerce-orders'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** The maximum number of rows of a list, without the header. */
export const MAX_LISTED_ROWS = 5_000;

/** An order, or one of the payments of an order, in the list of a system. Amounts are in hundredths. */
export type ListedOrder = {
  /** The external ids under which the order can be recorded, the most likely first. */
  readonly names: readonly [string, ...string[]];
  /** The keys of the links that can contain the external id of the order. These links take precedence over `names`. */
  readonly keys: readonly LinkKey[];
  /** The order number that customers see. Null if it is the same as the external id, or unknown. */
  readonly number: string | null;
  readonly occurredAt: Date;
  readonly currency: string;
  /** The total of the order. Null if the row has only a refund. */
  readonly total: Minor | null;
  /** The refunded amount. Null if it is unknown in the currency of the total. */
  readonly refunded: Minor | null;
  readonly state: 'paid' | 'unpaid' | 'canceled';
  /** The complete order, as it can be recorded. Undefined if the list has too little data to record the order. */
  readonly whole?: WholeOrder;
};

/** A reader for one kind of export. */
export type ListReader = {
  readonly format: ListFormat;
  /** The columns that the export must have, and that identify it. */
  readonly columns: readonly string[];
  /** Whether `read` can return several payments of one order. The order's amount is the sum of their amounts. */
  readonly hasParts?: true;
  /** Returns the orders, or the first fault. `settings` are the settings of the connector. */
  readonly read: (rows: readonly Row[], settings: JsonObject) => readonly ListedOrder[] | RowFault;
};

/** Reads the orders one by one until the first fault. Skips rows for which `read` returns undefined. */
export function readEach<Of extends Row | readonly Row[]>(
  of: readonly Of[],
  read: (each: Of) => ListedOrder | undefined | RowFault,
): readonly ListedOrder[] | RowFault {
  const orders: ListedOrder[] = [];
  for (const each of of) {
    const order = read(each);
    if (order === undefined) continue;
    if (isFault(order)) return order;
    orders.push(order);
  }
  return orders;
}

/** The obstacles to recording an order of a list that is not recorded yet. */
export const OBSTACLES = ['unsupported', 'refunded', 'no-time', 'too-recent', 'too-old'] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** The maximum number of orders that one call records from a list. */
export const MAX_RECORDED_ORDERS = 50;

/**
 * The minimum age of an order that is recorded from a list, in hours. The message of a younger order can still arrive,
 * and contains the referral, which a list can lack.
 */
export const MIN_LISTED_AGE_HOURS = 24;

const HOUR_MS = 3_600_000;

/** Returns the obstacle to recording an order from the list, or null if it can be recorded. */
export function obstacleOf(
  { whole, refunded, occurredAt }: Pick<ListedOrder, 'whole' | 'refunded' | 'occurredAt'>,
  now: Date,
  lateReportDays: number,
): Obstacle | null {
  if (whole === undefined) return 'unsupported';
  // The list has no ids of refunds, so a later message would report the same refund again.
  if (refunded !== 0n) return 'refunded';
  if (whole.paidAt === undefined) return 'no-time';
  if (now.getTime() - occurredAt.getTime() < MIN_LISTED_AGE_HOURS * HOUR_MS) return 'too-recent';
  return isReportable(occurredAt, now, lateReportDays) ? null : 'too-old';
}
