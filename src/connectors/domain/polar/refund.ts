import type { Minor } from '#core/money.ts';
import {
  type ConnectorEvent,
  type FindLink,
  type JsonObject,
  type LinkKey,
  type Translation,
  type TranslationContext,
  unreadable,
} from '../connector.ts';
import { integerIn, textIn } from '../json.ts';
import { orderKey } from '../payments.ts';
import { convertStripeAmount, currencyIn } from '../stripe/amounts.ts';

export function refundKeys(refund: JsonObject): readonly LinkKey[] {
  return [orderKey(textIn(refund, 'order_id') ?? ''), refundKey(textIn(refund, 'id') ?? '')];
}

/**
 * Returns the key of a refund's link, whose `state` is `counted`, or `over` after the refund has failed or was
 * canceled.
 */
function refundKey(externalId: string): LinkKey {
  return { kind: 'refund', externalId };
}

/** Translates a refund, which counts once it has succeeded. A counted refund that fails later is reversed. */
export function translateRefund(
  { occurredAt }: ConnectorEvent,
  refund: JsonObject,
  find: FindLink,
  context: TranslationContext,
): Translation {
  const [refundId, externalId] = [textIn(refund, 'id'), textIn(refund, 'order_id')];
  if (refundId === undefined) return unreadable('The refund has no id.');
  if (externalId === undefined) return unreadable('The refund has no order.');
  const name = { source: context.source, externalId };
  const before = find('refund', refundId)?.['state'];
  const links = (state: 'counted' | 'over') => [{ ...refundKey(refundId), value: { state } }];
  const status = textIn(refund, 'status') ?? '';
  if (status === 'pending') return { kind: 'ignored', reason: 'The refund counts once it has succeeded.' };
  if (status === 'failed' || status === 'canceled') {
    if (before !== 'counted') {
      const reason = `The refund ${status === 'failed' ? 'failed' : 'was canceled'}, so it is not counted.`;
      return { kind: 'ignored', reason, links: links('over') };
    }
    const reversal = { verb: 'refund-reversal', ...name, refundId, occurredAt } as const;
    return { kind: 'translated', reports: [reversal], links: links('over') };
  }
  if (status !== 'succeeded') return unreadable(`Whence doesn’t know the status “${status}” of a refund.`);
  if (before !== undefined) return { kind: 'ignored', reason: 'The refund was already processed.' };
  const order = find('order', externalId);
  if (order === undefined) {
    return { kind: 'waiting', reason: 'The order of the refund has not arrived.', waitsFor: [orderKey(externalId)] };
  }
  const amount = amountOf(refund);
  if (amount === undefined) return unreadable('The amount or the currency of the refund can’t be read.');
  if (amount <= 0n || order['type'] === 'free') return { kind: 'ignored', reason: 'Nothing was refunded.' };
  const given = { kind: 'amount', amount, isUpTo: true } as const;
  const currency = currencyIn(refund);
  const report = { verb: 'refund', ...name, refundId, currency, given, occurredAt } as const;
  return { kind: 'translated', reports: [report], links: links('counted') };
}

/**
 * Returns the refunded amount with its tax, because the total of an order includes tax as well. Returns undefined if
 * the amount or its currency is unknown.
 */
function amountOf(refund: JsonObject): Minor | undefined {
  const [currency, amount] = [currencyIn(refund), integerIn(refund, 'amount')];
  if (currency === undefined || amount === undefined) return undefined;
  return convertStripeAmount(amount + (integerIn(refund, 'tax_amount') ?? 0), currency);
}
