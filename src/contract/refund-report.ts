import type { z } from 'zod';
import { MAX_MINOR } from '#domain/money.ts';
import { externalId, integer, majorAmount, object, optional, optionalList } from './fields.ts';
import { operation } from './operation.ts';
import { MAX_ITEMS, MAX_QUANTITY, saleExternalId, saleSource } from './report-fields.ts';

const item = object({
  externalId: externalId({ description: 'The product’s id, as the sale named it.', example: 'sku-7' }),
  quantity: optional(integer(1, MAX_QUANTITY, { description: 'How many of them.', example: 1 }), 1),
});

type Extent = {
  readonly refundId: unknown;
  readonly amount: unknown;
  readonly items: readonly unknown[] | undefined;
};

/** What says how much must not be taken for a full refund, and not count twice when it is sent again. */
function refuseUnclear({ refundId, amount, items }: Extent, context: z.RefinementCtx): void {
  if (items?.length === 0) context.addIssue({ ...NOTHING_NAMED, path: ['items'] });
  if (amount !== undefined && items !== undefined) context.addIssue({ ...TWO_SIZES, path: ['items'] });
  if (refundId === undefined && (amount !== undefined || items !== undefined)) {
    context.addIssue({ ...NAMELESS, path: ['refundId'] });
  }
}

const NOTHING_NAMED = {
  code: 'custom',
  message: 'At least one item must be given. A refund of everything has neither items nor an amount.',
  params: { code: 'too-few' },
} as const;
const TWO_SIZES = {
  code: 'custom',
  message: 'A refund is of an amount or of items, not both.',
  params: { code: 'conflicting' },
} as const;
const NAMELESS = {
  code: 'custom',
  message: 'A refund in part needs its refundId, so that it does not count twice when it is sent again.',
  params: { code: 'required' },
} as const;

export const reportRefund = operation({
  method: 'POST',
  path: '/v1/event/refund',
  tag: 'Events',
  summary: 'Report a refund',
  description:
    'Reports that an order was reversed. From the answer on nothing makes its money payable: conversions are rejected, ' +
    'obligations cleaned up, payouts that they are in flagged. With `refundId` and an `amount` or `items` it is a ' +
    'refund in part: what the order has earned shrinks in proportion, and once its total or all of its lines are gone ' +
    'it is refunded in full. A repeat answers 200 and changes nothing; the same `refundId` with other content is a ' +
    'conflict, and more than is left is refused.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  body: object({
    source: saleSource,
    externalId: saleExternalId,
    refundId: optional(
      externalId({ description: 'The refund’s id in that system; a refund in part needs one.', example: 'refund-1' }),
    ),
    amount: optional(
      majorAmount(1n, MAX_MINOR, { description: 'How much was given back, in major units.', example: 9.99 }),
    ),
    items: optionalList(item, { max: MAX_ITEMS, description: 'What was given back, where not everything was.' }),
  }).superRefine(refuseUnclear),
  repeats: 'binding',
  success: { status: 200, description: 'The refund is recorded, durably.' },
  problems: ['tier-required', 'sale-not-found', 'refund-conflict', 'refund-exceeds-sale'],
});
