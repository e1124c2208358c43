import type { Json, JsonObject } from '../connector.ts';
import { integerIn, objectIn, objectsIn } from '../json.ts';

/*
 * The known data of a subscription: its first paid invoice, which is the sale, and its free periods before that, such
 * as a trial. Invoices can arrive in any order, so the periods determine which paid invoice is the first.
 */

/** A period in Unix seconds. */
type Period = { readonly start: number; readonly end: number };

export type Subscription = {
  /** The externalId of the sale. */
  readonly sale: string | undefined;
  readonly free: readonly Period[];
  /** The start of the subscription, in Unix seconds. Undefined unless its first invoice was free and has arrived. */
  readonly beganAt: number | undefined;
};

export function subscriptionOf(link: JsonObject | undefined): Subscription {
  return { sale: undefined, free: [], beganAt: undefined, ...link };
}

export function subscriptionLink({ sale, free, beganAt }: Subscription): JsonObject {
  const periods: Json = free.map(({ start, end }) => ({ start, end }));
  return {
    free: periods,
    ...(sale === undefined ? {} : { sale }),
    ...(beganAt === undefined ? {} : { beganAt }),
  };
}

/**
 * Returns the period of an invoice. It begins at the latest start of a line, and ends at the latest end of a line, or
 * at the invoice's creation if that is later. Some lines are about earlier periods, such as metered usage.
 */
export function periodOf(invoice: JsonObject): Period {
  const periods = objectsIn(objectIn(invoice, 'lines'), 'data').map((line) => objectIn(line, 'period'));
  const starts = periods.flatMap((period) => integerIn(period, 'start') ?? []);
  const ends = periods.flatMap((period) => integerIn(period, 'end') ?? []);
  const created = integerIn(invoice, 'created') ?? 0;
  return { start: starts.length > 0 ? Math.max(...starts) : created, end: Math.max(...ends, created) };
}

export function isFirstInvoice(invoice: JsonObject): boolean {
  return invoice['billing_reason'] === 'subscription_create';
}

/** Returns the data of a subscription, with the period of a free invoice added. */
export function withFreePeriod(known: Subscription, invoice: JsonObject): Subscription {
  const period = periodOf(invoice);
  const isKnown = known.free.some(({ start, end }) => start === period.start && end === period.end);
  return {
    ...known,
    free: isKnown ? known.free : [...known.free, period],
    beganAt: isFirstInvoice(invoice) ? period.start : known.beganAt,
  };
}

/**
 * Returns whether no paid invoice can precede the given invoice. Either it is the first invoice, or the subscription
 * was free from its beginning until the invoice's period.
 */
export function isFirstPaid({ beganAt, free }: Subscription, invoice: JsonObject): boolean {
  if (isFirstInvoice(invoice)) return true;
  if (beganAt === undefined) return false;
  let freeUntil = beganAt;
  for (const { start, end } of free.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start <= freeUntil) freeUntil = Math.max(freeUntil, end);
  }
  return periodOf(invoice).start <= freeUntil;
}
