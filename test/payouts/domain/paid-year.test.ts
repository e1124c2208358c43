import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TaxDetails } from '#collaborators/domain/tax-details.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { type PaidYear, YEAR_COLUMNS, yearRow } from '#payouts/domain/paid-year.ts';

const YEAR: PaidYear = {
  collaboratorId: 7 as CollaboratorId,
  name: 'Ada',
  email: null,
  currency: 'EUR',
  quarters: [
    { amount: 1_050n, payouts: 1 },
    { amount: 0n, payouts: 0 },
    { amount: 9_007_199_254_740_991n, payouts: 1 },
    { amount: 9n, payouts: 2 },
  ],
  taxDetails: undefined,
  payoutDetails: undefined,
};

const cellsOf = (year: PaidYear) => Object.fromEntries(yearRow(year).map((cell, n) => [YEAR_COLUMNS[n], cell]));

describe('a row of the year-end export', () => {
  it('has the sums and numbers of payouts of the year and of each quarter', () => {
    const { paid, payouts, paidQ1, paidQ2, payoutsQ2, paidQ4, payoutsQ4 } = cellsOf(YEAR);
    assert.deepEqual([paid, payouts], ['90071992547420.50', 4]);
    assert.deepEqual([paidQ1, paidQ2, payoutsQ2, paidQ4, payoutsQ4], ['10.50', '0.00', 0, '0.09', 2]);
  });

  it('has empty cells for missing details', () => {
    const { tin, accountHolder, account } = cellsOf(YEAR);
    assert.deepEqual([tin, accountHolder, account], [null, null, null]);
  });

  it('has the tax details', () => {
    const taxDetails = { status: 'business', legalName: 'Reviews GmbH', country: 'DE', tin: '12345' } as TaxDetails;
    const { status, legalName, country, tin, region } = cellsOf({ ...YEAR, taxDetails });
    assert.deepEqual([status, legalName, country, tin, region], ['business', 'Reviews GmbH', 'DE', '12345', null]);
  });

  it('has the account and the holder of the payout details', () => {
    const payoutDetails = { method: 'paypal', holder: null, account: 'ada@example.com' } as const;
    const { accountHolder, account } = cellsOf({
      ...YEAR,
      payoutDetails: { ...payoutDetails, bankCode: null, accountType: null },
    });
    assert.deepEqual([accountHolder, account], [null, 'ada@example.com']);
  });

  it('has a cell for each column', () => assert.equal(yearRow(YEAR).length, YEAR_COLUMNS.length));
});
