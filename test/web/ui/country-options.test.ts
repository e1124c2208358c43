import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as service from '#core/country.ts';
import { COUNTRIES, COUNTRY_OPTIONS, countryName, EU_COUNTRIES } from '#web/ui/tax/country-options.ts';

describe('the countries of the tax form', () => {
  it('match the countries and the EU member states of the service', () => {
    assert.deepEqual(COUNTRIES, service.COUNTRIES);
    assert.deepEqual([...EU_COUNTRIES], service.COUNTRIES.filter(service.isInEu));
  });

  it('each have a name, and are sorted by name', () => {
    assert.deepEqual(
      COUNTRY_OPTIONS.filter(({ value, label }) => value === label),
      [],
    );
    assert.equal(countryName('DE'), 'Germany');
    assert.equal(COUNTRY_OPTIONS[0]?.label, 'Afghanistan');
  });
});
