import assert from 'node:assert/strict';
import { createDecipheriv, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { KEY_BYTES, secretBox } from '#platform/crypto/secret-box.ts';

describe('a secret box', () => {
  const box = secretBox(randomBytes(KEY_BYTES));

  it('decrypts to the original text', () => {
    for (const text of ['', 'whsec_abc', 'Zoë 🎈', 'x'.repeat(100_000)]) assert.equal(box.open(box.seal(text)), text);
  });

  it('encrypts the same text differently each time, without exposing it', () => {
    const sealed = [box.seal('whsec_secret'), box.seal('whsec_secret')] as const;
    assert.notDeepEqual(sealed[0], sealed[1]);
    assert.ok(!sealed[0].includes('secret'));
  });

  it('rejects a ciphertext with any changed byte', () => {
    const sealed = box.seal('whsec_secret');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      assert.throws(() => box.open(changed), `byte ${at}`);
    }
    for (const length of [0, 8, 20, 36]) assert.throws(() => box.open(sealed.subarray(0, length)));
  });

  it('rejects a ciphertext of another key, which its first bytes identify', () => {
    const key = randomBytes(KEY_BYTES);
    const other = secretBox(key);
    assert.throws(() => box.open(other.seal('whsec_secret')), /another key/);
    assert.notDeepEqual(other.keyMark, box.keyMark);
    assert.deepEqual(secretBox(key).keyMark, other.keyMark);
    assert.deepEqual(other.seal('a').subarray(0, other.keyMark.length), other.keyMark);
  });

  it('uses AES-256-GCM with a random 96-bit nonce and a 128-bit tag', () => {
    const key = randomBytes(KEY_BYTES);
    const own = secretBox(key);
    const nonces = new Set<string>();
    for (let times = 0; times < 1_000; times += 1) {
      const sealed = own.seal('whsec_secret');
      const [nonce, tag, text] = [sealed.subarray(8, 20), sealed.subarray(20, 36), sealed.subarray(36)];
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 }).setAuthTag(tag);
      assert.equal(decipher.update(text, undefined, 'utf8') + decipher.final('utf8'), 'whsec_secret');
      nonces.add(nonce.toString('hex'));
    }
    assert.equal(nonces.size, 1_000);
  });

  it('derives the same hash key from the same key, without exposing the key', () => {
    const key = randomBytes(KEY_BYTES);
    assert.deepEqual(secretBox(key).hashKey, secretBox(Buffer.from(key)).hashKey);
    assert.notDeepEqual(secretBox(key).hashKey, box.hashKey);
    assert.notDeepEqual(secretBox(key).hashKey, key);
    assert.ok(!secretBox(key).hashKey.includes(secretBox(key).keyMark), 'every encrypted row contains the key mark');
  });

  it('accepts only a key of 32 bytes', () => {
    assert.throws(() => secretBox(randomBytes(31)), RangeError);
    assert.throws(() => secretBox(randomBytes(33)), RangeError);
  });
});
