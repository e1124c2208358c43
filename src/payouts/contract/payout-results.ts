import { z } from 'zod';
import { RESULT_OUTCOMES } from '../domain/payment-results.ts';
import { object, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownAmount, shownChoice, shownId, shownInteger, shownText } from '#core/contract/response-fields.ts';

const operation = operationsOf('Payouts');

/**
 * The maximum length of a result file, in UTF-16 units. The body of the request must also not exceed `MAX_BODY_BYTES`.
 */
export const MAX_RESULT_CHARACTERS = 1_000_000;
/** The maximum number of payments in a result file that have the reference of a payout. */
export const MAX_RESULTS = 10_000;

const body = object({
  file: text(1, MAX_RESULT_CHARACTERS, {
    description:
      'The text of the file: XML of a bank (pain.002, camt.053, camt.054), the CSV report of PayPal or Wise, or a CSV payment file in which you have entered `paid` or `failed` in the column `status`.',
    example: 'reference,amount,currency,status,reason\nPAYOUT-61,5.00,USD,paid,\n',
  }),
});

const results = z
  .strictObject({
    others: shownInteger({ description: 'The number of payments without a reference of a payout.', example: 0 }),
    payments: z
      .array(
        z.strictObject({
          payoutId: shownId({ description: 'The payout in the payment’s reference.', example: 61 }),
          outcome: shownChoice(RESULT_OUTCOMES, {
            description:
              '`paid` and `failed`: the payout is marked as paid, or becomes void. `unchanged`: the payout already has ' +
              'this state. `pending`: the payment is not final. `superseded`: another line of the file has the final state. ' +
              'All other outcomes: the payout is not changed.',
            example: 'paid',
          }),
          status: shownText({ description: 'The state of the payment, as in the file.', example: 'paid' }),
          amount: shownAmount({ description: 'The amount in the file. Null if the file lacks it.' }).nullable(),
          currency: shownText({ description: 'The currency in the file.', example: 'USD' }).nullable(),
          reason: shownText({ description: 'Why the payment failed.', example: 'Account closed' }).nullable(),
        }),
      )
      .meta({ description: 'The payments with the reference of a payout, in the order of the file.' }),
  })
  .meta({ id: 'PaymentResults', description: 'The payments of a result file, and what they change.' });

export const previewPayoutResults = operation({
  method: 'POST',
  path: '/v1/payouts/results/preview',
  summary: 'Preview a result file',
  description: 'Returns what the import of a result file would change now, and changes nothing.',
  scope: 'resources:read',
  body,
  repeats: 'none',
  isLong: true,
  success: { description: 'The payments of the file.', body: results },
});

export const importPayoutResults = operation({
  method: 'POST',
  path: '/v1/payouts/results',
  summary: 'Import a result file',
  description:
    'Marks payouts as paid or failed with a result file of your bank or payment service. The reference, amount and ' +
    'currency of a payment must match its payout. If a payment failed, its payout becomes void, and its obligations ' +
    'become pending again, at their current amounts, or rejected if nothing is owed. Importing a file again changes ' +
    'nothing. The file is not stored.',
  scope: 'resources:write',
  fresh: true,
  takesSecret: ['file'],
  body,
  success: { description: 'The payments of the file.', body: results },
});
