import {
  type ConnectorEvent,
  type FindLink,
  type JsonObject,
  type LinkKey,
  type Translation,
  type TranslationContext,
  unreadable,
} from '../connector.ts';
import { objectIn, textIn } from '../json.ts';
import { orderKey } from '../payments.ts';
import { amountIn, currencyIn } from './amounts.ts';
import { adjustmentKey, chargebackKey } from './links.ts';

/* Paddle never changes a completed transaction. An adjustment records a refund, a credit or a chargeback. */

export function adjustmentKeys(adjustment: JsonObject): readonly LinkKey[] {
  const transaction = textIn(adjustment, 'transaction_id') ?? '';
  return [orderKey(transaction), chargebackKey(transaction), adjustmentKey(textIn(adjustment, 'id') ?? '')];
}

export function translateAdjustment(
  event: ConnectorEvent,
  adjustment: JsonObject,
  find: FindLink,
  context: TranslationContext,
): Translation {
  const [id, transaction] = [textIn(adjustment, 'id'), textIn(adjustment, 'transaction_id')];
  if (id === undefined) return unreadable('The adjustment has no id.');
  if (transaction === undefined) return unreadable('The adjustment has no transaction.');
  const name = { source: context.source, externalId: transaction };
  const about = { adjustment, id, transaction, name };
  const action = textIn(adjustment, 'action') ?? '';
  if (action === 'refund' || action === 'chargeback') return translateRefund(event, about, find);
  if (action === 'chargeback_reverse') return translateWonChargeback(event, about, find);
  const reason = WITHOUT_MONEY.get(action);
  return reason === undefined
    ? unreadable(`Whence doesn’t know the action “${action}” of an adjustment.`)
    : { kind: 'ignored', reason };
}

const CREDIT = 'A credit pays nothing back. It lowers an open invoice or a later payment.';
const WARNING = 'This is a warning of a chargeback, so no money was withdrawn.';

/** The reasons for ignoring adjustments that return no money to the customer, by action. */
const WITHOUT_MONEY: ReadonlyMap<string, string> = new Map([
  ['credit', CREDIT],
  ['credit_reverse', CREDIT],
  ['chargeback_warning', WARNING],
  ['chargeback_warning_reverse', WARNING],
]);

type About = {
  readonly adjustment: JsonObject;
  readonly id: string;
  readonly transaction: string;
  readonly name: { readonly source: string; readonly externalId: string };
};

/** Translates a refund or a chargeback. A refund counts once Paddle has approved it. */
function translateRefund({ occurredAt }: ConnectorEvent, about: About, find: FindLink): Translation {
  const { adjustment, id, transaction, name } = about;
  const before = find('adjustment', id)?.['state'];
  const links = (state: 'counted' | 'over') => [
    { ...adjustmentKey(id), value: { state } },
    ...(adjustment['action'] === 'chargeback' ? [{ ...chargebackKey(transaction), value: { adjustment: id } }] : []),
  ];
  const status = textIn(adjustment, 'status') ?? '';
  if (status === 'pending_approval') return { kind: 'ignored', reason: 'The refund counts once Paddle approves it.' };
  if (status === 'rejected') return { kind: 'ignored', reason: 'Paddle rejected the refund.' };
  if (status === 'reversed') {
    if (before !== 'counted') {
      return {
        kind: 'ignored',
        reason: 'The refund is not counted, so there is nothing to reverse.',
        links: links('over'),
      };
    }
    const reversal = { verb: 'refund-reversal', ...name, refundId: id, occurredAt } as const;
    return { kind: 'translated', reports: [reversal], links: links('over') };
  }
  if (status !== 'approved') return unreadable(`Whence doesn’t know the status “${status}” of a refund.`);
  if (before !== undefined) return { kind: 'ignored', reason: 'The refund was already processed.' };
  if (adjustment['type'] === 'tax') return { kind: 'ignored', reason: 'Only tax was refunded. It earns nothing.' };
  const order = find('order', transaction);
  if (order === undefined) {
    const reason = 'The transaction of the refund has not arrived.';
    return { kind: 'waiting', reason, waitsFor: [orderKey(transaction)] };
  }
  const currency = currencyIn(adjustment);
  const amount = currency === undefined ? undefined : amountIn(objectIn(adjustment, 'totals'), 'total', currency);
  if (amount === undefined) return unreadable('The amount or the currency of the refund can’t be read.');
  if (amount <= 0n || order['type'] === 'free') {
    return { kind: 'ignored', reason: 'Nothing was refunded.', links: links('counted') };
  }
  const given = { kind: 'amount', amount, isUpTo: true } as const;
  const refund = { verb: 'refund', ...name, refundId: id, currency, given, occurredAt } as const;
  return { kind: 'translated', reports: [refund], links: links('counted') };
}

/**
 * Translates the reversal of a chargeback that the seller has won. Its adjustment has a separate id and names the
 * transaction, but not the chargeback.
 */
function translateWonChargeback(
  { occurredAt }: ConnectorEvent,
  { id, transaction, name }: About,
  find: FindLink,
): Translation {
  if (find('adjustment', id) !== undefined) return { kind: 'ignored', reason: 'The reversal was already reported.' };
  const chargeback = find('chargeback', transaction);
  const refundId = chargeback && textIn(chargeback, 'adjustment');
  if (refundId === undefined) {
    const reason = 'The chargeback has not arrived.';
    return { kind: 'waiting', reason, waitsFor: [chargebackKey(transaction)] };
  }
  const reversal = { verb: 'refund-reversal', ...name, refundId, occurredAt } as const;
  return {
    kind: 'translated',
    reports: [reversal],
    links: [adjustmentKey(refundId), adjustmentKey(id)].map((key) => ({ ...key, value: { state: 'over' } })),
  };
}
