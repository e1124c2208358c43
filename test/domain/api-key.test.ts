import assert from 'node:assert/strict';
import { it } from 'node:test';
import { KEY_KINDS, keyHash, keyKind, keyPrefix, rawKeyOf } from '#domain/api-key.ts';

it('a key is made of 32 random bytes, says its kind, and is known by its hash', () => {
  for (const kind of KEY_KINDS) {
    const raw = rawKeyOf(kind, new Uint8Array(32).fill(7));
    assert.equal(keyKind(raw), kind);
    assert.equal(raw.startsWith(keyPrefix(raw, kind)), true);
    assert.ok(keyPrefix(raw, kind).length < 16, 'what is shown says little of it');
    assert.equal(keyHash(raw).length, 32);
  }
  assert.throws(() => rawKeyOf('secret', new Uint8Array(16)), RangeError);
});

it('what is too short, too long, of no kind or not plain text is no key', () => {
  const random = 'x'.repeat(32);
  assert.equal(keyKind(`pk_live_${random}`), 'publishable');
  for (const raw of [`sk_test_${random}`, `sk_live_${random.slice(1)}`, `sk_live_${'x'.repeat(255)}`]) {
    assert.equal(keyKind(raw), undefined, raw);
  }
  assert.equal(keyKind(`sk_live_${random} `), undefined);
});
