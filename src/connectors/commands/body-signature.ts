import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Returns whether `signature` is the HMAC-SHA256 of a body in Base64. */
export function isSignedBody(body: Buffer, signature: string | undefined, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Returns an id for a message whose sender signs no id: equal messages are the same event. */
export function idOfBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
