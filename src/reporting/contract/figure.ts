import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, currencyCode, id, integer, optional, text } from '#core/contract/fields.ts';
import { day } from '#core/contract/day-field.ts';
import { operation } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';

const DIMENSIONS = ['day', 'collaborator', 'program', 'source', 'link', 'total'] as const;
const ORDERS = ['revenue', 'earned', 'visits', 'leads', 'sales', 'conversion-rate'] as const;
const MAX_DAYS = 400;
const MAX_ROWS = 1_000;
const ROWS = 100;
const DAY_MS = 86_400_000;

/** The fields of a span of days. `checkSpan` rejects spans that are empty or too long. */
export const daySpan = {
  from: day({ description: 'The first day, in the organization’s time zone.', example: '2026-09-01' }),
  until: day({
    description: `The day after the last day, at most ${MAX_DAYS} days after the first.`,
    example: '2026-10-01',
  }),
};

export function checkSpan({ from, until }: { from: string; until: string }, context: z.RefinementCtx): void {
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS;
  if (days >= 1 && days <= MAX_DAYS) return;
  const message = days < 1 ? 'This must be after `from`.' : `The range is too long. Request at most ${MAX_DAYS} days.`;
  addFault(context, ['until'], 'out-of-range', message);
}

const query = z
  .strictObject({
    ...daySpan,
    by: choice(DIMENSIONS, {
      description:
        'One row for each day, collaborator, program, source of sales or link (the alias of the visits), or one row for all.',
    }),
    collaboratorId: optional(id<CollaboratorId>({ description: 'Only figures of this collaborator.' })),
    programId: optional(id<ProgramId>({ description: 'Only figures of this program.' })),
    source: optional(
      text(1, 64, { description: 'Only sales from this source. Visits have no source, so `visits` is null.' }),
    ),
    highest: optional(
      choice(ORDERS, {
        description:
          'Rows with the highest value of this measure are first. Ties are sorted by revenue. `conversion-rate` is ' +
          'sales per visit, and rows without visits are last. Days stay in their order.',
      }),
      'revenue',
    ),
    currency: optional(
      currencyCode({
        description:
          'The currency in which `revenue`, `earned` and `sales` are compared. By default, amounts are compared in the ' +
          'currency with the most sales and renewals, and `sales` count all currencies.',
      }),
    ),
    converted: optional(
      choice(['true', 'false'], {
        description:
          'Whether rows also have their amounts in the reporting currency. `highest` then compares these amounts.',
        example: 'true',
      }),
      'false',
    ),
    limit: optional(
      integer(1, MAX_ROWS, {
        description: 'The maximum number of rows. `rest` adds up all further rows. Days are always complete.',
        example: ROWS,
      }),
      ROWS,
    ),
  })
  .superRefine(checkSpan);

const amounts = z
  .strictObject({
    currency: shownCurrency(),
    sales: shownInteger({ description: 'Sales in this currency.', example: 6 }),
    revenue: shownAmount({
      description: 'The totals of sales and renewals. A correction counts on its own day.',
      example: 4999,
    }),
    refunded: shownAmount({ description: 'Refunded amounts, on the day of the refund.', example: 0 }),
    earned: shownAmount({
      description: 'Awards minus rejections, reductions and clawbacks, each on the day of its ledger entry.',
    }),
  })
  .meta({ id: 'FigureAmounts', description: 'Figures in one currency.' });

const converted = z
  .strictObject({
    currency: shownCurrency(),
    revenue: shownAmount({ description: 'The revenue in all currencies, converted.', example: 4999 }),
    refunded: shownAmount({ description: 'The refunded amounts in all currencies, converted.', example: 0 }),
    earned: shownAmount({ description: 'The earnings in all currencies, converted.' }),
    withoutRate: z.array(z.string()).meta({
      description: 'The currencies with amounts that are left out, because they have no rate on or before their day.',
      examples: [[]],
    }),
  })
  .meta({
    id: 'ConvertedAmounts',
    description:
      'The amounts in the reporting currency. Each amount is converted with the rate of its day, and each sum is ' +
      'rounded once.',
  });

/** The counts in every row of figures. */
export const counts = {
  visits: shownInteger({
    description:
      'Referred visits. Null in rows by source. In rows by program, a visit counts for each program in which it was ' +
      'a touch.',
    example: 120,
  }).nullable(),
  sales: shownInteger({ description: 'Sales, on the day on which they occurred.', example: 6 }),
  renewals: shownInteger({ description: 'Renewals, on the day on which they occurred.', example: 0 }),
  leads: shownInteger({ description: 'Leads, on the day on which they occurred.', example: 0 }),
  conversions: shownInteger({
    description:
      'Conversions, on the day on which they were created. Conversions that were rejected later are included.',
    example: 6,
  }),
  amounts: z.array(amounts).meta({ description: 'One entry for each currency with figures, sorted by currency.' }),
  converted: converted.optional(),
};

const row = z
  .strictObject({
    day: shownText({ description: 'By day: the day.', example: '2026-09-01' }).optional(),
    collaboratorId: shownId({ description: 'By collaborator or link: the collaborator’s id.', example: 7 }).optional(),
    collaboratorName: shownText({ description: 'The collaborator’s name.', example: 'Ada' }).optional(),
    programId: shownId({ description: 'By program: the program’s id.', example: 3 }).optional(),
    programName: shownText({ description: 'The program’s name.', example: 'Ten percent' }).optional(),
    source: shownText({ description: 'By source: the source.', example: 'shop' }).optional(),
    linkId: shownId({ description: 'By link: the alias’s id. Null means no alias.', example: 11 })
      .nullable()
      .optional(),
    code: shownText({ description: 'The alias’s code.', example: 'ada' }).nullable().optional(),
    type: shownText({ description: 'The alias’s type.', example: 'tracking' }).nullable().optional(),
    pageUrl: shownText({
      description: 'The page that the link opens. Null means the landing page, or no link.',
      example: 'https://shop.example/mugs',
    })
      .nullable()
      .optional(),
    ...counts,
  })
  .meta({ id: 'FigureRow', description: 'Figures of one day, collaborator, program, source or link, or of all.' });

const rest = z
  .strictObject({
    rows: shownInteger({ description: 'The number of rows that are not listed.', example: 17 }),
    ...counts,
  })
  .meta({ id: 'FigureCounts', description: 'The sum of the rows that are not listed.' });

export const figures = z
  .strictObject({
    from: shownText({ description: 'The first day.', example: '2026-09-01' }),
    until: shownText({ description: 'The day after the last day.', example: '2026-10-01' }),
    by: shownChoice(DIMENSIONS, { description: 'The grouping of the rows.', example: 'day' }),
    timeZone: shownText({ description: 'The time zone of the days.', example: 'Europe/Berlin' }),
    computedAt: shownTime({ description: 'The figures include all reports up to this moment.' }),
    rows: z.array(row).meta({
      description:
        'Days are in order. Other rows are sorted by `highest`, with the highest value first. Amounts are compared in ' +
        '`currency`, or in the currency with the most sales and renewals.',
    }),
    rest: rest.nullable(),
  })
  .meta({ id: 'Figures', description: 'The results of referred visits in a period.' });

export const getFigures = operation({
  method: 'GET',
  path: '/v1/figures',
  tag: 'Figures',
  summary: 'Get figures',
  description:
    'Returns visits, sales, revenue, refunds and earnings, by day, collaborator, program, source or link. The ' +
    'figures are exact, and include all reports up to `computedAt`. Days are in the organization’s time zone. To ' +
    'compare with an earlier period, request that period as well. In rows by collaborator, program or link, a ' +
    'transaction counts in each row that has a conversion on it. These rows may therefore add up to more than the total.',
  scope: 'resources:read',
  query,
  mayLag: true,
  success: { description: 'The figures.', body: figures, example: { rest: null } },
});
