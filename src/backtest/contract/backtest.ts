import { z } from 'zod';
import { choice, id, list, object, optional, optionalList, text } from '#core/contract/fields.ts';
import { day } from '#core/contract/day-field.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { fileHeaders, operationsOf } from '#core/contract/operation.ts';
import { NOT_BLANK } from '#core/contract/text.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownNumber,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';
import type { BacktestId, CollaboratorId, ProgramId } from '#core/ids.ts';
import { LINE_TYPES } from '#programs/domain/line.ts';
import { newProgram, programChange, shownProgram } from '#programs/contract/program.ts';
import {
  BACKTEST_FAILURES,
  BACKTEST_STATUSES,
  MAX_BACKTEST_DAYS,
  MAX_DRAFTS,
  MAX_ENDED,
  MAX_ENROLLED,
  MAX_UNFINISHED,
} from '../domain/backtest-run.ts';
import { MAX_DIFFERING, MAX_EXPLAINED, MAX_HANDS, MAX_LINES, MAX_PARTNERS } from '../domain/backtest.ts';
import { BACKTEST_COLUMNS } from '../domain/backtest-rows.ts';

const operation = operationsOf('Backtests');
const MAX_DRAFT_NAME = 60;
const DAY_MS = 86_400_000;

const FROM = 'The first day of the period, in the organization’s time zone.';
const UNTIL = 'The day after the last day of the period.';
const STATUS =
  '`queued → running → succeeded` or `failed`. A backtest that is queued or running can become `canceled`. A ' +
  'running backtest that must be run again becomes `queued`.';
const FAILURE =
  'The reason why the backtest failed, otherwise null. `too-many-transactions`: the period, or the history on which it ' +
  'depends, has too many transactions. `copy-took-too-long`: the reports could not be copied in time. ' +
  '`result-too-large`: the results of all drafts together are too large. `interrupted`: the backtest was run three ' +
  'times and never finished.';
const NAME = 'The name of the draft. The default is `Draft 1`, `Draft 2` and so on.';
const ENROLLED =
  'The collaborators who are enrolled, for a draft with `enrollment` set to `selected`. By default, the enrollments of ' +
  'the program as they were recorded. A new program has no enrollments by default.';

const summary = {
  id: shownId({ description: 'The backtest’s id.', example: 4 }),
  programId: shownId({
    description: 'The program of the drafts. Null for drafts of a new program.',
    example: 5,
  }).nullable(),
  programVersion: shownInteger({
    description: 'The version of the program on which the drafts are based. Null for drafts of a new program.',
    example: 2,
  }).nullable(),
  from: shownText({ description: FROM, example: '2026-01-01' }),
  until: shownText({ description: UNTIL, example: '2026-07-01' }),
  status: shownChoice(BACKTEST_STATUSES, { description: STATUS, example: 'succeeded' }),
  progress: shownInteger({ description: 'The progress in percent.', example: 100 }),
  failure: shownChoice(BACKTEST_FAILURES, { description: FAILURE })
    .nullable()
    .meta({ examples: [null] }),
  author: shownText({ description: 'Who started it, as in the audit log.', example: 'person 5' }),
  createdAt: shownTime({ description: 'When it was started by a call.' }),
  startedAt: shownTime({ description: 'When a worker last began to run it. Null if no worker has begun.' }).nullable(),
  endedAt: shownTime({ description: 'When it ended. Null while it is queued or running.' }).nullable(),
};

const compared = {
  currency: shownCurrency(),
  recorded: shownAmount({ description: 'The commissions in the books.', example: 1900 }),
  drafted: shownAmount({ description: 'The commissions with the terms of the draft.', example: 3800 }),
};
const revenue = shownAmount({
  description: 'The totals of the transactions, after corrections and less refunds.',
  example: 19_000,
});

const partner = z.strictObject({
  collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
  collaboratorName: shownText({ description: 'The collaborator’s name.', example: 'Ada' }),
});

const sale = {
  transactionId: shownId({ description: 'The transaction.', example: 31 }),
  source: shownText({ description: 'The source under which it was reported.', example: 'shop' }),
  externalId: shownText({ description: 'The id under which it was reported.', example: 'order-1001' }),
};

const percentOfRevenue = (of: string) =>
  shownNumber({
    description: `The ${of} commissions in percent of the revenue, rounded down to four decimals. Null without revenue.`,
    example: 10,
  }).nullable();

const draftResult = z
  .strictObject({
    totals: z
      .array(
        z.strictObject({
          ...compared,
          revenue,
          recordedPercent: percentOfRevenue('recorded'),
          draftedPercent: percentOfRevenue('drafted'),
          gaining: shownInteger({ description: 'The number of collaborators who would earn more.', example: 2 }),
          losing: shownInteger({ description: 'The number of collaborators who would earn less.', example: 0 }),
          changingHands: shownInteger({
            description:
              'The number of transactions with commissions in the books and in the draft that would credit other ' +
              'collaborators.',
            example: 0,
          }),
        }),
      )
      .meta({ description: 'One row for each currency.' }),
    collaborators: z.array(partner.extend(compared)).meta({
      description: `The collaborators with the largest differences, up to ${MAX_PARTNERS} for each currency.`,
    }),
    months: z
      .array(
        z.strictObject({
          month: shownText({ description: 'The month, in the organization’s time zone.', example: '2026-03' }),
          ...compared,
          revenue,
        }),
      )
      .meta({ description: 'One row for each month and currency.' }),
    lines: z
      .array(
        z.strictObject({
          name: shownText({
            description: 'The name of the lines. Null for all other lines together.',
            example: 'Tea',
          }).nullable(),
          type: shownChoice(LINE_TYPES, { description: 'Their type. Null for all other lines together.' })
            .nullable()
            .meta({ examples: ['product'] }),
          ...compared,
        }),
      )
      .meta({
        description: `The lines of orders with the largest commissions, up to ${MAX_LINES} for each currency.`,
      }),
    changedHands: z
      .array(
        z.strictObject({
          ...sale,
          ...compared,
          recordedEarners: z.array(partner).meta({ description: 'The collaborators with a recorded commission.' }),
          draftedEarners: z.array(partner).meta({ description: 'The collaborators with a commission in the draft.' }),
        }),
      )
      .meta({
        description:
          'The transactions with commissions in the books and in the draft that would credit other collaborators. ' +
          `The transactions with the largest differences are listed, up to ${MAX_HANDS} for each currency.`,
      }),
    differences: z
      .array(
        z.strictObject({
          ...sale,
          ...compared,
          recordedText: shownText({
            description: 'The explanation of the recorded decision.',
            example: 'Sale “order-1001” from “shop” (transaction 31): 10.00 USD earned.',
          }),
          draftedText: shownText({
            description: 'The explanation of the decision with the terms of the draft.',
            example: 'Sale “order-1001” from “shop” (transaction 31): 20.00 USD earned.',
          }),
        }),
      )
      .meta({
        description:
          `The transactions with the largest differences, up to ${MAX_DIFFERING} for each currency and ` +
          `${MAX_EXPLAINED} in total.`,
      }),
  })
  .meta({ id: 'BacktestDraftResult', description: 'What a draft would have paid, compared with the books.' });

const backtest = z
  .strictObject({
    ...summary,
    decided: shownInteger({
      description: 'The number of transactions that were decided again. Null without a result.',
      example: 120,
    }).nullable(),
    leftOut: shownInteger({
      description:
        'The number of transactions that keep their recorded decisions, because they can’t be decided again. Null ' +
        'without a result.',
      example: 0,
    }).nullable(),
    drafts: z
      .array(
        z.strictObject({
          name: shownText({ description: NAME, example: 'Draft 1' }),
          terms: z.strictObject(shownProgram).meta({
            id: 'DraftTerms',
            description:
              'All terms of the draft. `PATCH /v1/programs/{id}` and `POST /v1/programs` accept them as they are.',
          }),
          collaboratorIds: z
            .array(z.int())
            .nullable()
            .meta({ description: ENROLLED, examples: [null] }),
          result: draftResult.nullable(),
        }),
      )
      .meta({ description: 'The drafts, with their results once the backtest has succeeded.' }),
  })
  .meta({ id: 'Backtest', description: 'The decision of past transactions with the terms of one or more drafts.' });

const listed = z
  .strictObject({
    ...summary,
    draftNames: z.array(z.string()).meta({ description: 'The names of the drafts.', examples: [['Draft 1']] }),
  })
  .meta({ id: 'BacktestSummary', description: 'A backtest without its terms and its result.' });

const draftName = text(1, MAX_DRAFT_NAME, { description: NAME, example: 'Twelve percent' }, NOT_BLANK);
const collaboratorIds = optionalList(id<CollaboratorId>({ description: 'A collaborator’s id.', example: 7 }), {
  max: MAX_ENROLLED,
  description: ENROLLED,
});
const period = {
  from: day({ description: FROM, example: '2026-01-01' }),
  until: day({ description: `${UNTIL} At most ${MAX_BACKTEST_DAYS} days after \`from\`.`, example: '2026-07-01' }),
};
/** The days that a period can have. The database can't compare later days as instants. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '2200-01-01'];

function checkPeriod({ from, until }: { from: string; until: string }, context: z.RefinementCtx): void {
  for (const [field, value] of Object.entries({ from, until })) {
    if (value >= FIRST_DAY && value <= LAST_DAY) continue;
    const message = `This must be from ${FIRST_DAY} to ${LAST_DAY}.`;
    context.addIssue({ code: 'custom', path: [field], message, params: { code: 'out-of-range' } });
    return;
  }
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS;
  if (days >= 1 && days <= MAX_BACKTEST_DAYS) return;
  const message =
    days < 1 ? 'This must be after `from`.' : `The period is too long. It can have at most ${MAX_BACKTEST_DAYS} days.`;
  context.addIssue({ code: 'custom', path: ['until'], message, params: { code: 'out-of-range' } });
}

const WITH_SOUND_DAYS = {
  when: ({ value }: { readonly value: unknown }) =>
    typeof (value as { from?: unknown }).from === 'string' && typeof (value as { until?: unknown }).until === 'string',
};

/** Returns the body of a call that starts a backtest of drafts with the given fields of terms. */
function bodyOf<Terms extends z.ZodRawShape>(terms: Terms) {
  return object({
    ...period,
    drafts: list(object({ name: optional(draftName), terms: object(terms), collaboratorIds }), {
      min: 1,
      max: MAX_DRAFTS,
      description: 'The drafts, which are compared with the books side by side.',
    }),
  }).superRefine(checkPeriod, WITH_SOUND_DAYS);
}

const BOUNDS =
  `At most ${MAX_UNFINISHED} backtests of an organization can be queued or running, and at most one is ` +
  `running. Starting a backtest deletes the ended backtests except the newest ${MAX_ENDED - 1}.`;

const params = z.object({ id: id<BacktestId>({ description: 'The backtest’s id.', example: 4 }) });

export const backtestProgram = operation({
  method: 'POST',
  path: '/v1/programs/{id}/backtest',
  summary: 'Backtest drafts of a program',
  description:
    'Starts to decide the transactions of a period again with changed terms of a program, and compares the commissions ' +
    'with the books. Writes nothing to the books. The `terms` of a draft are fields of `changeProgram`. Fields that ' +
    'are absent keep their current values, except `status`, which is `active` by default. To read the progress and ' +
    `the result, call \`getBacktest\`. ${BOUNDS}`,
  scope: 'resources:write',
  params: z.object({ id: id<ProgramId>({ description: 'The program’s id.', example: 5 }) }),
  example: {
    from: '2026-01-01',
    until: '2026-07-01',
    drafts: [{ name: 'Twelve percent', terms: { reward: { type: 'percent', percent: 12 } } }],
  },
  body: bodyOf(programChange),
  success: {
    status: 201,
    description: 'The queued backtest.',
    body: backtest,
    example: { status: 'queued', progress: 0, decided: null, leftOut: null },
  },
  problems: ['invalid-transition', 'too-many-backtests', 'backtests-unavailable'],
});

export const createBacktest = operation({
  method: 'POST',
  path: '/v1/backtests',
  summary: 'Backtest drafts of a new program',
  description:
    'Starts a backtest of a program that doesn’t exist yet, in addition to the existing programs. The `terms` of a ' +
    `draft are fields of \`createProgram\`. In all other respects, the call works like \`backtestProgram\`. ${BOUNDS}`,
  scope: 'resources:write',
  example: {
    from: '2026-01-01',
    until: '2026-07-01',
    drafts: [{ terms: { name: 'Friends', reward: { type: 'percent', percent: 5 } } }],
  },
  body: bodyOf(newProgram),
  success: {
    status: 201,
    description: 'The queued backtest.',
    body: backtest,
    example: { programId: null, programVersion: null, status: 'queued', progress: 0, decided: null, leftOut: null },
  },
  problems: ['too-many-backtests', 'backtests-unavailable'],
});

export const listBacktests = operation({
  method: 'GET',
  path: '/v1/backtests',
  summary: 'List backtests',
  description: `Lists the backtests, newest first. ${BOUNDS}`,
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {
    programId: id<ProgramId>({ description: 'Backtests of drafts of this program.' }),
    status: choice(BACKTEST_STATUSES, { description: 'Backtests in this state.' }),
  }),
  success: listSuccess(listed, 'Backtests.'),
  problems: ['invalid-request'],
});

export const getBacktest = operation({
  method: 'GET',
  path: '/v1/backtests/{id}',
  summary: 'Get a backtest',
  description:
    'Returns a backtest with its drafts, its progress and, once it has succeeded, the results. Amounts are what the ' +
    'commissions are worth today, after refunds, corrections and rejections.',
  scope: 'resources:read',
  // A result can have millions of characters.
  isPaced: true,
  params,
  success: { description: 'The backtest.', body: backtest },
});

export const exportBacktest = operation({
  method: 'GET',
  path: '/v1/backtests/{id}/export',
  summary: 'Export a backtest as CSV',
  description:
    'Returns all tables of the results as one CSV file for spreadsheets. The column `table` is `total`, ' +
    '`collaborator`, `month`, `line`, `changed-hands` or `difference`. Amounts are in major units.',
  scope: 'resources:read',
  isPaced: true,
  params,
  success: {
    description: 'The file, in UTF-8 with a byte order mark.',
    csv: true,
    example: `${BACKTEST_COLUMNS.join(',')}\r\n`,
    headers: fileHeaders('backtest-4.csv'),
  },
  problems: ['invalid-transition'],
});

export const cancelBacktest = operation({
  method: 'POST',
  path: '/v1/backtests/{id}/cancel',
  reader: getBacktest,
  summary: 'Cancel a backtest',
  description:
    'Cancels a backtest that is queued or running. A running backtest usually stops within seconds. Repeating the ' +
    'call changes nothing.',
  scope: 'resources:write',
  params,
  success: {
    description: 'The canceled backtest.',
    body: backtest,
    example: { status: 'canceled', progress: 40, decided: null, leftOut: null },
  },
  problems: ['invalid-transition'],
});
