import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto';

/**
 * An encryption key and the operations that use it. The key encrypts secrets that must be decrypted later, such as
 * webhook signing secrets, so that the database alone doesn't reveal them.
 */
export type SecretBox = {
  readonly seal: (text: string) => Buffer;
  /**
   * Returns whether the bytes start with this box's key mark, which means that they were encrypted with its key.
   * Doesn't decrypt them.
   */
  readonly sealed: (sealed: Uint8Array) => boolean;
  /** Decrypts the bytes. Throws if they were changed or encrypted with another key. */
  readonly open: (sealed: Uint8Array) => string;
  /** The first bytes of every encrypted value. They identify the key but don't reveal it. */
  readonly keyMark: Buffer;
  /**
   * A key for hashes of guessable values, such as network addresses. Access to the database alone isn't enough to test
   * guesses. The key is derived from the encryption key, so that all processes on a database use the same hash key.
   */
  readonly hashKey: Buffer;
};

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;
export const MARK_BYTES = 8;

/**
 * Returns a SecretBox that uses AES-256-GCM with a random nonce for each value. An encrypted value consists of the key
 * mark, the nonce, the authentication tag and the ciphertext. Throws RangeError unless `key` has KEY_BYTES bytes.
 */
export function secretBox(key: Uint8Array): SecretBox {
  if (key.length !== KEY_BYTES)
    throw new RangeError(`The encryption key must have ${KEY_BYTES} bytes, but it has ${key.length}.`);
  const keyMark = hash('sha256', Buffer.concat([Buffer.from('whence key mark'), key]), 'buffer').subarray(
    0,
    MARK_BYTES,
  );
  const bearsMark = (sealed: Uint8Array): boolean => keyMark.equals(sealed.subarray(0, MARK_BYTES));
  return {
    keyMark,
    hashKey: createHmac('sha256', key).update('whence hash key').digest(),
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([keyMark, nonce, cipher.getAuthTag(), sealed]);
    },
    sealed: bearsMark,
    open: (sealed) => {
      if (!bearsMark(sealed)) throw new Error('The value was encrypted with another key. Start with that key.');
      const [nonce, tag, text] = split(sealed.subarray(MARK_BYTES));
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag);
      return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

function split(sealed: Uint8Array): [nonce: Uint8Array, tag: Uint8Array, text: Uint8Array] {
  const textAt = NONCE_BYTES + TAG_BYTES;
  return [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES, textAt), sealed.subarray(textAt)];
}
