import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chosenTypes,
  makesDeliveriesDue,
  MESSAGE_TYPES,
  SUBSCRIBABLE_TYPES,
  nounOf,
  shownTypes,
  signingSecretOf,
} from '#webhooks/domain/webhook.ts';

describe('the events of a webhook', () => {
  it('are the chosen events', () => {
    assert.deepEqual(chosenTypes(['payout.paid', 'conversion.created']), ['payout.paid', 'conversion.created']);
  });

  it('are all events if the list contains *', () => {
    assert.equal(chosenTypes(['*']), null);
    assert.equal(chosenTypes(['payout.paid', '*']), null);
  });

  it('are shown as the chosen events, or as * if they are all events', () => {
    assert.deepEqual(shownTypes(['payout.paid']), ['payout.paid']);
    assert.deepEqual(shownTypes(null), ['*']);
  });

  it('nounOf returns the type of the resource in a message about an event', () => {
    assert.equal(nounOf('opportunity.merged'), 'opportunity');
    assert.equal(nounOf('payout.flagged'), 'payout');
    assert.equal(nounOf('sale.created'), 'transaction');
    assert.equal(nounOf('coupon.applied'), 'event');
  });

  it('have unique names, and the test event can’t be chosen', () => {
    assert.equal(new Set(MESSAGE_TYPES).size, MESSAGE_TYPES.length);
    assert.ok(!(SUBSCRIBABLE_TYPES as readonly string[]).includes('webhook.test'));
  });
});

describe('makesDeliveriesDue: whether a changed webhook gets its pending deliveries immediately', () => {
  const [here, there] = ['https://here.example/', 'https://there.example/'];
  for (const [before, after, expected] of [
    [{ url: here, status: 'paused' }, { url: here, status: 'active' }, true],
    [{ url: here, status: 'active' }, { url: there, status: 'active' }, true],
    [{ url: here, status: 'active' }, { url: here, status: 'active' }, false],
    [{ url: here, status: 'paused' }, { url: there, status: 'paused' }, false],
    [{ url: here, status: 'active' }, { url: there, status: 'deleted' }, false],
  ] as const) {
    it(`is ${expected} when a webhook that is ${before.status} at ${before.url} becomes ${after.status} at ${after.url}`, () => {
      assert.equal(makesDeliveriesDue(before, after), expected);
    });
  }
});

describe('a webhook signing secret', () => {
  it('has the format of Standard Webhooks: a prefix and base64', () => {
    assert.equal(signingSecretOf(new Uint8Array([0, 255, 16])), 'whsec_AP8Q');
    assert.match(signingSecretOf(new Uint8Array(32)), /^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
