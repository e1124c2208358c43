import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkedDetails,
  maskedDetails,
  type PayoutDetails,
  unmaskedDetails,
} from '#collaborators/domain/payout-details.ts';

const NONE = { holder: null, bankCode: null, accountType: null } as const;
const IBAN = { ...NONE, method: 'iban', holder: 'Ada', account: 'DE89 3704 0044 0532 0130 00' } as const;
const UK = { ...NONE, method: 'uk', holder: 'Ada', account: '3192 6819', bankCode: '60-16-13' } as const;
const US = {
  ...NONE,
  method: 'us',
  holder: 'Ada',
  account: '0001 2345',
  bankCode: '021000021',
  accountType: 'checking',
} as const;
const WISE = { ...NONE, method: 'wise', holder: 'Ada', account: 'ada@example.com' } as const;
const PAYPAL = { ...NONE, method: 'paypal', account: ' ada@example.com ' } as const;
const OTHER = { ...NONE, method: 'other', account: 'Donate it' } as const;

describe('checkedDetails: valid payout details are converted to one form', () => {
  const VALID: readonly (readonly [PayoutDetails, Partial<PayoutDetails>])[] = [
    [IBAN, { account: 'DE89370400440532013000' }],
    [{ ...IBAN, account: 'gb33 bukb 2020 1555 5555 55' }, { account: 'GB33BUKB20201555555555' }],
    [
      { ...IBAN, bankCode: 'cobadeff xxx' },
      { account: 'DE89370400440532013000', bankCode: 'COBADEFFXXX' },
    ],
    [UK, { account: '31926819', bankCode: '601613' }],
    [US, { account: '00012345' }],
    [WISE, {}],
    [PAYPAL, { account: 'ada@example.com' }],
    [OTHER, {}],
    [{ ...OTHER, holder: 'Ada' }, {}],
  ];
  for (const [given, stored] of VALID) {
    it(`converts ${given.method} details with the account “${given.account}”`, () => {
      assert.deepEqual(checkedDetails(given), { kind: 'valid', details: { ...given, ...stored } });
    });
  }
});

describe('checkedDetails: every invalid field is reported', () => {
  const FAULTY: readonly (readonly [PayoutDetails, readonly string[]])[] = [
    [{ ...IBAN, account: 'DE89 3704 0044 0532 0130 01' }, ['account invalid-format']],
    [{ ...IBAN, account: '12345678' }, ['account invalid-format']],
    [{ ...IBAN, bankCode: 'COBA' }, ['bankCode invalid-format']],
    [{ ...IBAN, holder: null, accountType: 'savings' }, ['holder required', 'accountType not-applicable']],
    [{ ...UK, account: '1234567', bankCode: '12345' }, ['account invalid-format', 'bankCode invalid-format']],
    [{ ...UK, account: '1234567x', bankCode: null }, ['account invalid-format', 'bankCode required']],
    [{ ...US, bankCode: '021000022' }, ['bankCode invalid-format']],
    [{ ...US, bankCode: '000000000' }, ['bankCode invalid-format']],
    [{ ...US, bankCode: '02100002', accountType: null }, ['bankCode invalid-format', 'accountType required']],
    [{ ...US, account: '123' }, ['account invalid-format']],
    [{ ...US, account: '123456789012345678' }, ['account invalid-format']],
    [{ ...WISE, holder: null, account: 'ada' }, ['holder required', 'account invalid-format']],
    [{ ...PAYPAL, holder: 'Ada', bankCode: '1' }, ['holder not-applicable', 'bankCode not-applicable']],
  ];
  for (const [given, faults] of FAULTY) {
    it(`refuses ${given.method} details with ${faults.join(', ')}`, () => {
      const checked = checkedDetails(given);
      const found = checked.kind === 'faulty' ? checked.faults.map(({ field, code }) => `${field} ${code}`) : [];
      assert.deepEqual(found, faults);
    });
  }
});

const ACCOUNTS = [
  ['DE89 3704 0044 0532 0130 00', '••••3000'],
  ['12345678', '••••5678'],
  ['1234567', '••••'],
  ['ada@example.com', 'a••••@example.com'],
  ['@ada-lovelace', '••••lace'],
] as const;

for (const [account, shown] of ACCOUNTS) {
  it(`maskedDetails: ${account} is shown as ${shown}`, () => {
    assert.deepEqual(maskedDetails({ ...OTHER, account }), { ...OTHER, account: shown });
  });
}

it('unmaskedDetails: a masked account is replaced by the stored account, even if the holder has changed', () => {
  const renamed = { ...maskedDetails(IBAN), holder: 'Ada King' };
  assert.deepEqual(unmaskedDetails(renamed, IBAN), { ...IBAN, holder: 'Ada King' });
  assert.deepEqual(unmaskedDetails(IBAN, undefined), IBAN);
});

it('unmaskedDetails: a masked account without a matching stored account is refused', () => {
  const shown = { ...IBAN, account: '••••3000' } as const;
  assert.equal(unmaskedDetails(shown, undefined), undefined);
  assert.equal(unmaskedDetails(shown, { ...shown, account: 'DE02 1203 0000 0000 2020 51' }), undefined);
});
