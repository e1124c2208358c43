import type { z } from 'zod';
import { MAX_ALIAS_CODE } from '#domain/alias.ts';
import { LINE_TYPES } from '#domain/program.ts';
import type { OpportunityId } from '#domain/ids.ts';
import { MAX_MINOR } from '#domain/money.ts';
import {
  choice,
  currencyCode,
  externalId,
  id,
  integer,
  majorAmount,
  object,
  optional,
  optionalList,
  text,
} from './fields.ts';
import { operation } from './operation.ts';

const MAX_ITEMS = 1_000;
const MAX_COUPON_CODES = 20;
const MAX_QUANTITY = 1_000_000;

export const saleSource = text(
  1,
  64,
  { description: 'The system that the order comes from. Compared exactly.', example: 'shop' },
  { noControlCharacters: true },
);
export const saleExternalId = externalId({
  description: 'The order’s id in that system: a string, or an integer, which is read as its digits.',
  example: 'order-1001',
});

const item = object({
  externalId: optional(externalId({ description: 'The product’s id in your system.', example: 'sku-7' })),
  name: text(1, 255, { description: 'What it is.', example: 'Blue mug' }),
  quantity: optional(integer(1, MAX_QUANTITY, { description: 'How many.', example: 2 }), 1),
  amount: majorAmount(-MAX_MINOR, MAX_MINOR, {
    description: 'The price of one, in major units; negative for a discount.',
    example: 19.99,
  }),
  type: optional(
    choice(LINE_TYPES, { description: 'What kind of line it is; a program says which it counts.' }),
    'product',
  ),
});

/** No line beyond what an amount can be, and no sum of lines: any selection of them may be the base of a reward. */
function refuseHugeLines(items: readonly z.output<typeof item>[] | undefined, context: z.RefinementCtx): void {
  let up = 0n;
  let down = 0n;
  for (const [index, { amount, quantity }] of (items ?? []).entries()) {
    const line = amount * BigInt(quantity);
    if (!isWithin(line)) context.addIssue({ ...HUGE, path: [index] });
    if (line > 0n) up += line;
    else down += line;
  }
  if (!isWithin(up) || !isWithin(down)) context.addIssue({ ...HUGE, path: [] });
}

const HUGE = {
  code: 'custom',
  message: 'A line, or the sum of the lines, is beyond ±(2^53−1) of the smallest unit.',
  params: { code: 'out-of-range' },
} as const;

function isWithin(amount: bigint): boolean {
  return amount <= MAX_MINOR && amount >= -MAX_MINOR;
}

export const saleItems = optionalList(item, { max: MAX_ITEMS }).superRefine(refuseHugeLines);

/** The public number; the door turns it into the opportunity's id. */
export const trackingId = id<OpportunityId>({
  description: 'The opportunity, as the visit’s answer named it in its header.',
  example: 5214909912345678,
});

export const couponCode = text(1, MAX_ALIAS_CODE, {
  description: 'A coupon’s code. Compared without regard to case.',
  example: 'ADA10',
});

export const reportSale = operation({
  method: 'POST',
  path: '/v1/event/sale',
  tag: 'Events',
  summary: 'Report a sale',
  description:
    'Records a completed order and starts the conversion pipeline. The same report again (same source, externalId and ' +
    'content) answers as the first did and changes nothing, however many arrive at once; other content under the same ' +
    'source and externalId is a conflict. Amounts are exact: the digits are read as text, and more than two decimals ' +
    'round to the nearest, halves away from zero. `couponCodes` are the coupons used: each that leads to an active ' +
    'collaborator (by an alias of the type `coupon`) touches engagements right before the sale, as in ' +
    '`/v1/event/coupon-applied`; others are ignored. They are no part of what makes a report the same.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  body: object({
    source: saleSource,
    externalId: saleExternalId,
    total: majorAmount(0n, MAX_MINOR, { description: 'The order’s total in major units.', example: 49.99 }),
    trackingId,
    currency: optional(currencyCode({ description: 'ISO 4217, in any case.' }), 'USD'),
    items: saleItems,
    couponCodes: optionalList(couponCode, { max: MAX_COUPON_CODES }),
  }),
  success: {
    status: 200,
    description: 'The sale is recorded, durably.',
    serviceHeaders: {
      OID: {
        description: 'The opportunity that the sale belongs to.',
        schema: { type: 'string' },
        example: '5214909912345678',
      },
    },
  },
  problems: ['tier-required', 'sale-conflict'],
});
