import type { PayoutId } from '#core/ids.ts';
import { FLAG_RESOLUTIONS, MAX_SHOWN_REASONS, PAYOUT_STATUSES, RESOLUTIONS, REVIEW_STATES } from '../domain/payout.ts';
import { payeeMethod } from '#collaborators/contract/payout-details.ts';
import { PAYEE_METHODS } from '#collaborators/domain/payout-details.ts';
import { z } from 'zod';
import { choice, currencyCode, id, integer, object, optional, optionalList, text } from '#core/contract/fields.ts';
import { bulkIds, MAX_IN_BULK } from '#core/contract/bulk-ids.ts';
import { idsFilter, listQuery, listSuccess, stateFilter } from '#core/contract/list.ts';
import { fileHeaders, operationsOf } from '#core/contract/operation.ts';
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
import { FLAG_REASONS } from '#ledger/domain/obligation.ts';

const operation = operationsOf('Payouts');
/** The maximum value of the field `reasons`. It is far above the number of reasons that a payout can have. */
const MAX_REASONS = 1_000_000;
/** The maximum number of payouts in one export. */
export const MAX_EXPORTED = 100_000;

const flag = z
  .strictObject({
    transactionId: shownId({ description: 'The transaction of the conversion.', example: 31 }),
    conversionId: shownId({ description: 'The conversion that was refunded, corrected or rejected.', example: 41 }),
    obligationId: shownId({ description: 'The obligation for the conversion in the payout.', example: 51 }),
    amount: shownAmount({
      description:
        'The part that is no longer owed. It shrinks if a reversed refund or a correction makes a part owed again. If ' +
        '`resolution` is `withdrawn`, this is the original amount.',
    }),
    reason: shownChoice(FLAG_REASONS, { description: 'Why the payout was flagged.' }),
    resolution: shownChoice(FLAG_RESOLUTIONS, {
      description:
        'The outcome of the review. `void`: the payout became void. `withdrawn`: a reversed refund or ' +
        'a correction made the amount owed again. Absent while the flag is open.',
    }).optional(),
    note: shownText({ description: 'The reviewer’s note.', example: 'Paid before the refund' }).optional(),
    author: shownText({ description: 'The caller that resolved the flag.', example: 'key 3' }).optional(),
    createdAt: shownTime({ description: 'When it was created.' }),
    resolvedAt: shownTime({ description: 'When it was resolved.' }).optional(),
  })
  .meta({
    id: 'PayoutFlag',
    description: 'A refund, correction or rejection that a person must review before the payout can be paid.',
  });

export const payout = z
  .strictObject({
    id: shownId({ description: 'The payout’s id.', example: 61 }),
    fulfillmentId: shownId({ description: 'The payout run.', example: 71 }),
    collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
    amount: shownAmount({ description: 'The sum of the payout’s obligations. 0 if the payout is void.' }),
    currency: shownCurrency(),
    payoutMethod: payeeMethod,
    status: shownChoice(PAYOUT_STATUSES, {
      description:
        '`unpaid ⇄ paid`. Both can become `void`: the run or the payment failed, or a review left nothing to pay.',
    }),
    review: z
      .strictObject({
        state: shownChoice(REVIEW_STATES, { description: 'A flagged payout can’t be marked as paid.' }),
        reasons: z.array(flag).meta({
          description: `The newest ${MAX_SHOWN_REASONS} reasons for the review, sorted oldest first.`,
          examples: [[]],
        }),
        reasonCount: shownInteger({
          description: 'The number of all reasons, including resolved reasons and reasons that `reasons` omits.',
        }),
        openCount: shownInteger({ description: 'The number of open reasons, including reasons that `reasons` omits.' }),
        openAmount: shownAmount({
          description: 'The total of the open reasons: the amount that a person must keep or claw back.',
        }),
      })
      .meta({ description: 'Whether a person must review the payout, and why.' }),
    paidAt: shownTime({ description: 'When it was marked as paid.' }).nullable(),
    failure: shownText({
      description: 'Why the payment failed. Null unless a failed payment made the payout void.',
      example: 'Account closed',
    }).nullable(),
    createdAt: shownTime({ description: 'When it was created.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Payout', description: 'One collaborator’s part of a payout run.' });

const fulfillmentId = id({ description: 'Payouts of this run.', example: 71 });
const status = choice(PAYOUT_STATUSES, { description: 'Payouts in this state.' });
const currency = currencyCode({ description: 'Payouts in this currency.' });

export const listPayouts = operation({
  method: 'GET',
  path: '/v1/payouts',
  summary: 'List payouts',
  description: 'Lists the payouts of all runs.',
  scope: 'resources:read',
  query: listQuery(
    ['id', 'createdAt'],
    {
      ids: idsFilter,
      fulfillmentId,
      collaboratorId: id({ description: 'Payouts to this collaborator.' }),
      status: stateFilter('Payouts', PAYOUT_STATUSES, ['processing', 'failed']),
      review: choice(REVIEW_STATES, { description: 'Payouts with this review state.' }),
      currency,
      payoutMethod: choice(PAYEE_METHODS, {
        description: 'Payouts to collaborators with this payout method. `none`: without payout details.',
      }),
    },
    ['paidAt'],
  ),
  success: listSuccess(payout, 'Payouts.'),
});

const params = z.object({ id: id<PayoutId>({ description: 'The payout’s id.', example: 61 }) });

export const getPayout = operation({
  method: 'GET',
  path: '/v1/payouts/{id}',
  summary: 'Get a payout',
  description:
    'Returns a payout: one collaborator’s part of a payout run. To list its obligations, use `GET ' +
    '/v1/obligations?payoutId=`.',
  scope: 'resources:read',
  params,
  success: { description: 'The payout.', body: payout },
});

export const markPayoutPaid = operation({
  method: 'POST',
  path: '/v1/payouts/{id}/mark-paid',
  reader: getPayout,
  summary: 'Mark a payout as paid',
  description:
    'Marks a payout as paid, after you have sent the money. The run must be pending or processing. The call is ' +
    'refused while the payout is flagged, while a refund or correction of one of its sales is being processed, and ' +
    'while required tax details are missing. Repeating the call changes nothing.',
  scope: 'resources:write',
  params,
  success: {
    description: 'The changed payout.',
    body: payout,
    example: { status: 'paid', paidAt: '2026-12-01T08:00:00.000Z' },
  },
  problems: ['under-review', 'invalid-transition'],
});

export const markPayoutUnpaid = operation({
  method: 'POST',
  path: '/v1/payouts/{id}/mark-unpaid',
  reader: getPayout,
  summary: 'Mark a payout as unpaid',
  description:
    'Marks a paid payout as unpaid, for example because the money was returned. The run must be pending or ' +
    'processing. The call is refused if a review has clawed back an amount that was already paid. Repeating the ' +
    'call changes nothing.',
  scope: 'resources:write',
  params,
  success: { description: 'The changed payout.', body: payout },
  problems: ['invalid-transition'],
});

export const failPayout = operation({
  method: 'POST',
  path: '/v1/payouts/{id}/fail',
  reader: getPayout,
  summary: 'Record a failed payment',
  description:
    'Records that the payment of a payout failed or was returned. The payout becomes void, and its obligations become ' +
    'pending again, at their current amounts, or rejected if nothing is owed. The run must be pending or processing. The ' +
    'call is refused if a review has clawed back an amount that was already paid. Repeating the call changes nothing.',
  scope: 'resources:write',
  fresh: true,
  params,
  body: object({
    reason: text(1, 255, { description: 'Why the payment failed.', example: 'Account closed' }),
  }),
  success: { description: 'The changed payout.', body: payout, example: { status: 'void', amount: 0 } },
  problems: ['invalid-transition'],
});

const manyIds = bulkIds(id<PayoutId>({ description: 'A payout’s id.', example: 61 }));

function outcomesOf<const Outcome extends string>(outcomes: readonly Outcome[]) {
  return z.array(
    z.strictObject({
      id: shownId({ description: 'The payout’s id.', example: 61 }),
      outcome: shownChoice(outcomes, { description: 'The outcome. `unchanged`: the call was a repeat.' }),
      status: shownChoice(PAYOUT_STATUSES, { description: 'The payout’s status now.' }).optional(),
    }),
  );
}

const MARKS = ['mark-paid', 'mark-unpaid'] as const;
const MARK_OUTCOMES = ['changed', 'unchanged', 'under-review', 'invalid-transition', 'not-found'] as const;
export type ShownMarkOutcome = (typeof MARK_OUTCOMES)[number];

export const markPayouts = operation({
  method: 'POST',
  path: '/v1/payouts/bulk',
  summary: 'Mark payouts as paid or unpaid',
  description:
    'Marks up to 1,000 payouts as paid or unpaid at once, each as in a single call. If a payout can’t be ' +
    'marked, it stays unchanged and its outcome shows that. Returns one outcome for each id, in the order of ' +
    'the request. A repeated id counts once.',
  scope: 'resources:write',
  body: object({
    action: choice(MARKS, { description: 'The action for all payouts.' }),
    ids: manyIds,
  }),
  success: { description: 'The outcome for each id, in the order of `ids`.', body: outcomesOf(MARK_OUTCOMES) },
});

const review = {
  resolution: choice(RESOLUTIONS, { description: '`keep` pays the amount anyway. `claw-back` removes the amount.' }),
  note: text(1, 1_000, { description: 'The reason, for the record.', example: 'Paid before the refund' }),
};

/** A count identifies the reasons that the reviewer has seen, because reasons are added but never removed. */
const reasons = integer(0, MAX_REASONS, {
  description: '`review.reasonCount` when you read the payout.',
  example: 1,
});

export const reviewPayout = operation({
  method: 'POST',
  path: '/v1/payouts/{id}/review',
  reader: getPayout,
  summary: 'Review a flagged payout',
  description:
    'Resolves all open reasons for the review of a payout. `keep` pays the amount anyway. `claw-back` removes ' +
    'the amount from an unpaid payout, which becomes void if nothing is left. For a paid payout, `claw-back` ' +
    'creates a negative obligation, which later runs subtract. Repeating a review changes nothing. A ' +
    'different review of a payout that is not flagged is refused. With `seen`, the response is a 412 if a ' +
    'reason was added after you read the payout.',
  scope: 'resources:write',
  params,
  body: object({
    ...review,
    seen: object({ reasons })
      .meta({
        description: 'The payout as you read it. The default is to resolve all currently open reasons.',
      })
      .nullish()
      .transform((value) => value ?? undefined),
  }),
  success: { description: 'The changed payout.', body: payout },
  problems: ['invalid-transition', 'precondition-failed'],
});

const REVIEW_OUTCOMES = ['changed', 'unchanged', 'precondition-failed', 'invalid-transition', 'not-found'] as const;
export type ShownReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

export const reviewManyPayouts = operation({
  method: 'POST',
  path: '/v1/payouts/review',
  summary: 'Review many flagged payouts',
  description:
    'Reviews up to 1,000 payouts at once with the same resolution and note, each as in a single call. If a ' +
    'payout can’t be reviewed, it stays unchanged and its outcome shows that. Returns one outcome for each id, ' +
    'in the order of the request. A repeated id counts once. With `seen`, the outcome is `precondition-failed` ' +
    'if a reason was added after you read the payout.',
  scope: 'resources:write',
  body: object({
    ...review,
    ids: manyIds,
    seen: optionalList(object({ id: id<PayoutId>({ description: 'One of `ids`.', example: 61 }), reasons }), {
      max: MAX_IN_BULK,
      description:
        'The payouts as you read them. For payouts that are not listed, all currently open reasons are resolved.',
    }),
  }).superRefine(({ ids, seen = [] }, context) => {
    const asked = new Set(ids);
    for (const [at, { id: payoutId }] of seen.entries()) {
      // Delete each id when it is found, so that a duplicate is refused as well.
      if (!asked.delete(payoutId)) addFault(context, ['seen', at, 'id'], 'unknown-value', UNASKED);
    }
  }),
  success: { description: 'The outcome for each id, in the order of `ids`.', body: outcomesOf(REVIEW_OUTCOMES) },
});

const UNASKED = 'This must be one of `ids`, each at most once.';

export const exportPayouts = operation({
  method: 'POST',
  path: '/v1/payouts/export',
  summary: 'Export payouts as CSV',
  description:
    'Returns payouts as a CSV file for spreadsheets, oldest first. The columns are payoutId, fulfillmentId, ' +
    'collaboratorId, name, email, amount (major units, two decimals), currency, status, review and paidAt. More ' +
    'than 100,000 payouts return a 422. In this case, add a filter.',
  scope: 'resources:read',
  example: { fulfillmentId: 71 },
  body: object({
    fulfillmentId: optional(fulfillmentId),
    status: optional(status),
    currency: optional(currency),
  }),
  repeats: 'none',
  success: {
    description: 'The file, in UTF-8 with a byte order mark.',
    csv: true,
    example:
      'payoutId,fulfillmentId,collaboratorId,name,email,amount,currency,status,review,paidAt\r\n' +
      '61,71,7,Ada Lovelace,ada@example.com,5.00,USD,unpaid,none,\r\n',
    headers: fileHeaders('payouts.csv'),
  },
});
