import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canDismiss, canRetry, EVENT_STATES, type JsonObject, wrongModeText } from '#connectors/domain/connector.ts';
import { buyerOf } from '#connectors/domain/buyer.ts';
import { idIn, integerIn, isObject, objectIn, objectsIn, textIn } from '#connectors/domain/json.ts';
import { sourceOf } from '#connectors/domain/source.ts';
import { isOverdue, retryGapSeconds } from '#connectors/domain/waiting.ts';

describe('connector helpers', () => {
  it('textIn, integerIn, objectIn, objectsIn and idIn return undefined or an empty value for a field of another type', () => {
    const from: JsonObject = {
      text: 'x',
      empty: '',
      whole: 3,
      part: 1.5,
      list: [{ id: 'a' }, 1],
      object: { id: 'b' },
      none: null,
    };
    assert.deepEqual([textIn(from, 'text'), textIn(from, 'empty'), textIn(from, 'whole')], ['x', undefined, undefined]);
    assert.deepEqual(
      [integerIn(from, 'whole'), integerIn(from, 'part'), integerIn(from, 'text')],
      [3, undefined, undefined],
    );
    assert.deepEqual([objectIn(from, 'object'), objectIn(from, 'list'), objectIn(from, 'none')], [{ id: 'b' }, {}, {}]);
    assert.deepEqual([objectsIn(from, 'list'), objectsIn(from, 'object')], [[{ id: 'a' }], []]);
    assert.deepEqual([idIn(from, 'text'), idIn(from, 'object'), idIn(from, 'none')], ['x', 'b', undefined]);
    assert.deepEqual([isObject(null), isObject([]), isObject({})], [false, false, true]);
  });

  it('buyerOf returns the whole name, or else the first and the last name, and undefined for absent details', () => {
    const parts = { first_name: 'Ada', last_name: 'Lovelace' };
    assert.deepEqual(buyerOf('ada@mail.example', parts), { email: 'ada@mail.example', name: 'Ada Lovelace' });
    assert.equal(buyerOf(undefined, { ...parts, name: 'A. Lovelace' }, 'name').name, 'A. Lovelace');
    assert.equal(buyerOf(undefined, { last_name: 'Lovelace' }, 'name').name, 'Lovelace');
    assert.deepEqual(buyerOf(undefined, {}), { email: undefined, name: undefined });
  });

  it('sourceOf returns an unused source, or undefined if the requested source is taken', () => {
    assert.equal(sourceOf('stripe', undefined, []), 'stripe');
    assert.equal(sourceOf('stripe', 'shop', ['stripe']), 'shop');
    assert.equal(sourceOf('stripe', 'shop', ['shop']), undefined);
    assert.equal(sourceOf('stripe', undefined, ['stripe', 'stripe-3']), 'stripe-2');
    assert.equal(sourceOf('stripe', undefined, ['stripe-2', 'stripe']), 'stripe-3');
  });

  it('wrongModeText says how to receive events of the other mode', () => {
    assert.match(wrongModeText('live'), /live events only\. For test events, create a test organization/);
    assert.match(wrongModeText('test'), /test events only\. For live events, create the connector in a live/);
  });

  it('an event can wait for 30 days, and failed attempts are retried after 1, 4, 16 and 64 seconds', () => {
    assert.deepEqual([isOverdue(719.9), isOverdue(720)], [false, true]);
    assert.deepEqual([0, 1, 2, 3].map(retryGapSeconds), [1, 4, 16, 64]);
  });

  it('canRetry is true for all states except processed, and canDismiss for pending, waiting and dead-lettered', () => {
    assert.deepEqual(
      EVENT_STATES.filter((state) => !canRetry(state)),
      ['processed'],
    );
    assert.deepEqual(EVENT_STATES.filter(canDismiss), ['pending', 'waiting', 'dead-lettered']);
  });
});
