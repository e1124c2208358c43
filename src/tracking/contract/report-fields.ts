import type { z } from 'zod';
import { MAX_ALIAS_CODE } from '#collaborators/domain/alias.ts';
import type { OpportunityId } from '#core/ids.ts';
import { type GivenAmount, hundredthsOf } from '#core/given-amount.ts';
import { MAX_MINOR } from '#core/money.ts';
import { LINE_TYPES } from '#programs/domain/line.ts';
import { type GivenItem, type GivenPrice, lineOf } from '#programs/domain/sold-lines.ts';
import {
  choice,
  cutText,
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
} from '#core/contract/fields.ts';
import { moment } from '#core/contract/time-field.ts';
import { BESIDE_OTHER_FAULTS, eitherMajor, eitherMinor, requireOne } from '#core/contract/given-amount.ts';
import type { HeaderDescription } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';

/* The request fields that several kinds of reports share. */

/** The maximum number of items in one report. */
export const MAX_ITEMS = 1_000;
/** The maximum quantity of one line. */
export const MAX_QUANTITY = 1_000_000;

/** Returns the field for the name of a reporting system, which is part of a binding. */
export function source(described: Described): Field<string> {
  return text(1, 64, described, { noControlCharacters: true });
}

export const saleSource = source({
  description: 'The system of the order. It is compared exactly.',
  example: 'shop',
});
export const saleExternalId = externalId({
  description: 'The order’s id in that system: a string, or an integer that is read as its digits.',
  example: 'order-1001',
});

/**
 * The maximum length of a line's name, in UTF-16 units. A longer name is truncated instead of refused, so that no sale
 * is lost because of a long name.
 */
const MAX_NAME = 255;

const item = object({
  externalId: optional(externalId({ description: 'The product’s id in your system.', example: 'sku-7' })),
  name: cutText(MAX_NAME, {
    description: `The line’s name. A name of more than ${MAX_NAME} characters is truncated.`,
    example: 'Blue mug',
  }),
  quantity: optional(integer(1, MAX_QUANTITY, { description: 'The number of units.', example: 2 }), 1),
  amount: eitherMajor(-MAX_MINOR, {
    description:
      'The unit price in major units. It is negative for a discount. Send `amount`, `amountMinor` or `total`.',
    example: 19.99,
  }),
  amountMinor: eitherMinor(-MAX_MINOR, {
    description: 'Instead of `amount`: the unit price in the smallest unit of the currency (ISO 4217).',
    example: 1999,
  }),
  total: optional(
    majorAmount(-MAX_MINOR, MAX_MINOR, {
      description: 'Instead of `amount`: the price of the whole line, in major units.',
      example: 39.98,
    }),
  ),
  type: optional(
    choice(LINE_TYPES, { description: 'The kind of line. Each program selects the kinds that it counts.' }),
    'product',
  ),
})
  .superRefine(requireOne('amount', 'amountMinor', 'total'), BESIDE_OTHER_FAULTS)
  .transform(({ amount, amountMinor, total, externalId: id = null, ...rest }): GivenItem => {
    // Exactly one of `amount`, `amountMinor` and `total` is set, because requireOne has refused all other reports.
    const price =
      total === undefined ? { of: 'unit', amount: (amount ?? amountMinor) as GivenAmount } : { of: 'line', total };
    return { ...rest, externalId: id, price: price as GivenPrice };
  });

export const saleItems = optionalList(item, {
  max: MAX_ITEMS,
  description: 'The lines of the order. Without lines, the total is one line named `Order`.',
});

/**
 * An option for zod: runs a check of amounts even if fields that the check doesn't need have faults. All faults are
 * then reported together.
 */
export const WITH_SOUND_AMOUNTS = {
  when: ({ issues }: z.core.ParsePayload) =>
    issues.every(({ path: [field] = [] }) => field !== undefined && !AMOUNT_FIELDS.has(field)),
};
const AMOUNT_FIELDS: ReadonlySet<PropertyKey> = new Set(['items', 'currency', 'totalMinor']);

/**
 * Refuses a sale, renewal or correction whose amounts can't be stored. Without a currency in the report, assumes a
 * currency without decimals, whose smallest unit is the largest.
 */
export function refuseHugeSale(
  { totalMinor, items, currency = WIDEST_CURRENCY }: SaleAmounts & { readonly totalMinor?: GivenAmount | undefined },
  context: z.RefinementCtx,
): void {
  if (totalMinor !== undefined && !isWithin(hundredthsOf(totalMinor, currency))) {
    addFault(context, ['totalMinor'], 'out-of-range', HUGE_TOTAL);
  }
  refuseHugeLines({ items, currency }, context);
}

/**
 * Refuses lines if a line, or the sum of a selection of lines, is beyond the largest amount. Any selection of lines can
 * be the base of a reward.
 */
export function refuseHugeLines(
  { items = [], currency = WIDEST_CURRENCY }: SaleAmounts,
  context: z.RefinementCtx,
): void {
  let up = 0n;
  let down = 0n;
  for (const [index, given] of items.entries()) {
    const { total } = lineOf(given, currency);
    if (!isWithin(total)) addFault(context, ['items', index], 'out-of-range', HUGE);
    if (total > 0n) up += total;
    else down += total;
  }
  if (!isWithin(up) || !isWithin(down)) addFault(context, ['items'], 'out-of-range', HUGE);
}

type SaleAmounts = { readonly items: readonly GivenItem[] | undefined; readonly currency?: string | undefined };

/** The assumed currency if a report has none. Its smallest unit is the largest of all currencies: 100 hundredths. */
const WIDEST_CURRENCY = 'JPY';

const HUGE = 'A line, or the sum of the lines, exceeds 90,071,992,547,409.91. Split the order into several reports.';
const HUGE_TOTAL = 'The total exceeds 90,071,992,547,409.91. Split the order into several reports.';

function isWithin(amount: bigint): boolean {
  return amount <= MAX_MINOR && amount >= -MAX_MINOR;
}

/** The fields for the total of a sale, renewal or correction, in major units or in the currency's smallest unit. */
export const saleTotal = {
  total: eitherMajor(0n, {
    description: 'The total in major units, such as 49.99 or, in yen, 5000. Send `total` or `totalMinor`.',
    example: 49.99,
  }),
  totalMinor: eitherMinor(0n, {
    description: 'Instead of `total`: the total in the smallest unit of the currency (ISO 4217: yen have no decimals).',
    example: 4999,
  }),
};
export const requireTotal = requireOne('total', 'totalMinor');

/** Returns the report with one `total` instead of `total` and `totalMinor`. */
export function soleTotal<Report extends GivenTotals>({ totalMinor, ...report }: Report) {
  return { ...report, total: (report.total ?? totalMinor) as GivenAmount };
}

type GivenTotals = { readonly total?: GivenAmount | undefined; readonly totalMinor?: GivenAmount | undefined };

/** The public opportunity number, which the HTTP layer converts to the opportunity id. */
export const trackingId = id<OpportunityId>({
  description: 'The opportunity, from the response header of the visit.',
  example: 5214909912345678,
});

/**
 * The time of the event. The earliest and latest times depend on the clock and on a setting, so the HTTP layer checks
 * them when the report arrives.
 */
export const occurredAt = optional(
  moment({
    description:
      'When the event occurred, at most `LATE_REPORT_DAYS` days ago (30 by default) and at most five minutes ahead. ' +
      'The default is now. It determines windows, periods and the order of touches. A repeat with another `occurredAt` ' +
      'is still a repeat.',
    example: '2026-11-21T09:30:00Z',
  }),
);

export const couponCode = text(1, MAX_ALIAS_CODE, {
  description: 'A coupon’s code. Case is ignored.',
  example: 'ADA10',
});

/** Returns the description of the header with the public opportunity number, for a request or a response. */
export function opportunityHeader(
  description: string,
  presence: HeaderDescription['presence'] = 'always',
): { readonly OID: HeaderDescription } {
  return { OID: { description, schema: { type: 'string' }, example: '5214909912345678', presence } };
}
