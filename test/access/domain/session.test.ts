import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { isToken, SESSION_LIFE, tokenHash, tokenOf } from '#access/domain/session.ts';
import { type ThrottleName, THROTTLES, throttleBucket } from '#platform/throttles/throttle.ts';
import { SESSION_KINDS } from '#core/caller.ts';

describe('a session token', () => {
  it('has 32 random bytes as text and is stored as a 32-byte hash', () => {
    const token = tokenOf(Buffer.alloc(32, 255));
    assert.equal(token, '_'.repeat(42) + '8');
    assert.ok(isToken(token));
    assert.equal(tokenHash(token).length, 32);
    assert.notDeepEqual(tokenHash(token), tokenHash(tokenOf(Buffer.alloc(32))));
    assert.throws(() => tokenOf(Buffer.alloc(31)), RangeError);
  });

  it('isToken: rejects text with a wrong length or invalid characters', () => {
    for (const text of ['', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`, `${'x'.repeat(42)} `])
      assert.ok(!isToken(text), text);
  });
});

it('a session’s idle lifetime is shorter than its absolute lifetime', () => {
  for (const kind of SESSION_KINDS) assert.ok(SESSION_LIFE[kind].idleSeconds < SESSION_LIFE[kind].absoluteSeconds);
});

it('throttleBucket: returns distinct keyed hashes for each key, throttle and subject', () => {
  const names = Object.keys(THROTTLES) as ThrottleName[];
  const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const buckets = keys.flatMap((key) =>
    names.flatMap((name) => ['a', 'b'].map((of) => throttleBucket(key, name, of).toString('hex'))),
  );
  assert.equal(new Set(buckets).size, 2 * 2 * names.length);
  for (const name of names)
    for (const whose of ['a', 'b'])
      assert.ok(
        !buckets.includes(hash('sha256', `${name}\n${whose}`)),
        'an unkeyed hash could be found by brute force',
      );
});
