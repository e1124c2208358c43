import { YEAR_COLUMNS } from '../domain/paid-year.ts';
import { integer, object } from '#core/contract/fields.ts';
import { fileHeaders, operation } from '#core/contract/operation.ts';

export const exportPaidYear = operation({
  method: 'POST',
  path: '/v1/payouts/year-export',
  tag: 'Payouts',
  summary: 'Export the payments of a year',
  description:
    'Returns a CSV file with one row for each collaborator and currency that was paid in a calendar year, for your ' +
    'tax reports. Years and quarters are in the organization’s time zone. A row has the tax details in full, the payout ' +
    'account, and the number and sum of the payouts in the year and in each quarter. A payout belongs to the year ' +
    'and quarter in which it was marked as paid. Payouts that failed or were marked as unpaid don’t count. Each ' +
    'export is recorded in the audit log.',
  scope: 'resources:write',
  fresh: true,
  body: object({ year: integer(2_000, 2_999, { description: 'The calendar year.', example: 2026 }) }),
  repeats: 'none',
  success: {
    description: 'The file, in UTF-8 with a byte order mark.',
    csv: true,
    example: `${YEAR_COLUMNS.join(',')}\r\n`,
    headers: fileHeaders('paid-2026.csv'),
  },
});
