import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenNews, hastens, MESSAGE_TYPES, NEWS_TYPES, nounOf, shownNews, signingSecretOf } from '#domain/webhook.ts';

describe('what a webhook is told', () => {
  it('is what it has chosen', () => {
    assert.deepEqual(chosenNews(['payout.paid', 'conversion.created']), ['payout.paid', 'conversion.created']);
  });

  it('is everything with a star, whatever else is named', () => {
    assert.equal(chosenNews(['*']), null);
    assert.equal(chosenNews(['payout.paid', '*']), null);
  });

  it('is shown as it was chosen', () => {
    assert.deepEqual(shownNews(['payout.paid']), ['payout.paid']);
    assert.deepEqual(shownNews(null), ['*']);
  });

  it('names its noun', () => {
    assert.equal(nounOf('opportunity.merged'), 'opportunity');
    assert.equal(nounOf('payout.flagged'), 'payout');
  });

  it('is named once, and a test can not be chosen', () => {
    assert.equal(new Set(MESSAGE_TYPES).size, MESSAGE_TYPES.length);
    assert.ok(!(NEWS_TYPES as readonly string[]).includes('webhook.test'));
  });
});

describe('what waits goes out now', () => {
  const [here, there] = ['https://here.example/', 'https://there.example/'];
  for (const [before, after, expected] of [
    [{ url: here, status: 'paused' }, { url: here, status: 'active' }, true],
    [{ url: here, status: 'active' }, { url: there, status: 'active' }, true],
    [{ url: here, status: 'active' }, { url: here, status: 'active' }, false],
    [{ url: here, status: 'paused' }, { url: there, status: 'paused' }, false],
    [{ url: here, status: 'active' }, { url: there, status: 'deleted' }, false],
  ] as const) {
    it(`${expected ? 'when' : 'not when'} ${before.status} at ${before.url} becomes ${after.status} at ${after.url}`, () => {
      assert.equal(hastens(before, after), expected);
    });
  }
});

describe('a signing secret', () => {
  it('is written as Standard Webhooks has it: a prefix and base64', () => {
    assert.equal(signingSecretOf(new Uint8Array([0, 255, 16])), 'whsec_AP8Q');
    assert.match(signingSecretOf(new Uint8Array(32)), /^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
