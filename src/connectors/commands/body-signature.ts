import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns whether one of the base64 signatures is the HMAC-SHA256 of the concatenated parts. Computes the hash only
 * once, however many signatures a header has.
 */
export function isSigned(
  parts: readonly (string | Buffer)[],
  signatures: readonly (string | undefined)[],
  secret: string,
): boolean {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  const expected = hmac.digest();
  return signatures.some((signature) => {
    const given = Buffer.from(signature ?? '', 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * Returns the SHA-256 hash of a body, in hexadecimal. It serves as the event id if the sender signs no id, so that
 * equal messages count as the same event.
 */
export function idOfBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
