import assert from 'node:assert/strict';
import { createDecipheriv, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { KEY_BYTES, secretBox } from '#store/secret-box.ts';

describe('a secret box', () => {
  const box = secretBox(randomBytes(KEY_BYTES));

  it('gives back what was put into it', () => {
    for (const text of ['', 'whsec_abc', 'Zoë 🎈', 'x'.repeat(100_000)]) assert.equal(box.open(box.seal(text)), text);
  });

  it('seals the same text differently each time, and shows none of it', () => {
    const sealed = [box.seal('whsec_secret'), box.seal('whsec_secret')] as const;
    assert.notDeepEqual(sealed[0], sealed[1]);
    assert.ok(!sealed[0].includes('secret'));
  });

  it('opens nothing that was changed, in any of its bytes', () => {
    const sealed = box.seal('whsec_secret');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      assert.throws(() => box.open(changed), `byte ${at}`);
    }
    for (const length of [0, 8, 20, 36]) assert.throws(() => box.open(sealed.subarray(0, length)));
  });

  it('opens nothing that another key has sealed, and tells so by its mark', () => {
    const key = randomBytes(KEY_BYTES);
    const other = secretBox(key);
    assert.throws(() => box.open(other.seal('whsec_secret')), /another encryption key/);
    assert.notDeepEqual(other.keyMark, box.keyMark);
    assert.deepEqual(secretBox(key).keyMark, other.keyMark);
    assert.deepEqual(other.seal('a').subarray(0, other.keyMark.length), other.keyMark);
  });

  it('is AES-256-GCM with a nonce of 96 random bits each and a tag of 128', () => {
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

  it('has a key for hashes that is the same wherever its own key is, and tells nothing of that', () => {
    const key = randomBytes(KEY_BYTES);
    assert.deepEqual(secretBox(key).hashKey, secretBox(Buffer.from(key)).hashKey);
    assert.notDeepEqual(secretBox(key).hashKey, box.hashKey);
    assert.notDeepEqual(secretBox(key).hashKey, key);
    assert.ok(!secretBox(key).hashKey.includes(secretBox(key).keyMark), 'the mark stands in every sealed row');
  });

  it('takes a key of 32 bytes and no other', () => {
    assert.throws(() => secretBox(randomBytes(31)), RangeError);
    assert.throws(() => secretBox(randomBytes(33)), RangeError);
  });
});
