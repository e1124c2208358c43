import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PROBLEMS } from '#core/contract/problem.ts';
import { problemDetails, problemHelp } from '#web/ui/feedback/problem-texts.ts';

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
  'not-decided',
  'scope-required',
  'still-owed',
  'invalid-transition',
  'code-taken',
  'portal-taken',
  'already-listed',
  'too-many-entries',
  'slug-taken',
  'address-taken',
  'too-many-links',
  'too-many-webhooks',
  'too-many-programs',
  'too-many-connectors',
  'too-many-invitations',
  'too-many-backtests',
  'backtests-unavailable',
  'link-expired',
  'body-too-large',
]);

it('every error code that a page can receive has advice or its own text, unless the page handles it otherwise', () => {
  const codes = [...Object.keys(PROBLEMS), ...WITHOUT_ANSWER].filter((code) => !OTHERWISE.has(code));
  assert.deepEqual([...Object.keys(problemHelp), ...Object.keys(problemDetails)].sort(), codes.sort());
});
