import { formatMajor } from '#core/money.ts';
import type { ConnectorEvent, ConnectorKind, FindLink, LinkKey, Translation } from '../connector.ts';
import { moneyKey } from '../shopify/translator.ts';
import { customerKeys, orderKey, translateOrder, type WholeOrder } from '../whole-orders.ts';
import type { ListedOrder } from './listed-order.ts';

/** Returns the keys of the links that `translateListed` reads. */
export function listedKeys({ whole }: Pick<ListedOrder, 'whole'>): readonly LinkKey[] {
  return whole === undefined ? [] : [orderKey(whole.externalId), ...customerKeys(whole.customer)];
}

/**
 * Translates an order of a list like a message that contains the whole order. The time of the payment becomes the time
 * of the order's state, so that every message about the order counts as later.
 */
export function translateListed(kind: ConnectorKind, order: WholeOrder, find: FindLink, source: string): Translation {
  const { externalId, modifiedAt, currency, total } = order;
  const event: ConnectorEvent = { id: 'list', type: 'list', occurredAt: modifiedAt, payload: {} };
  const translation = translateOrder(order, event, find, { source, waitedHours: 0 });
  if (kind !== 'shopify' || translation.kind !== 'translated') return translation;
  // In Shopify, the translation of a later dispute reads the currency and the total of the order.
  const money = { ...moneyKey(externalId), value: { currency, total_price: formatMajor(total) } };
  return { ...translation, links: [...translation.links, money] };
}
