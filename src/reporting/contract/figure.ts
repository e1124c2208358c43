import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { z } from 'zod';
import {
  choice,
  currencyCode,
  field,
  type Field,
  id,
  integer,
  optional,
  refusal,
  text,
} from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
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

/** Returns a field for a calendar day as text, such as `2026-09-01`. The day must exist and have a four-digit year. */
function day(described: { readonly description: string; readonly example: string }): Field<string> {
  return field({ type: 'string', format: 'date' }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    const isDay = /^[1-9]\d{3}-\d\d-\d\d$/.test(value) && isThere(value);
    return isDay ? value : refusal('invalid-format', 'This must be a day, such as 2026-09-01.');
  });
}

/** Returns whether the day exists. 30 February, for example, doesn't. */
function isThere(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The fields of a span of days. `refuseSpan` rejects spans that are empty or too long. */
export const daySpan = {
  from: day({ description: 'The first day, in UTC.', example: '2026-09-01' }),
  until: day({
    description: `The day after the last one: at most ${MAX_DAYS} days after the first.`,
    example: '2026-10-01',
  }),
};

export function refuseSpan({ from, until }: { from: string; until: string }, context: z.RefinementCtx): void {
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS;
  if (days >= 1 && days <= MAX_DAYS) return;
  const message = days < 1 ? 'This must be after `from`.' : `At most ${MAX_DAYS} days can be told at once.`;
  context.addIssue({ code: 'custom', path: ['until'], message, params: { code: 'out-of-range' } });
}

const query = z
  .strictObject({
    ...daySpan,
    by: choice(DIMENSIONS, {
      description:
        'A row for each day, collaborator, program, source of sales, link (an alias by which visitors came), or one for all.',
    }),
    collaboratorId: optional(id<CollaboratorId>({ description: 'What is this collaborator’s.' })),
    programId: optional(id<ProgramId>({ description: 'What is this program’s.' })),
    source: optional(text(1, 64, { description: 'What was sold at this source. Visits have none: they are null.' })),
    highest: optional(
      choice(ORDERS, {
        description:
          'Rows with the highest of this come first, and of as much those with the highest revenue. `conversion-rate`: sales ' +
          'for each visit; without visits last. Days stay in their order.',
      }),
      'revenue',
    ),
    currency: optional(
      currencyCode({
        description: 'In which `revenue` and `earned` are compared; unless given the one in which most is sold.',
      }),
    ),
    limit: optional(
      integer(1, MAX_ROWS, {
        description: 'Rows at most; `rest` adds up what is beyond. Days are all told.',
        example: ROWS,
      }),
      ROWS,
    ),
  })
  .superRefine(refuseSpan);

const amounts = z
  .strictObject({
    currency: shownCurrency(),
    revenue: shownAmount({ description: 'The totals of sales and renewals.', example: 4999 }),
    refunded: shownAmount({ description: 'What went back, on the day on which it did.', example: 0 }),
    earned: shownAmount({
      description:
        'What was awarded, less what was rejected, reduced or clawed back, each on the day of its entry in the ledger.',
    }),
  })
  .meta({ id: 'FigureAmounts', description: 'Figures in one currency.' });

/** The counts in every row of figures. */
export const counts = {
  visits: shownInteger({
    description: 'Referred visits; null by source. By program those that touched it: one visit may touch several.',
    example: 120,
  }).nullable(),
  sales: shownInteger({ description: 'Sales, by the time of their report.', example: 6 }),
  renewals: shownInteger({ description: 'Renewals, likewise.', example: 0 }),
  leads: shownInteger({ description: 'Leads, likewise.', example: 0 }),
  conversions: shownInteger({ description: 'Conversions that were made, whatever became of them.', example: 6 }),
  amounts: z.array(amounts).meta({ description: 'For each currency that has any, by currency.' }),
};

const row = z
  .strictObject({
    day: shownText({ description: 'By day: which one.', example: '2026-09-01' }).optional(),
    collaboratorId: shownId({ description: 'By collaborator or link: whose.', example: 7 }).optional(),
    collaboratorName: shownText({ description: 'Their name.', example: 'Ada' }).optional(),
    programId: shownId({ description: 'By program: which one.', example: 3 }).optional(),
    programName: shownText({ description: 'Its name.', example: 'Ten percent' }).optional(),
    source: shownText({ description: 'By source: which one.', example: 'shop' }).optional(),
    linkId: shownId({ description: 'By link: the alias; null: by none.', example: 11 }).nullable().optional(),
    code: shownText({ description: 'Its code.', example: 'ada' }).nullable().optional(),
    ...counts,
  })
  .meta({ id: 'FigureRow', description: 'Figures of one day, collaborator, program, source or link, or of all.' });

const rest = z
  .strictObject({
    rows: shownInteger({ description: 'How many rows are added up in it.', example: 17 }),
    ...counts,
  })
  .meta({ id: 'FigureCounts', description: 'Figures of what has no row of its own.' });

export const figures = z
  .strictObject({
    from: shownText({ description: 'The first day.', example: '2026-09-01' }),
    until: shownText({ description: 'The day after the last one.', example: '2026-10-01' }),
    by: shownChoice(DIMENSIONS, { description: 'What the rows are.', example: 'day' }),
    computedAt: shownTime({ description: 'What was reported up to this moment is in it.' }),
    rows: z.array(row).meta({
      description:
        'Days in their order; else the highest of what `highest` names first, amounts in `currency` or the one in which most ' +
        'is sold.',
    }),
    rest: rest.nullable(),
  })
  .meta({ id: 'Figures', description: 'What came of referred visits in a span of days.' });

export const getFigures = operation({
  method: 'GET',
  path: '/v1/figures',
  tag: 'Figures',
  summary: 'Get figures',
  description:
    'Visits, sales, revenue, refunds and what was earned, by day, collaborator, program, source or link: exact, and up to now. ' +
    'Days are those of UTC. To compare with the days before, ask for those as well. By collaborator, program and link a ' +
    'transaction counts once for each that has a conversion of it, so these rows may add up to more than the total.',
  scope: 'resources:read',
  keys: ['secret'],
  query,
  mayLag: true,
  success: {
    status: 200,
    description: 'The figures.',
    body: figures,
    example: { rest: null },
  },
  problems: ['invalid-request'],
});
