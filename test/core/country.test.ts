import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COUNTRIES, isCountry, isInEu } from '#core/country.ts';

describe('the countries', () => {
  it('are the 249 countries of ISO 3166-1, each listed once', () => {
    assert.equal(COUNTRIES.length, 249);
    assert.equal(new Set(COUNTRIES).size, 249);
    for (const code of COUNTRIES) assert.match(code, /^[A-Z]{2}$/);
  });

  it('are recognized by their code in upper case', () => {
    for (const code of ['DE', 'US', 'GB']) assert.equal(isCountry(code), true, code);
    for (const code of ['de', 'EU', 'XK', 'UK', 'ZZ', '']) assert.equal(isCountry(code), false, code);
  });

  it('include the 27 members of the European Union', () => {
    assert.equal(COUNTRIES.filter(isInEu).length, 27);
    for (const code of ['GB', 'CH', 'NO']) assert.equal(isInEu(code), false, code);
  });
});
