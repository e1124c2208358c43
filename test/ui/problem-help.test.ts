import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PROBLEMS } from '#contract/problem.ts';
import { problemHelp } from '#ui/problem-texts.ts';

/** Codes of the SDK, where no answer came. */
const WITHOUT_ANSWER = ['connection-failed', 'timed-out'];

/** What a page never leads to, or shows in its own way: the sign-in over the page, faults beside their fields, its detail alone. */
const OTHERWISE = new Set([
  'malformed-json',
  'bad-request',
  'unauthenticated',
  'wrong-credentials',
  'code-required',
  'log-in-too-old',
  'origin-not-allowed',
  'sale-not-found',
  'event-not-found',
  'method-not-allowed',
  'sale-conflict',
  'refund-conflict',
  'idempotency-in-flight',
  'idempotency-answer-lost',
  'unsupported-media-type',
  'invalid-request',
  'last-owner',
  'refund-exceeds-sale',
  'idempotency-mismatch',
  'headers-too-large',
  'expectation-failed',
]);

it('whatever a page may be refused, it says what helps', () => {
  const codes = [...Object.keys(PROBLEMS), ...WITHOUT_ANSWER].filter((code) => !OTHERWISE.has(code));
  assert.deepEqual(Object.keys(problemHelp).sort(), codes.sort());
});
