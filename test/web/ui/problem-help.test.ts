import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PROBLEMS } from '#core/contract/problem.ts';
import { problemHelp } from '#web/ui/feedback/problem-texts.ts';

/** Error codes of the SDK for calls without a response. */
const WITHOUT_ANSWER = ['connection-failed', 'timed-out'];

/**
 * Codes that no page causes, or that pages handle otherwise: with the login dialog, at a field, or with the detail
 * alone.
 */
const OTHERWISE = new Set([
  'malformed-json',
  'bad-request',
  'unauthenticated',
  'invalid-signature',
  'wrong-credentials',
  'code-required',
  'log-in-too-old',
  'origin-not-allowed',
  'sale-not-found',
  'event-not-found',
  'method-not-allowed',
  'sale-conflict',
  'refund-conflict',
  'correction-conflict',
  'correction-refused',
  'refund-not-found',
  'idempotency-in-flight',
  'idempotency-answer-lost',
  'unsupported-media-type',
  'invalid-request',
  'last-owner',
  'refund-exceeds-sale',
  'return-below-zero',
  'too-many-refunds',
  'idempotency-mismatch',
  'headers-too-large',
  'expectation-failed',
]);

it('every error code that a page can receive has a help text', () => {
  const codes = [...Object.keys(PROBLEMS), ...WITHOUT_ANSWER].filter((code) => !OTHERWISE.has(code));
  assert.deepEqual(Object.keys(problemHelp).sort(), codes.sort());
});
