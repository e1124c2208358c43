import {
  type ConnectorEvent,
  type FindLink,
  type JsonObject,
  type Translation,
  type TranslationContext,
  type Translator,
  unreadable,
} from '../connector.ts';
import { objectIn, textIn } from '../json.ts';
import { adjustmentKeys, translateAdjustment } from './adjustment.ts';
import { discountKey } from './links.ts';
import { transactionKeys, translateTransaction } from './transaction.ts';

/** The event types to select in Paddle for the connector's webhook. */
export const PADDLE_EVENT_TYPES = [
  'transaction.completed',
  'adjustment.created',
  'adjustment.updated',
  'discount.created',
  'discount.updated',
] as const;

/** The translator for events of Paddle Billing. Events of Paddle Classic are not supported. */
export const paddle: Translator = {
  linkKeys: ({ type, payload }) => {
    const data = objectIn(payload, 'data');
    if (type === 'transaction.completed') return transactionKeys(data);
    return isAdjustment(type) ? adjustmentKeys(data) : [];
  },

  translate: (event, find, _, context) => translate(event, objectIn(event.payload, 'data'), find, context),
};

function translate(event: ConnectorEvent, data: JsonObject, find: FindLink, context: TranslationContext): Translation {
  if (event.type === 'transaction.completed') return translateTransaction(event, data, find, context);
  if (isAdjustment(event.type)) return translateAdjustment(event, data, find, context);
  if (event.type === 'discount.created' || event.type === 'discount.updated') return translateDiscount(data);
  return { kind: 'ignored', reason: `Events of the type ${event.type} report no money.` };
}

function isAdjustment(type: string): boolean {
  return type === 'adjustment.created' || type === 'adjustment.updated';
}

/**
 * Translates a discount to a link with its code, because transactions name only its id. Some discounts have no code.
 */
function translateDiscount(discount: JsonObject): Translation {
  const [id, code] = [textIn(discount, 'id'), textIn(discount, 'code')];
  if (id === undefined) return unreadable('The discount has no id.');
  if (code === undefined) return { kind: 'ignored', reason: 'The discount has no code.' };
  return { kind: 'translated', reports: [], links: [{ ...discountKey(id), value: { code } }] };
}
