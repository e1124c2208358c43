import type { z } from 'zod';
import { MAX_ALIAS_CODE } from '#domain/alias.ts';
import type { OpportunityId } from '#domain/ids.ts';
import { MAX_MINOR } from '#domain/money.ts';
import { LINE_TYPES } from '#domain/program.ts';
import {
  choice,
  type Described,
  externalId,
  type Field,
  id,
  integer,
  majorAmount,
  object,
  optional,
  optionalList,
  text,
} from './fields.ts';
import type { HeaderDescription } from './operation.ts';

/* The fields that several reports have. */

/** Items of one report. */
export const MAX_ITEMS = 1_000;
/** Of one line. */
export const MAX_QUANTITY = 1_000_000;

/** A system that reports, as a binding names it. */
export function source(described: Described): Field<string> {
  return text(1, 64, described, { noControlCharacters: true });
}

export const saleSource = source({
  description: 'The system that the order comes from. Compared exactly.',
  example: 'shop',
});
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

export const saleItems = optionalList(item, {
  max: MAX_ITEMS,
  description: 'What was sold, line by line. Without any the total is one line, `Order`.',
}).superRefine(refuseHugeLines);

/** The public number; the door turns it into the opportunity's id. */
export const trackingId = id<OpportunityId>({
  description: 'The opportunity, as the visit’s answer named it in its header.',
  example: 5214909912345678,
});

export const couponCode = text(1, MAX_ALIAS_CODE, {
  description: 'A coupon’s code. Compared without regard to case.',
  example: 'ADA10',
});

/** The header that names an opportunity by its public number, in a request or an answer. */
export function opportunityHeader(description: string): { readonly OID: HeaderDescription } {
  return { OID: { description, schema: { type: 'string' }, example: '5214909912345678' } };
}
