import type { z } from 'zod';
import { externalId, flag, integer, object, optional, optionalList } from '#core/contract/fields.ts';
import { eitherMajor, eitherMinor } from '#core/contract/given-amount.ts';
import { operation } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import {
  MAX_ITEMS,
  MAX_QUANTITY,
  occurredAt,
  opportunityHeader,
  saleExternalId,
  saleSource,
} from '#tracking/contract/report-fields.ts';

const item = object({
  externalId: externalId({ description: 'The product’s id, as the sale named it.', example: 'sku-7' }),
  quantity: optional(integer(1, MAX_QUANTITY, { description: 'The returned quantity.', example: 1 }), 1),
});

type Extent = {
  readonly refundId: unknown;
  readonly amount?: unknown;
  readonly amountMinor?: unknown;
  readonly upTo: boolean;
  readonly items: readonly unknown[] | undefined;
};

/**
 * Refuses a refund with an unclear extent, and a partial refund without a refundId. A partial refund must not be
 * mistaken for a full refund, and must not count twice if it is sent again.
 */
function refuseUnclear({ refundId, amount, amountMinor, upTo, items }: Extent, context: z.RefinementCtx): void {
  const hasAmount = amount !== undefined || amountMinor !== undefined;
  if (items?.length === 0) addFault(context, ['items'], 'too-few', NOTHING_NAMED);
  if (amount !== undefined && amountMinor !== undefined) addFault(context, ['amountMinor'], 'conflicting', TWO_AMOUNTS);
  if (upTo && !hasAmount) addFault(context, ['amount'], 'required', UP_TO_NOTHING);
  if (hasAmount && items !== undefined) addFault(context, ['items'], 'conflicting', TWO_SIZES);
  if (refundId === undefined && (hasAmount || items !== undefined)) {
    addFault(context, ['refundId'], 'required', NAMELESS);
  }
}

const NOTHING_NAMED =
  'The list is empty. Send at least one item. To refund the full remaining amount, omit items and amount.';
const TWO_AMOUNTS = 'Send `amount` or `amountMinor`, not both.';
const UP_TO_NOTHING = 'This field is required with `upTo`. Send the largest amount to refund.';
const TWO_SIZES = 'Send an amount or items, not both.';
const NAMELESS = 'A partial refund requires a refundId, so that a repeat does not count twice. Send a refundId.';

export const reportRefund = operation({
  method: 'POST',
  path: '/v1/event/refund',
  tag: 'Events',
  summary: 'Report a refund',
  description:
    'Reports that an order was refunded. Once the call returns 200, no commission on the order can become payable: its ' +
    'conversions are rejected, and payouts that already include them are flagged. With `refundId` and `amount` or `items`, ' +
    'the refund is partial: commissions shrink in proportion. Once the total or all lines are refunded, the order is ' +
    'refunded in full. A repeat returns 200 and changes nothing. The same `refundId` with other content is a conflict. ' +
    'A refund of more than the remaining amount is refused unless `upTo` is true. Items that add up to less than 0 are refused, so ' +
    'return a discount together with the lines that it belongs to.',
  scope: 'events:write',
  tier: 'essentials',
  body: object({
    source: saleSource,
    externalId: saleExternalId,
    refundId: optional(
      externalId({
        description: 'The refund’s id in that system. Required for a partial refund.',
        example: 'refund-1',
      }),
    ),
    amount: eitherMajor(1n, { description: 'The refunded amount, in major units.', example: 9.99 }),
    amountMinor: eitherMinor(1n, {
      description: 'Instead of `amount`: the refunded amount in the smallest unit of the sale’s currency (ISO 4217).',
      example: 999,
    }),
    occurredAt,
    upTo: optional(
      flag({
        description:
          'With `amount` or `amountMinor`: refunds the remaining amount if that is less. If nothing is left, nothing changes.',
      }),
      false,
    ),
    items: optionalList(item, { max: MAX_ITEMS, description: 'The returned items, if not everything was returned.' }),
  }).superRefine(refuseUnclear),
  repeats: 'binding',
  success: {
    description: 'The refund is durably recorded.',
    serviceHeaders: opportunityHeader('The opportunity of the sale. Absent if the order has none.', 'sometimes'),
  },
  problems: [
    'tier-required',
    'sale-not-found',
    'refund-conflict',
    'refund-exceeds-sale',
    'return-below-zero',
    'too-many-refunds',
  ],
});
