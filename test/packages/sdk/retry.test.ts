import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LONGEST_RETRY_AFTER_MS, retryDelayMs } from '#sdk/retry.ts';
import { ConnectionError, errorOf, TimeoutError, type WhenceError } from '#sdk/errors.ts';

const NOW = Date.parse('2026-11-21T09:30:00Z');

function answered(status: number, code: string, headers: Record<string, string> = {}): WhenceError {
  return errorOf('GET /v1/x', status, new Headers(headers), JSON.stringify({ code, detail: 'So it is.' }));
}

function delayOf(error: WhenceError, change: { retries?: number; repeatable?: boolean; random?: number } = {}) {
  return retryDelayMs({ error, retries: 0, repeatable: true, random: 0, nowMs: NOW, ...change });
}

const lost = new ConnectionError({ code: 'connection-failed', detail: 'fetch failed' });

describe('retryDelayMs: the delay before the SDK retries a call', () => {
  it('transient errors are retried, and permanent errors are not', () => {
    for (const [status, code] of [
      [408, 'request-timeout'],
      [409, 'idempotency-in-flight'],
      [429, 'rate-limited'],
      [500, 'internal'],
      [502, 'unexpected-answer'],
      [503, 'unavailable'],
    ] as const)
      assert.equal(delayOf(answered(status, code)), 500, code);
    for (const [status, code] of [
      [400, 'malformed-json'],
      [401, 'unauthenticated'],
      [403, 'scope-required'],
      [404, 'not-found'],
      [409, 'sale-conflict'],
      [412, 'precondition-failed'],
      [422, 'invalid-request'],
      [304, 'not-modified'],
    ] as const)
      assert.equal(delayOf(answered(status, code)), undefined, code);
    assert.equal(delayOf(lost), 500);
    assert.equal(delayOf(new TimeoutError({ code: 'timed-out', detail: '' })), 500);
    // A success with an unexpected body is not retried.
    assert.equal(delayOf(answered(200, 'unexpected-answer')), undefined);
  });

  it('a call that is not repeatable is retried only if the service certainly did not process it', () => {
    assert.equal(delayOf(lost, { repeatable: false }), undefined);
    assert.equal(delayOf(answered(503, 'unavailable'), { repeatable: false }), undefined);
    assert.equal(delayOf(answered(429, 'rate-limited'), { repeatable: false }), 500);
  });

  it('the retry delay doubles up to eight seconds, and is reduced by up to half at random', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 60].map((retries) => delayOf(lost, { retries })),
      [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000],
    );
    assert.equal(delayOf(lost, { random: 0.5 }), 375);
    assert.ok((delayOf(lost, { random: 1 - Number.EPSILON }) ?? 0) >= 250);
  });

  it('the retry delay follows Retry-After, and there is no retry if it is above a minute', () => {
    const after = (text: string) => delayOf(answered(429, 'rate-limited', { 'retry-after': text }));
    assert.equal(after('0'), 0);
    assert.equal(after('7'), 7_000);
    assert.equal(after('60'), LONGEST_RETRY_AFTER_MS);
    assert.equal(after('61'), undefined);
    assert.equal(after('Sat, 21 Nov 2026 09:30:03 GMT'), 3_000);
    assert.equal(after('Sat, 21 Nov 2026 09:29:00 GMT'), 0);
    for (const odd of ['soon', '-1', '1.5', '2001-01-01', 'NaN', '1e3']) assert.equal(after(odd), 500, odd);
    assert.equal(after('9'.repeat(400)), undefined);
    assert.equal(after(''), 500);
  });
});
