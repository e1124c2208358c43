import { createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;

/**
 * Returns the token of a link in an email: its values and their signature. The token never expires, because people may
 * use the link in an old email. A token is valid only for its purpose. The values must not contain dots.
 */
export function signLink(key: Uint8Array, purpose: string, values: readonly (string | number)[]): string {
  const signed = values.join('.');
  return `${signed}.${macOf(key, purpose, signed).toString('base64url')}`;
}

/** Returns the values in a token, or undefined if the token was not signed with the given key for the given purpose. */
export function readSignedLink(key: Uint8Array, purpose: string, token: string): readonly string[] | undefined {
  const end = token.lastIndexOf('.');
  const signed = token.slice(0, Math.max(0, end));
  const given = Buffer.from(token.slice(end + 1), 'base64url');
  if (given.length !== MAC_BYTES || !timingSafeEqual(given, macOf(key, purpose, signed))) return undefined;
  return signed.split('.');
}

function macOf(key: Uint8Array, purpose: string, signed: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\n${signed}`).digest().subarray(0, MAC_BYTES);
}
