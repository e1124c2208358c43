import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Buyer } from '#sales/domain/buyer.ts';
import {
  type ConnectorEvent,
  type FindLink,
  type JsonObject,
  type Link,
  type LinkKey,
  type Translation,
  type TranslationContext,
  unreadable,
} from './connector.ts';
import { type Clues, customerLinks, earlierOrder } from './customers.ts';
import type { OrderName, Report, SaleReport } from './report.ts';

/*
 * Some shops send the whole order, with its refunds, whenever it changes. The translation compares the order with its
 * state after the previous message, and reports the difference.
 */

/** The state of an order in one message. */
export type WholeOrder = {
  readonly externalId: string;
  readonly modifiedAt: Date;
  /** When the order was paid. Undefined if it is not paid. */
  readonly paidAt: Date | undefined;
  readonly isCanceled: boolean;
  /** The ISO 4217 code in upper case. Undefined if the currency is unknown. */
  readonly currency: string | undefined;
  readonly total: Minor;
  readonly lines: readonly Line[];
  /** The refunds of the order, with amounts above 0. */
  readonly refunds: readonly OrderRefund[];
  /** Whether a refund that is missing from a later message counts as deleted. */
  readonly canLoseRefunds: boolean;
  /** Whether a lower total is a correction. If not, the refunds contain the difference. */
  readonly canFall: boolean;
  readonly clues: Clues;
  readonly customer: string | undefined;
  readonly buyer: Buyer;
};

export type OrderRefund = { readonly id: string; readonly amount: Minor };

/**
 * The maximum number of refunds of an order. Each refund takes time, and no other sale of the organization is decided
 * during that time.
 */
const MAX_ORDER_REFUNDS = 250;

/** The state of an order after a message. Amounts are integers as text, in hundredths. */
type State = {
  readonly modifiedAt: string;
  readonly total: string;
  /** The ids of the order's refunds. */
  readonly refunds: readonly string[];
  /**
   * How often each refund was deleted. If a deleted refund appears again, it needs a new id, because a reversal is
   * final.
   */
  readonly deletions: { readonly [id: string]: number };
  /** How often the order was canceled. The number makes the id of the resulting refund unique. */
  readonly cancellations: number;
  /** How often the order was edited. The number makes the id of the resulting correction unique. */
  readonly corrections: number;
  readonly isCanceled: boolean;
};

/** The state of an order that was canceled before it was reported. */
type Unreported = Pick<State, 'modifiedAt'>;

export function orderKey(externalId: string): LinkKey {
  return { kind: 'order', externalId };
}

export function customerKeys(customer: string | undefined): readonly LinkKey[] {
  return customer === undefined ? [] : [{ kind: 'customer', externalId: customer }];
}

/**
 * Translates a message with an order. Reports a sale if the order was not reported, or else the changes of the order.
 * Reads only the links of the order and of its customer.
 */
export function translateOrder(
  order: WholeOrder,
  event: ConnectorEvent,
  find: FindLink,
  context: TranslationContext,
): Translation {
  if (order.refunds.length > MAX_ORDER_REFUNDS) {
    const reason = `The order has more than ${MAX_ORDER_REFUNDS} refunds. Dismiss this event, and report further refunds with the API.`;
    return { kind: 'failed', reason };
  }
  const before = find('order', order.externalId) as State | Unreported | undefined;
  if (before !== undefined && isReported(before)) return reportChanges(order, event, before, context);
  // Shops can round times to seconds, so a message of the same second can be older.
  if (before !== undefined && order.modifiedAt.toISOString() <= before.modifiedAt) return STALE;
  return reportOrder(order, event, find, context);
}

const STALE: Translation = { kind: 'ignored', reason: 'A later state of the order was already processed.' };

function isReported(state: State | Unreported): state is State {
  return 'total' in state;
}

/**
 * Translates a message about a deleted order, which has only the order's id. All other data of the order stays
 * unchanged.
 */
export function translateDeleted(
  externalId: string,
  event: ConnectorEvent,
  find: FindLink,
  context: TranslationContext,
): Translation {
  const before = find('order', externalId) as State | Unreported | undefined;
  if (before === undefined || !isReported(before)) return keepCancellation(externalId, event.occurredAt);
  const unchanged: Changes = {
    externalId,
    modifiedAt: event.occurredAt,
    isCanceled: true,
    paidAt: undefined,
    total: BigInt(before.total) as Minor,
    lines: [],
    refunds: before.refunds.map((id) => ({ id, amount: 0n as Minor })),
    canLoseRefunds: false,
    canFall: false,
  };
  return reportChanges(unchanged, event, before, context);
}

/** Stores the time of a cancellation, so that an older message that arrives later doesn't report the order. */
function keepCancellation(externalId: string, modifiedAt: Date): Translation {
  const state: Unreported = { modifiedAt: modifiedAt.toISOString() };
  const links = [{ ...orderKey(externalId), value: state satisfies JsonObject }];
  return { kind: 'ignored', reason: 'The order was canceled before it was reported.', links };
}

function reportOrder(
  order: WholeOrder,
  event: ConnectorEvent,
  find: FindLink,
  context: TranslationContext,
): Translation {
  const { externalId, modifiedAt, paidAt, isCanceled, currency, total, lines, refunds, clues, customer, buyer } = order;
  if (isCanceled) return keepCancellation(externalId, modifiedAt);
  if (paidAt === undefined) return { kind: 'ignored', reason: 'The order is not paid.' };
  if (currency === undefined) return unreadable('The currency of the order is missing or unknown.');
  if (total <= 0n) return { kind: 'ignored', reason: 'Nothing was paid.' };
  const name = { source: context.source, externalId };
  const sale: SaleReport = {
    verb: 'sale',
    ...name,
    referral: { ...clues, sameCustomerAs: earlierOrder(find, customer, context), userId: null },
    buyer,
    currency,
    total,
    lines,
    occurredAt: paidAt,
  };
  const state: State = {
    modifiedAt: modifiedAt.toISOString(),
    total: String(total),
    refunds: refunds.map(({ id }) => id),
    deletions: {},
    cancellations: 0,
    corrections: 0,
    isCanceled: false,
  };
  return {
    kind: 'translated',
    reports: [sale, ...refunds.map((refund) => refundReport(refund, name, event))],
    links: [orderLink(name, state), ...customerLinks(sale, customer, clues, find)],
  };
}

type Changes = Pick<
  WholeOrder,
  'externalId' | 'modifiedAt' | 'isCanceled' | 'paidAt' | 'total' | 'lines' | 'refunds' | 'canLoseRefunds' | 'canFall'
>;

/**
 * Translates the changes of an order since its last message. The reports must have this order: reversals, the
 * correction, refunds, and a cancellation.
 */
function reportChanges(order: Changes, event: ConnectorEvent, before: State, context: TranslationContext): Translation {
  const { occurredAt } = event;
  const { total, lines, refunds } = order;
  const modifiedAt = order.modifiedAt.toISOString();
  if (modifiedAt < before.modifiedAt) return STALE;
  // Shops can round times to seconds, so a message with the same time can be older. Such a message must not reverse a
  // refund.
  const isLater = modifiedAt > before.modifiedAt;
  const isCanceled = order.isCanceled || (before.isCanceled && !isLater);
  const name: OrderName = { source: context.source, externalId: order.externalId };
  const reports: Report[] = [];
  const reverse = (refundId: string) => reports.push({ verb: 'refund-reversal', ...name, refundId, occurredAt });
  const reportId = (id: string): string => refundIdOf(id, before.deletions[id] ?? 0);
  const missing = before.refunds.filter((id) => !refunds.some((refund) => refund.id === id));
  const deleted = order.canLoseRefunds && isLater ? missing : [];
  for (const id of deleted) reverse(reportId(id));
  if (!isCanceled && before.isCanceled) reverse(cancellationId(before.cancellations));

  const isEdited = isNewTotal(order, before);
  const corrections = before.corrections + (isEdited ? 1 : 0);
  if (isEdited) {
    reports.push({ verb: 'correction', ...name, correctionId: `edited-${corrections}`, total, lines, occurredAt });
  }
  const fresh = refunds.filter(({ id }) => !before.refunds.includes(id));
  reports.push(...fresh.map(({ id, amount }) => refundReport({ id: reportId(id), amount }, name, event)));
  const cancellations = before.cancellations + (isCanceled && !before.isCanceled ? 1 : 0);
  if (isCanceled && !before.isCanceled) {
    const refundId = cancellationId(cancellations);
    reports.push({ verb: 'refund', ...name, refundId, given: { kind: 'full' }, occurredAt });
  }
  const state: State = {
    modifiedAt,
    total: isEdited ? String(total) : before.total,
    refunds: [...refunds.map(({ id }) => id), ...missing.filter((id) => !deleted.includes(id))],
    deletions: countDeletions(before.deletions, deleted),
    cancellations,
    corrections,
    isCanceled,
  };
  const links = [orderLink(name, state)];
  if (reports.length === 0) return { kind: 'ignored', reason: 'The money of the order has not changed.', links };
  return { kind: 'translated', reports, links };
}

/**
 * Returns whether an edit of the order has changed its total. A higher total counts only if the order is paid. A lower
 * total counts only if `canFall` is true.
 */
function isNewTotal({ total, paidAt, canFall }: Changes, before: State): boolean {
  const rise = total - BigInt(before.total);
  return rise < 0n ? canFall : rise > 0n && paidAt !== undefined;
}

function refundReport({ id, amount }: OrderRefund, name: OrderName, { occurredAt }: ConnectorEvent): Report {
  const given = { kind: 'amount', amount, isUpTo: true } as const;
  return { verb: 'refund', ...name, refundId: id, given, occurredAt };
}

function countDeletions(before: State['deletions'], deleted: readonly string[]): State['deletions'] {
  return { ...before, ...Object.fromEntries(deleted.map((id) => [id, (before[id] ?? 0) + 1])) };
}

/** Returns the id for reporting a refund that was deleted and restored `deletions` times. */
function refundIdOf(id: string, deletions: number): string {
  return deletions === 0 ? id : `${id}-${deletions + 1}`;
}

function cancellationId(number: number): string {
  return `canceled-${number}`;
}

function orderLink({ externalId }: OrderName, state: State): Link {
  return { ...orderKey(externalId), value: state satisfies JsonObject };
}
