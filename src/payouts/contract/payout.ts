import type { PayoutId } from '#core/ids.ts';
import { FLAG_RESOLUTIONS, PAYOUT_STATUSES, RESOLUTIONS, REVIEW_STATES } from '../domain/payout.ts';
import { z } from 'zod';
import {
  choice,
  currencyCode,
  id,
  integer,
  list,
  object,
  optional,
  optionalList,
  text,
} from '#core/contract/fields.ts';
import { idsFilter, listQuery, listSuccess, stateFilter } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';
import { FLAG_REASONS } from '#ledger/domain/obligation.ts';

const tag = 'Payouts';
const MAX_IN_BULK = 1_000;
/** A limit on the `reasons` field, far above the number of reasons of any payout. */
const MAX_REASONS = 1_000_000;
/** The largest number of payouts in one export, since the file is built in memory as a whole. */
export const MAX_EXPORTED = 100_000;

const flag = z
  .strictObject({
    transactionId: shownId({ description: 'The sale that was refunded.', example: 31 }),
    conversionId: shownId({ description: 'What was earned with it.', example: 41 }),
    obligationId: shownId({ description: 'What is in the payout for it.', example: 51 }),
    amount: shownAmount({ description: 'How much of it is not owed any more.' }),
    reason: shownChoice(FLAG_REASONS, { description: 'What happened.' }),
    resolution: shownChoice(FLAG_RESOLUTIONS, {
      description: 'What the review said; `void`: the payout became void. Absent: it is open.',
    }).optional(),
    note: shownText({ description: 'The reviewer’s words.', example: 'Paid before the return' }).optional(),
    author: shownText({ description: 'Whose call resolved it.', example: 'key 3' }).optional(),
    createdAt: shownTime({ description: 'Since when.' }),
    resolvedAt: shownTime({ description: 'When it was resolved.' }).optional(),
  })
  .meta({ id: 'PayoutFlag', description: 'Why a payout is looked at by a person: money in it went back.' });

export const payout = z
  .strictObject({
    id: shownId({ description: 'The payout’s id.', example: 61 }),
    fulfillmentId: shownId({ description: 'The run that it is in.', example: 71 }),
    collaboratorId: shownId({ description: 'Whom it pays.', example: 7 }),
    amount: shownAmount({ description: 'What its obligations add up to; 0 when void.' }),
    currency: shownCurrency(),
    status: shownChoice(PAYOUT_STATUSES, {
      description: '`unpaid ⇄ paid`, `unpaid → void` (its run failed, or a review left nothing of it).',
    }),
    review: z
      .strictObject({
        state: shownChoice(REVIEW_STATES, { description: 'A flagged payout can’t be marked paid.' }),
        reasons: z.array(flag).meta({ description: 'Oldest first.', examples: [[]] }),
      })
      .meta({ description: 'Whether somebody has to look at it, and why.' }),
    paidAt: shownTime({ description: 'When it was marked paid.' }).nullable(),
    createdAt: shownTime({ description: 'Since when.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Payout', description: 'One collaborator’s line in a payout run.' });

const fulfillmentId = id({ description: 'Payouts of this run.', example: 71 });
const status = choice(PAYOUT_STATUSES, { description: 'Payouts in this state.' });
const currency = currencyCode({ description: 'Payouts in this currency.' });

export const listPayouts = operation({
  method: 'GET',
  path: '/v1/payouts',
  tag,
  summary: 'List payouts',
  description: 'Payouts of all runs.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(
    ['id', 'amount', 'createdAt', 'updatedAt'],
    {
      ids: idsFilter,
      fulfillmentId,
      collaboratorId: id({ description: 'Payouts to this collaborator.' }),
      status: stateFilter('Payouts', PAYOUT_STATUSES, ['processing', 'failed']),
      review: choice(REVIEW_STATES, { description: 'Payouts in this state of review.' }),
      currency,
    },
    ['paidAt'],
  ),
  success: listSuccess(payout, 'Payouts.'),
  problems: ['invalid-request'],
});

const params = z.object({ id: id<PayoutId>({ description: 'The payout’s id.', example: 61 }) });

export const getPayout = operation({
  method: 'GET',
  path: '/v1/payouts/{id}',
  tag,
  summary: 'Get a payout',
  description: 'One collaborator’s line in a run; what it pays is listed by /v1/obligations with `payoutId`.',
  scope: 'resources:read',
  keys: ['secret'],
  params,
  success: { status: 200, description: 'The payout.', body: payout },
  problems: ['not-found'],
});

export const markPayoutPaid = operation({
  method: 'POST',
  path: '/v1/payouts/{id}/mark-paid',
  reader: getPayout,
  tag,
  summary: 'Mark a payout as paid',
  description:
    'The money has left. Works while its run is pending or processing, and not while the payout is flagged for review or a ' +
    'refund of what it pays is not worked in yet. The same call again changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  params,
  success: {
    status: 200,
    description: 'The payout as it is now.',
    body: payout,
    example: { status: 'paid', paidAt: '2026-12-01T08:00:00.000Z' },
  },
  problems: ['not-found', 'under-review', 'invalid-transition'],
});

export const markPayoutUnpaid = operation({
  method: 'POST',
  path: '/v1/payouts/{id}/mark-unpaid',
  reader: getPayout,
  tag,
  summary: 'Mark a payout as unpaid',
  description:
    'The money came back. Works while its run is pending or processing, and not once a review has clawed money of it back ' +
    'as paid. The same call again changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  params,
  success: { status: 200, description: 'The payout as it is now.', body: payout },
  problems: ['not-found', 'invalid-transition'],
});

const manyIds = list(id<PayoutId>({ description: 'A payout’s id.', example: 61 }), {
  min: 1,
  max: MAX_IN_BULK,
  description: 'Which; one that comes twice counts once.',
});

function outcomesOf<const Outcome extends string>(outcomes: readonly Outcome[]) {
  return z.array(
    z.strictObject({
      id: shownId({ description: 'The payout’s id.', example: 61 }),
      outcome: shownChoice(outcomes, { description: 'What became of it; `unchanged`: it was so already.' }),
      status: shownChoice(PAYOUT_STATUSES, { description: 'The state it is in now.' }).optional(),
    }),
  );
}

const MARKS = ['mark-paid', 'mark-unpaid'] as const;
const MARK_OUTCOMES = ['changed', 'unchanged', 'under-review', 'invalid-transition', 'not-found'] as const;
export type ShownMarkOutcome = (typeof MARK_OUTCOMES)[number];

export const markPayouts = operation({
  method: 'POST',
  path: '/v1/payouts/bulk',
  tag,
  summary: 'Mark payouts as paid or unpaid',
  description:
    'Marks up to 1,000 payouts at once, each as the single call would; those that can’t be are told and stay as they are. ' +
    'One outcome for each id, in the order of the request; an id that comes twice counts once.',
  scope: 'resources:write',
  keys: ['secret'],
  body: object({
    action: choice(MARKS, { description: 'What to do with each.' }),
    ids: manyIds,
  }),
  success: {
    status: 200,
    description: 'What became of each, in the order of `ids`.',
    body: outcomesOf(MARK_OUTCOMES),
  },
  problems: [],
});

const review = {
  resolution: choice(RESOLUTIONS, { description: 'Pay it all the same, or take it back.' }),
  note: text(1, 1_000, { description: 'Why, for the record.', example: 'Paid before the return' }),
};

/** A count is enough to identify the seen reasons, because reasons are added but never removed. */
const reasons = integer(0, MAX_REASONS, {
  description: 'How many reasons its `review.reasons` had, resolved ones as well.',
  example: 1,
});

export const reviewPayout = operation({
  method: 'POST',
  path: '/v1/payouts/{id}/review',
  reader: getPayout,
  tag,
  summary: 'Review a flagged payout',
  description:
    'Resolves all its open reasons. `keep` pays the money all the same. `claw-back` takes it out of an unpaid payout, which ' +
    'becomes void where nothing is left; for a paid one it becomes a negative obligation, which the next run nets. The same ' +
    'review again changes nothing; any other of a payout that is not flagged is refused. With `seen` nothing is decided that ' +
    'you have not read: where a reason came since, it is a 412.',
  scope: 'resources:write',
  keys: ['secret'],
  params,
  body: object({
    ...review,
    seen: object({ reasons })
      .meta({
        description: 'What you decide by: the payout as you read it. Without it all is decided that is open by now.',
      })
      .nullish()
      .transform((value) => value ?? undefined),
  }),
  success: { status: 200, description: 'The payout as it is now.', body: payout },
  problems: ['not-found', 'invalid-transition', 'precondition-failed'],
});

const REVIEW_OUTCOMES = ['changed', 'unchanged', 'precondition-failed', 'invalid-transition', 'not-found'] as const;
export type ShownReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

export const reviewManyPayouts = operation({
  method: 'POST',
  path: '/v1/payouts/review',
  tag,
  summary: 'Review many flagged payouts',
  description:
    'Reviews up to 1,000 payouts at once with one resolution and note, each as the single call would; those that can’t be ' +
    'are told and stay as they are. One outcome for each id, in the order of the request; an id that comes twice counts once. ' +
    'With `seen` nothing is decided that you have not read: a payout with a reason that came since is `precondition-failed`.',
  scope: 'resources:write',
  keys: ['secret'],
  body: object({
    ...review,
    ids: manyIds,
    seen: optionalList(object({ id: id<PayoutId>({ description: 'One of `ids`.', example: 61 }), reasons }), {
      max: MAX_IN_BULK,
      description:
        'What you decide by: payouts as you read them. Of one that is not here all is decided that is open by now.',
    }),
  }).superRefine(({ ids, seen = [] }, context) => {
    const asked = new Set(ids);
    for (const [at, { id: payoutId }] of seen.entries()) {
      // Deletes each id when it is found, so that a duplicate is refused as well.
      if (!asked.delete(payoutId)) context.addIssue({ ...UNASKED, path: ['seen', at, 'id'] });
    }
  }),
  success: {
    status: 200,
    description: 'What became of each, in the order of `ids`.',
    body: outcomesOf(REVIEW_OUTCOMES),
  },
  problems: [],
});

const UNASKED = {
  code: 'custom',
  message: 'This must be one of `ids`, each once.',
  params: { code: 'unknown-value' },
} as const;

export const exportPayouts = operation({
  method: 'POST',
  path: '/v1/payouts/export',
  tag,
  summary: 'Export payouts as CSV',
  description:
    'A file for a spreadsheet: payoutId, fulfillmentId, collaboratorId, name, email, amount (major units, two decimals), ' +
    'currency, status, review, paidAt; the oldest first. At most 100,000 payouts; more is a 422: filter by run.',
  scope: 'resources:read',
  keys: ['secret'],
  example: { fulfillmentId: 71 },
  body: object({
    fulfillmentId: optional(fulfillmentId),
    status: optional(status),
    currency: optional(currency),
  }),
  repeats: 'none',
  success: {
    status: 200,
    description: 'The file, in UTF-8 with a byte order mark.',
    csv: true,
    example:
      'payoutId,fulfillmentId,collaboratorId,name,email,amount,currency,status,review,paidAt\r\n' +
      '61,71,7,Ada Lovelace,ada@example.com,5.00,USD,unpaid,none,\r\n',
    headers: {
      'Content-Disposition': {
        description: 'Saves it as a file.',
        schema: { type: 'string' },
        example: 'attachment; filename="payouts.csv"',
      },
    },
  },
  problems: [],
});
