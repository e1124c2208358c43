import {
  type ConnectorEvent,
  type FindLink,
  type JsonObject,
  type LinkKey,
  type Translation,
  type TranslationContext,
  type Translator,
  unreadable,
} from '../connector.ts';
import { textIn } from '../json.ts';
import { customerKeys, orderKey, translateOrder } from '../whole-orders.ts';
import { convertToShopCurrency, customerOf, idIn, moneyOf, orderIdOf, orderIn } from './order.ts';

/**
 * The topics for which to create a webhook in Shopify. Each message about an order has the whole order, with its
 * refunds.
 */
export const SHOPIFY_TOPICS = ['orders/paid', 'orders/updated', 'disputes/create', 'disputes/update'] as const;

/** The type of a message with an order. Shopify doesn't sign the topic, so the type is determined from the body. */
export const ORDER = 'order';
/** The type of a message about a dispute. */
export const DISPUTE = 'dispute';

export const shopify: Translator = {
  linkKeys: ({ type, payload }) => {
    if (type === ORDER) return [orderKey(orderIdOf(payload) ?? ''), ...customerKeys(customerOf(payload))];
    return type === DISPUTE ? [moneyKey(disputedOrderOf(payload)), disputeKey(disputeIdOf(payload))] : [];
  },

  translate: (event, find, _, context) => {
    if (event.type === DISPUTE) return translateDispute(event, find, context);
    if (event.type !== ORDER) return { kind: 'ignored', reason: 'The message contains no order.' };
    const order = orderIn(event);
    if (typeof order === 'string') return unreadable(order);
    const translation = translateOrder(order, event, find, context);
    if (translation.kind !== 'translated') return translation;
    const money = { ...moneyKey(order.externalId), value: moneyOf(event.payload) };
    return { ...translation, links: [...translation.links, money] };
  },
};

function disputedOrderOf(dispute: JsonObject): string {
  return idIn(dispute, 'order_id', '') ?? '';
}

function disputeIdOf(dispute: JsonObject): string {
  return idIn(dispute, 'id', '') ?? '';
}

function disputeKey(externalId: string): LinkKey {
  return { kind: 'dispute', externalId };
}

/** Returns the key of the link that stores the currencies and totals of a reported order. */
export function moneyKey(externalId: string): LinkKey {
  return { kind: 'money', externalId };
}

/**
 * Translates a dispute of an order. A link stores the last state of the dispute: `counted`, or `over` once the dispute
 * is won.
 */
function translateDispute(
  { payload: dispute, occurredAt }: ConnectorEvent,
  find: FindLink,
  context: TranslationContext,
): Translation {
  const [id, externalId] = [disputeIdOf(dispute), disputedOrderOf(dispute)];
  if (id === '') return unreadable('The dispute has no id.');
  if (externalId === '') return unreadable('The dispute has no order.');
  if (textIn(dispute, 'type') === 'inquiry')
    return { kind: 'ignored', reason: 'This dispute is an inquiry, so no money was withdrawn.' };
  const name = { source: context.source, externalId };
  const refundId = `dispute-${id}`;
  const state = find('dispute', id)?.['state'];
  const isWon = textIn(dispute, 'status') === 'won';
  const links = [{ ...disputeKey(id), value: { state: isWon ? 'over' : 'counted' } }];
  if (isWon) {
    if (state !== 'counted')
      return { kind: 'ignored', reason: 'The dispute is not counted, so there is nothing to reverse.', links };
    return { kind: 'translated', reports: [{ verb: 'refund-reversal', ...name, refundId, occurredAt }], links };
  }
  if (state !== undefined) return { kind: 'ignored', reason: 'The dispute was already processed.' };
  const order = find('money', externalId);
  if (order === undefined) {
    return { kind: 'waiting', reason: 'The order of the dispute has not arrived.', waitsFor: [moneyKey(externalId)] };
  }
  const amount = convertToShopCurrency(order, dispute);
  if (amount === undefined)
    return unreadable('The amount of the dispute can’t be read, or can’t be converted to the currency of the shop.');
  const given = { kind: 'amount', amount, isUpTo: true } as const;
  return { kind: 'translated', reports: [{ verb: 'refund', ...name, refundId, given, occurredAt }], links };
}
