import type { Translator } from '../connector.ts';
import { objectIn } from '../json.ts';
import { orderKeys, translateOrder } from './order.ts';
import { refundKeys, translateRefund } from './refund.ts';

/** The event types to select in Polar for the connector's webhook. */
export const POLAR_EVENT_TYPES = ['order.paid', 'refund.created', 'refund.updated'] as const;

export const polar: Translator = {
  linkKeys: ({ type, payload }) => {
    const data = objectIn(payload, 'data');
    if (type === 'order.paid') return orderKeys(data);
    return isRefund(type) ? refundKeys(data) : [];
  },

  translate: (event, find, _, context) => {
    const { type, payload } = event;
    const data = objectIn(payload, 'data');
    if (type === 'order.paid') return translateOrder(event, data, find, context);
    if (isRefund(type)) return translateRefund(event, data, find, context);
    return { kind: 'ignored', reason: REASONS.get(type) ?? otherReason(type) };
  },
};

function isRefund(type: string): boolean {
  return type === 'refund.created' || type === 'refund.updated';
}

const UNPAID = 'An order counts once order.paid arrives.';

/** The reasons why some events about payments and refunds report nothing. Only one event reports each amount. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['order.created', UNPAID],
  ['order.updated', UNPAID],
  ['order.refunded', 'The refunds of an order arrive as refund.created and refund.updated.'],
]);

function otherReason(type: string): string {
  return type.startsWith('subscription.')
    ? 'The payments of a subscription arrive as orders.'
    : `Events of the type ${type} report no money.`;
}
