import { z } from 'zod';
import { LEDGER_KINDS } from '#ledger/domain/ledger.ts';
import { fileHeaders, operationsOf } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownTime,
} from '#core/contract/response-fields.ts';
import { statementQuery, statementTotal } from '#ledger/contract/statement.ts';

const operation = operationsOf('Portal pages');

/** A line of a collaborator's statement. It omits data about orders, which only the merchant can see. */
const line = z.strictObject({
  id: shownInteger({ description: 'The ledger entry’s id.', example: 101 }),
  occurredAt: shownTime({ description: 'The time, to the microsecond.', example: '2026-11-21T09:30:00.123456Z' }),
  kind: shownChoice(LEDGER_KINDS, { description: 'The kind of the ledger entry.', example: 'approve' }),
  amount: shownAmount({ description: 'The amount of the ledger entry.' }),
  effect: shownAmount({ description: 'The amount that the ledger entry adds to the balance.' }),
  balance: shownAmount({ description: 'The balance after the ledger entry.' }),
  conversionId: shownId({ description: 'The conversion of the ledger entry.' })
    .nullable()
    .meta({ examples: [41] }),
  payoutId: shownId({ description: 'The payout of the ledger entry.' }).nullable(),
});

const portalStatement = z
  .strictObject({
    from: shownTime({ description: 'From this moment on. Null means from the beginning.' }).nullable(),
    to: shownTime({ description: 'Before this moment. Null means now.' }).nullable(),
    currencies: z
      .array(
        z.strictObject({
          currency: shownCurrency(),
          opening: shownAmount({ description: 'The balance before the first ledger entry.', example: 0 }),
          entries: z.array(line).meta({ description: 'The ledger entries, oldest first.' }),
          totals: z.array(statementTotal).meta({ description: 'The totals of the ledger entries of each kind.' }),
          closing: shownAmount({ description: 'The balance after the last ledger entry.' }),
        }),
      )
      .meta({ description: 'One statement for each currency, sorted by currency.' }),
  })
  .meta({
    id: 'PortalStatement',
    description: 'The amounts that became payable to a collaborator, were reversed, and were paid.',
  });

export const getPortalStatement = operation({
  method: 'GET',
  path: '/v1/portal/statement',
  summary: 'Get your statement',
  description:
    'Returns your balance at the beginning and at the end of a period, and every ledger entry in the period. The limit ' +
    'is 20,000 ledger entries. The statement names conversions and payouts, but not orders.',
  scope: 'portal',
  query: statementQuery,
  mayLag: true,
  isLong: true,
  success: { description: 'The statement.', body: portalStatement },
});

const EXAMPLE_FILE =
  'time,kind,currency,amount,effect,balance,conversion,payout\r\n' +
  ',opening,USD,,,0.00,,\r\n' +
  '2026-11-21T09:30:00.123456Z,approve,USD,5.00,5.00,5.00,41,\r\n' +
  ',closing,USD,,,5.00,,\r\n';

export const downloadPortalStatement = operation({
  method: 'GET',
  path: '/v1/portal/statement.csv',
  summary: 'Download your statement',
  description: 'Returns your statement as a CSV file for spreadsheets, with amounts in major units.',
  scope: 'portal',
  query: statementQuery,
  mayLag: true,
  success: {
    description: 'The statement as a file.',
    csv: true,
    example: EXAMPLE_FILE,
    headers: fileHeaders('statement.csv', 'The name of the file.'),
  },
});
