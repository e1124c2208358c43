import { z } from 'zod';
import { FILE_FORMATS, LEFT_OUT_REASONS } from '../domain/payment-file.ts';
import type { FulfillmentId, PayoutId } from '#core/ids.ts';
import { choice, id, object } from '#core/contract/fields.ts';
import { fileHeaders, operationsOf } from '#core/contract/operation.ts';
import { shownAmount, shownChoice, shownFlag, shownId, shownInteger } from '#core/contract/response-fields.ts';

const operation = operationsOf('Fulfillments');
const params = z.object({ id: id<FulfillmentId>({ description: 'The run’s id.', example: 71 }) });

const FORMAT =
  '`sepa`: a SEPA credit transfer (pain.001.001.09). `paypal` and `wise`: files for these services. `other`: CSV of ' +
  'payable payouts that are in none of these files. `all`: CSV of the payouts of the other four formats.';
const FIRST = 'The id of the first payout of the file.';
const LAST = 'The id of the last payout of the file.';

const paymentFiles = z
  .strictObject({
    hasPayerAccount: shownFlag({ description: 'Whether your bank account is set. SEPA files need it.' }),
    files: z
      .array(
        z.strictObject({
          format: shownChoice(FILE_FORMATS, { description: FORMAT }),
          first: shownId({ description: FIRST, example: 61 }),
          last: shownId({ description: LAST, example: 61 }),
          payouts: shownInteger({ description: 'The number of payouts.', example: 1 }),
          amount: shownAmount({ description: 'The sum of the payouts.' }),
          notDownloaded: shownInteger({
            description: 'The number of these payouts that were in no downloaded file, not counting the format `all`.',
            example: 1,
          }),
        }),
      )
      .meta({ description: 'The files. A format with too many payouts for one file has several files.' }),
    leftOut: z
      .array(
        z.strictObject({
          payoutId: shownId({ description: 'The payout.', example: 62 }),
          collaboratorId: shownId({ description: 'The collaborator.', example: 8 }),
          amount: shownAmount({ description: 'The amount of the payout.' }),
          reason: shownChoice(LEFT_OUT_REASONS, {
            description:
              '`under-review`, `no-tax-details`, `no-details`: the payout can’t be paid now, so it is in no file. ' +
              '`in-another-file`: it is in no file, because the payee has changed the payout method since a file with this ' +
              'payout was downloaded. `other-method`: it is in the format `other`, because its method has no format. ' +
              '`unsupported-…`: it is in the format `other`, because SEPA or PayPal refuses the currency, the country of ' +
              'the account, the letters of the name, or the amount.',
          }),
        }),
      )
      .meta({ description: 'The payouts that are in no file of a bank or payment service.' }),
  })
  .meta({
    id: 'PaymentFiles',
    description: 'The payment files of a run’s unpaid payouts, or of the paid payouts of a complete run.',
  });

export const listPaymentFiles = operation({
  method: 'GET',
  path: '/v1/fulfillments/{id}/payment-files',
  summary: 'List the payment files of a run',
  description:
    'Lists the files with which you can pay the unpaid payouts of a run, and the payouts that no bank or payment ' +
    'service can pay from a file. Each payable payout is in one of the formats `sepa`, `paypal`, `wise` and `other`. ' +
    'If the run is complete, the files contain its paid payouts.',
  scope: 'resources:read',
  params,
  isLong: true,
  success: { description: 'The files.', body: paymentFiles },
});

export const downloadPaymentFile = operation({
  method: 'POST',
  path: '/v1/fulfillments/{id}/payment-files',
  summary: 'Download a payment file',
  description:
    'Returns a file with the account numbers of the payees. Each download is recorded in the audit log. A file ' +
    'contains the payouts of its format from `first` to `last` that are unpaid now, or paid if the run is complete.',
  scope: 'resources:write',
  fresh: true,
  params,
  body: object({
    format: choice(FILE_FORMATS, { description: FORMAT, example: 'paypal' }),
    first: id<PayoutId>({ description: FIRST, example: 61 }),
    last: id<PayoutId>({ description: LAST, example: 61 }),
  }),
  repeats: 'none',
  success: {
    description: 'The file, in UTF-8.',
    csv: true,
    xml: true,
    example: 'ada@example.com,5.00,USD,PAYOUT-61,Ada’s Mugs: payout 61,PAYPAL\r\n',
    headers: fileHeaders('run-71-paypal-61.csv'),
  },
});
