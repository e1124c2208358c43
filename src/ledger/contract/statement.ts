import { LEDGER_KINDS } from '../domain/ledger.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { z } from 'zod';
import { currencyCode, id, optional } from '#core/contract/fields.ts';
import { moment } from '#core/contract/time-field.ts';
import { ledgerEntryFields } from './ledger.ts';
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

const operation = operationsOf('Ledger');

const params = z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) });

export const statementQuery = z
  .strictObject({
    from: optional(moment({ description: 'Ledger entries from this moment on. The default is the beginning.' })),
    to: optional(moment({ description: 'Ledger entries before this moment. The default is now.' })),
    currency: optional(currencyCode({ description: 'This currency only.' })),
  })
  .superRefine(({ from, to }, context) => {
    if (from === undefined || to === undefined || from <= to) return;
    addFault(context, ['to'], 'out-of-range', 'This is before `from`. Send a later time.');
  });

const line = z.strictObject({
  ...ledgerEntryFields,
  source: shownText({ description: 'The system that reported the sale.' })
    .nullable()
    .meta({ examples: ['shop'] }),
  externalId: shownText({ description: 'The sale’s id in that system.' })
    .nullable()
    .meta({ examples: ['order-1001'] }),
  effect: shownAmount({
    description:
      'The amount that the ledger entry adds to the balance. 0 if the ledger entry moves money only within or ' +
      'outside of the balance.',
  }),
  balance: shownAmount({ description: 'The balance after the ledger entry.' }),
});

export const statementTotal = z.strictObject({
  kind: shownChoice(LEDGER_KINDS, { description: 'The kind of the ledger entries.', example: 'approve' }),
  entries: shownInteger({ description: 'The number of ledger entries.', example: 1 }),
  amount: shownAmount({ description: 'The sum of the amounts of the ledger entries.' }),
  effect: shownAmount({ description: 'The amount that the ledger entries add to the balance.' }),
});

const statement = z
  .strictObject({
    collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
    from: shownTime({ description: 'From this moment on. Null means from the beginning.' }).nullable(),
    to: shownTime({ description: 'Before this moment. Null means now.' }).nullable(),
    currencies: z
      .array(
        z.strictObject({
          currency: shownCurrency(),
          opening: shownAmount({ description: 'The balance before the first ledger entry.', example: 0 }),
          entries: z.array(line).meta({ description: 'The ledger entries, oldest first.' }),
          totals: z.array(statementTotal).meta({ description: 'The totals of the ledger entries by kind.' }),
          closing: shownAmount({ description: 'The balance at the end: `opening` plus every `effect`.' }),
        }),
      )
      .meta({
        description: 'One statement for each currency, sorted by currency. A requested currency is always included.',
      }),
  })
  .meta({
    id: 'Statement',
    description: 'The amounts that became payable to a collaborator, were reversed, and were paid in a period.',
  });

export const getStatement = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/statement',
  summary: 'Get a collaborator’s statement',
  description:
    'Returns a collaborator’s balance (payable and not yet paid) at the beginning and at the end of a period, ' +
    'and every ledger entry in the period. The limit is 20,000 ledger entries. If there are more, request a ' +
    'shorter period.',
  scope: 'resources:read',
  params,
  query: statementQuery,
  mayLag: true,
  isLong: true,
  success: { description: 'The statement.', body: statement },
});

const EXAMPLE_FILE =
  'time,entry,kind,currency,amount,from account,to account,effect,balance,source,order,transaction,conversion,obligation,payout\r\n' +
  ',,opening,USD,,,,,0.00,,,,,,\r\n' +
  '2026-11-21T09:30:00.123456Z,101,approve,USD,5.00,draft,pending,5.00,5.00,shop,order-1001,31,41,51,\r\n' +
  ',,closing,USD,,,,,5.00,,,,,,\r\n';

export const downloadStatement = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/statement.csv',
  summary: 'Download a collaborator’s statement',
  description:
    'Returns the statement as a CSV file for spreadsheets, with amounts in major units. Each currency has an ' +
    '`opening` line, one line for each ledger entry, and a `closing` line.',
  scope: 'resources:read',
  params,
  query: statementQuery,
  mayLag: true,
  success: {
    description: 'The statement as a file.',
    csv: true,
    example: EXAMPLE_FILE,
    headers: fileHeaders('statement-7.csv', 'The name of the file.'),
  },
});
