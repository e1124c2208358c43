import { z } from 'zod';
import { LEDGER_KINDS } from '#ledger/domain/ledger.ts';
import { operation } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownTime,
} from '#core/contract/response-fields.ts';
import { statementQuery, statementTotal } from '#ledger/contract/statement.ts';

const tag = 'Portal pages';

/** A statement line without order data, which belongs to the merchant. It shows only the collaborator's own data. */
const line = z.strictObject({
  id: shownInteger({ description: 'The entry’s number.', example: 101 }),
  occurredAt: shownTime({ description: 'When, to the microsecond.', example: '2026-11-21T09:30:00.123456Z' }),
  kind: shownChoice(LEDGER_KINDS, { description: 'What happened.', example: 'approve' }),
  amount: shownAmount({ description: 'How much it is about.' }),
  effect: shownAmount({ description: 'What it adds to the balance.' }),
  balance: shownAmount({ description: 'The balance after it.' }),
  conversionId: shownId({ description: 'The conversion that it is about.' })
    .nullable()
    .meta({ examples: [41] }),
  payoutId: shownId({ description: 'The payout that it is about.' }).nullable(),
});

const portalStatement = z
  .strictObject({
    from: shownTime({ description: 'From this moment on; null from the beginning.' }).nullable(),
    to: shownTime({ description: 'Before this moment; null up to now.' }).nullable(),
    currencies: z
      .array(
        z.strictObject({
          currency: shownCurrency(),
          opening: shownAmount({ description: 'The balance before the first entry.', example: 0 }),
          entries: z.array(line).meta({ description: 'In the order of their time.' }),
          totals: z.array(statementTotal).meta({ description: 'By kind, of those that occur.' }),
          closing: shownAmount({ description: 'The balance after the last entry.' }),
        }),
      )
      .meta({ description: 'One for each currency, by currency.' }),
  })
  .meta({ id: 'PortalStatement', description: 'What became payable to a collaborator, was taken back and was paid.' });

export const getPortalStatement = operation({
  method: 'GET',
  path: '/v1/portal/statement',
  tag,
  summary: 'Get one’s own statement',
  description:
    'The balance at the beginning of a span of time, every entry in it, and the balance at its end. At most 20,000 entries. It ' +
    'names conversions and payouts, not the orders behind them.',
  scope: 'portal',
  keys: [],
  query: statementQuery,
  mayLag: true,
  isLong: true,
  success: { status: 200, description: 'The statement.', body: portalStatement },
  problems: ['invalid-request'],
});

const EXAMPLE_FILE =
  'time,kind,currency,amount,effect,balance,conversion,payout\r\n' +
  ',opening,USD,,,0.00,,\r\n' +
  '2026-11-21T09:30:00.123456Z,approve,USD,5.00,5.00,5.00,41,\r\n' +
  ',closing,USD,,,5.00,,\r\n';

export const downloadPortalStatement = operation({
  method: 'GET',
  path: '/v1/portal/statement.csv',
  tag,
  summary: 'Download one’s own statement',
  description: 'The same as a file for spreadsheets, amounts in major units.',
  scope: 'portal',
  keys: [],
  query: statementQuery,
  mayLag: true,
  success: {
    status: 200,
    description: 'The statement as a file.',
    csv: true,
    example: EXAMPLE_FILE,
    headers: {
      'Content-Disposition': {
        description: 'The name of the file.',
        schema: { type: 'string' },
        example: 'attachment; filename="statement.csv"',
      },
    },
  },
  problems: ['invalid-request'],
});
