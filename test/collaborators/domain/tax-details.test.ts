import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkedTaxDetails,
  type GivenTaxDetails,
  isSameTaxDetails,
  maskedTaxDetails,
  type TaxDetails,
  unmaskedTaxDetails,
} from '#collaborators/domain/tax-details.ts';

const ADA: GivenTaxDetails = {
  status: 'individual',
  firstName: 'Ada',
  lastName: 'Lovelace',
  legalName: null,
  country: 'DE',
  street: 'Torstraße 1',
  city: 'Berlin',
  region: null,
  postalCode: '10119',
  addressCountry: null,
  tin: '36 574 261 809',
  tinCountry: null,
  vatNumber: null,
  registrationNumber: null,
  dateOfBirth: '1990-05-31',
};
const COMPANY: GivenTaxDetails = {
  ...ADA,
  status: 'business',
  firstName: null,
  lastName: null,
  legalName: 'Ada’s Reviews GmbH',
  vatNumber: 'de136695976',
  registrationNumber: 'HRB 86891',
  dateOfBirth: null,
};
const US: GivenTaxDetails = {
  ...ADA,
  country: 'US',
  street: '1 Main St',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62701',
  tin: '123-45-6789',
  dateOfBirth: null,
};
const SWITZERLAND = { country: 'CH', registrationNumber: null } as const;
const EMIRATES: GivenTaxDetails = { ...US, country: 'AE', tin: null, region: null, postalCode: null };

function checked(given: GivenTaxDetails): TaxDetails {
  const result = checkedTaxDetails(given);
  assert.ok(result.kind === 'valid', JSON.stringify(result));
  return result.details;
}

describe('tax details', () => {
  it('use the country of tax residence for the address and the TIN by default', () => {
    const { addressCountry, tin, tinCountry } = checked(ADA);
    assert.deepEqual([addressCountry, tin, tinCountry], ['DE', '36 574 261 809', 'DE']);
    const abroad = checked({ ...ADA, addressCountry: 'FR', tinCountry: 'AT' });
    assert.deepEqual([abroad.addressCountry, abroad.tinCountry], ['FR', 'AT']);
  });

  it('are stored with a US TIN of 9 digits, and with other numbers in capitals', () => {
    assert.equal(checked(US).tin, '123456789');
    assert.equal(checked(COMPANY).vatNumber, 'DE136695976');
  });

  it('need no number in the business register outside the European Union', () => {
    const { registrationNumber } = checked({ ...COMPANY, ...SWITZERLAND });
    assert.equal(registrationNumber, null);
  });

  it('need no TIN outside the European Union and the United States', () => {
    assert.deepEqual([checked(EMIRATES).tin, checked(EMIRATES).tinCountry], [null, null]);
  });

  const refusals: readonly (readonly [string, GivenTaxDetails, Record<string, string>])[] = [
    [
      'an individual without a name',
      { ...ADA, firstName: null, lastName: null },
      { firstName: 'required', lastName: 'required' },
    ],
    [
      'an individual with fields of a business',
      { ...ADA, legalName: 'Ada', registrationNumber: 'HRB 1234' },
      { legalName: 'not-applicable', registrationNumber: 'not-applicable' },
    ],
    [
      'an individual in the EU without a TIN or a date of birth',
      { ...ADA, tin: null, dateOfBirth: null },
      { tin: 'required', dateOfBirth: 'required' },
    ],
    ['a date of birth outside the EU', { ...US, dateOfBirth: '1990-05-31' }, { dateOfBirth: 'not-applicable' }],
    ['a date of birth that is not a day', { ...ADA, dateOfBirth: '1990-02-30' }, { dateOfBirth: 'invalid-format' }],
    ['a date of birth in another format', { ...ADA, dateOfBirth: '31.05.1990' }, { dateOfBirth: 'invalid-format' }],
    [
      'a business without its name and register number',
      { ...COMPANY, legalName: null, registrationNumber: null },
      { legalName: 'required', registrationNumber: 'required' },
    ],
    [
      'a business with fields of an individual',
      { ...COMPANY, firstName: 'Ada', dateOfBirth: '1990-05-31' },
      { firstName: 'not-applicable', dateOfBirth: 'not-applicable' },
    ],
    [
      'a US resident without a state, ZIP code and TIN',
      { ...US, region: null, postalCode: null, tin: null },
      { region: 'required', postalCode: 'required', tin: 'required' },
    ],
    ['a US TIN with 8 digits', { ...US, tin: '12-345678' }, { tin: 'invalid-format' }],
    ['a US TIN with a letter', { ...US, tin: '12345678A' }, { tin: 'invalid-format' }],
    ['a US resident with a TIN of another country', { ...US, tinCountry: 'DE' }, { tinCountry: 'invalid-format' }],
    ['a ZIP code with a letter', { ...US, postalCode: '6270A' }, { postalCode: 'invalid-format' }],
    ['a TIN that is too short', { ...ADA, tin: '1-2-3' }, { tin: 'invalid-format' }],
    ['a TIN with a formula', { ...ADA, tin: '=1+12345' }, { tin: 'invalid-format' }],
    ['a VAT number that is too long', { ...ADA, vatNumber: '1'.repeat(26) }, { vatNumber: 'invalid-format' }],
    ['a TIN country without a TIN', { ...EMIRATES, tinCountry: 'AE' }, { tinCountry: 'not-applicable' }],
    [
      'the United States as the TIN country without a TIN',
      { ...EMIRATES, tinCountry: 'US' },
      { tinCountry: 'not-applicable' },
    ],
    [
      'a register number that is too short',
      { ...COMPANY, registrationNumber: 'HR' },
      { registrationNumber: 'invalid-format' },
    ],
  ];
  for (const [name, given, expected] of refusals) {
    it(`are refused for ${name}`, () => {
      const result = checkedTaxDetails(given);
      assert.ok(result.kind === 'faulty');
      assert.deepEqual(Object.fromEntries(result.faults.map(({ field, code }) => [field, code])), expected);
    });
  }
});

it('isSameTaxDetails: compares every field, and treats two missing details as equal', () => {
  const [ada, same] = [checked(ADA), checked(ADA)];
  assert.equal(isSameTaxDetails(ada, same), true);
  for (const field of Object.keys(ada))
    assert.equal(isSameTaxDetails(ada, { ...same, [field]: 'other' }), false, field);
  assert.equal(isSameTaxDetails(undefined, null), true);
  assert.equal(isSameTaxDetails(ada, null), false);
  assert.equal(isSameTaxDetails(undefined, ada), false);
});

describe('masked tax details', () => {
  const stored = checked({ ...COMPANY, vatNumber: '1234567' });
  const masked = maskedTaxDetails(stored);

  it('show the last four characters of long numbers, and hide short numbers and the date of birth', () => {
    assert.deepEqual(
      [masked.tin, masked.vatNumber, masked.registrationNumber, masked.legalName],
      ['••••1809', '••••', '••••6891', stored.legalName],
    );
    assert.equal(maskedTaxDetails(checked(ADA)).dateOfBirth, '••••');
  });

  it('can be sent back, and then keep the stored numbers', () => {
    assert.deepEqual(unmaskedTaxDetails({ ...masked, city: 'Bonn' }, stored), { details: { ...stored, city: 'Bonn' } });
  });

  it('are refused if they don’t match the stored numbers', () => {
    assert.deepEqual(unmaskedTaxDetails({ ...masked, tin: '••••9999' }, stored), { masked: ['tin'] });
    assert.deepEqual(unmaskedTaxDetails(masked, undefined), { masked: ['tin', 'vatNumber', 'registrationNumber'] });
  });
});
