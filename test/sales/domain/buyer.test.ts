import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparedBuyer } from '#sales/domain/buyer.ts';

const NOTHING = {
  email: null,
  untaggedEmail: null,
  emailDomain: null,
  name: null,
  cardFingerprint: null,
  addressHash: null,
};

describe('comparedBuyer: the buyer’s details for comparison', () => {
  it('returns the email address in lower case, with and without its tag, and its domain', () => {
    assert.deepEqual(comparedBuyer({ email: ' Ada+Shop@Mail.example ' }), {
      ...NOTHING,
      email: 'ada+shop@mail.example',
      untaggedEmail: 'ada@mail.example',
      emailDomain: 'mail.example',
    });
  });

  it('returns the name in lower case with single spaces, and the card and the address unchanged', () => {
    assert.deepEqual(comparedBuyer({ name: ' Ada   LOVELACE', cardFingerprint: 'Xt5', addressHash: '5F1d' }), {
      ...NOTHING,
      name: 'ada lovelace',
      cardFingerprint: 'Xt5',
      addressHash: '5F1d',
    });
  });

  it('returns null if there is nothing to compare', () => {
    for (const buyer of [
      {},
      { email: null, name: null },
      { email: 'no address' },
      { email: '', name: ' ', cardFingerprint: '' },
      { email: '@mail.example' },
    ])
      assert.equal(comparedBuyer(buyer), null);
  });
});
