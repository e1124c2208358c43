import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  keyHash,
  keyKind,
  type KeyLife,
  keyPrefix,
  keyState,
  lackingScopes,
  outlives,
  rawKeyOf,
  replacedEnd,
  successorEnd,
} from '#access/domain/api-key.ts';
import type { ApiKeyId } from '#core/ids.ts';
import { KEY_KINDS } from '#core/caller.ts';

it('an API key has 32 random bytes, a kind prefix and a 32-byte hash', () => {
  for (const kind of KEY_KINDS) {
    const raw = rawKeyOf(kind, new Uint8Array(32).fill(7));
    assert.equal(keyKind(raw), kind);
    assert.equal(raw.startsWith(keyPrefix(raw, kind)), true);
    assert.ok(keyPrefix(raw, kind).length < 16, 'the shown prefix reveals little of the key');
    assert.equal(keyHash(raw).length, 32);
  }
  assert.throws(() => rawKeyOf('secret', new Uint8Array(16)), RangeError);
});

it('keyKind: returns undefined for text with an unknown prefix, a wrong length or a space', () => {
  const random = 'x'.repeat(32);
  assert.equal(keyKind(`pk_live_${random}`), 'publishable');
  for (const raw of [`sk_test_${random}`, `sk_live_${random.slice(1)}`, `sk_live_${'x'.repeat(255)}`]) {
    assert.equal(keyKind(raw), undefined, raw);
  }
  assert.equal(keyKind(`sk_live_${random} `), undefined);
});

const day = (number: number) => new Date(Date.UTC(2027, 0, number));
const key: KeyLife = { createdAt: day(1), expiresAt: null, revokedAt: null, replacedBy: null };
const NEXT = 2 as ApiKeyId;

it('keyState: returns the most severe state that applies: current, replaced, expired or revoked', () => {
  const states: readonly [Partial<KeyLife>, string][] = [
    [{}, 'current'],
    [{ expiresAt: day(11) }, 'current'],
    [{ expiresAt: day(10) }, 'expired'],
    [{ expiresAt: day(11), replacedBy: NEXT }, 'replaced'],
    [{ expiresAt: day(9), replacedBy: NEXT }, 'expired'],
    [{ expiresAt: day(9), replacedBy: NEXT, revokedAt: day(8) }, 'revoked'],
  ];
  for (const [life, state] of states) assert.equal(keyState({ ...key, ...life }, day(10)), state, JSON.stringify(life));
});

it('successorEnd: gives the new key the lifetime of the old key, but no expiry after the year 9999', () => {
  assert.equal(successorEnd(key, day(10)), null);
  assert.deepEqual(successorEnd({ ...key, expiresAt: day(8) }, day(5)), day(12));
  const last = new Date('9999-12-31T23:59:59.999Z');
  assert.deepEqual(successorEnd({ ...key, expiresAt: last }, day(10)), last);
});

it('replacedEnd: keeps the old key for the overlap, but never past its own expiry', () => {
  assert.deepEqual(replacedEnd(key, day(10), 86_400), day(11));
  assert.deepEqual(replacedEnd({ ...key, expiresAt: day(20) }, day(10), 86_400), day(11));
  assert.deepEqual(replacedEnd({ ...key, expiresAt: day(11) }, day(10), 5 * 86_400), day(11));
  assert.deepEqual(replacedEnd(key, day(10), 0), day(10));
});

it('outlives: is true if an expiry is later than the expiry of the calling key, and always false for a person', () => {
  const until = (expiresAt: Date | null) => ({ ...key, expiresAt });
  assert.equal(outlives(null, undefined), false);
  assert.equal(outlives(null, until(null)), false);
  assert.equal(outlives(null, until(day(9))), true);
  assert.deepEqual(
    [day(8), day(9), day(10)].map((expiresAt) => outlives(expiresAt, until(day(9)))),
    [false, false, true],
  );
});

it('lackingScopes: returns the requested scopes that the key doesn’t have', () => {
  assert.deepEqual(lackingScopes(['events:write', 'keys:write'], ['keys:write', 'resources:read']), ['events:write']);
  assert.deepEqual(lackingScopes([], []), []);
});
