import { faultAt, type Problem } from '#core/contract/problem.ts';

/**
 * The format of an Idempotency-Key: 1–255 visible ASCII characters, which every header can contain unchanged. If the
 * header is sent twice, Node joins the values with a comma and a space, so the result is refused.
 */
const KEY = /^[!-~]{1,255}$/;

/** Returns the caller's Idempotency-Key, undefined if the header is absent, or a 422 if the key is malformed. */
export function readIdempotencyKey(header: string | undefined): string | undefined | Problem {
  return header === undefined || KEY.test(header) ? header : MALFORMED;
}

const MALFORMED = faultAt(
  '/Idempotency-Key',
  'invalid-format',
  'The header Idempotency-Key must be 1 to 255 visible ASCII characters.',
);
