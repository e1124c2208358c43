import { invalidRequest, type Problem } from '#contract/problem.ts';

/** 1–255 visible ASCII characters: what a header carries unharmed. A header that came twice has a space in it. */
const KEY = /^[!-~]{1,255}$/;

/** The caller's Idempotency-Key, undefined where there is none, or a 422. */
export function readIdempotencyKey(header: string | undefined): string | undefined | Problem {
  return header === undefined || KEY.test(header) ? header : MALFORMED;
}

const MALFORMED = invalidRequest([
  {
    pointer: '/Idempotency-Key',
    code: 'invalid-format',
    detail: 'The header Idempotency-Key must be 1 to 255 visible ASCII characters.',
  },
]);
