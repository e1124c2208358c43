import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Aftermath,
  type Attempt,
  FAILING_LIMIT_SECONDS,
  isSuccess,
  judgeAttempt,
  MAX_RETRY_AFTER_SECONDS,
  payloadText,
  RETRY_GAPS,
  RETRY_JITTER,
  retryAfterOf,
  stuckGapSeconds,
} from '#webhooks/domain/delivery.ts';
import type { DeliveryId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';

const DAY = 86_400;

describe('payloadText: a webhook payload', () => {
  it('is JSON that contains the stored resource byte for byte', () => {
    const data = '{"amount":9007199254740993.10,"name":"Zoë"}';
    const text = payloadText({
      id: 12 as DeliveryId,
      type: 'payout.paid',
      occurredAt: 1_700_000_000_123_456 as Instant,
      data,
    });
    assert.equal(
      text,
      `{"type":"payout.paid","timestamp":"2023-11-14T22:13:20.123Z","data":${data},"deliveryId":"12"}`,
    );
  });
});

describe('judgeAttempt: a delivery and its webhook after an attempt', () => {
  const failed = (change: Partial<Attempt> = {}): Attempt => ({
    statusCode: 500,
    error: 'the receiver returned 500',
    retryAfter: null,
    ...change,
  });
  const last = RETRY_GAPS.length + 1;
  const retried = (inSeconds: number, pause: Aftermath['pause'] = null): Aftermath => ({
    delivery: { kind: 'retried', inSeconds },
    pause,
  });
  const done = (kind: 'delivered' | 'failed', pause: Aftermath['pause'] = null): Aftermath => ({
    delivery: { kind },
    pause,
  });
  const cases: readonly (readonly [string, Attempt, tries: number, failingSeconds: number | null, Aftermath])[] = [
    [
      'the delivery is delivered if the attempt succeeds',
      failed({ statusCode: 200, error: null }),
      1,
      null,
      done('delivered'),
    ],
    [
      'the delivery is delivered if the last retry succeeds, and the webhook stays active',
      failed({ error: null }),
      last,
      9 * DAY,
      done('delivered'),
    ],
    ['the delivery is retried in 5 s after the first failure', failed(), 1, null, retried(5)],
    [
      'the delivery is retried in 5 s after a refused connection',
      failed({ statusCode: null, error: 'refused' }),
      1,
      null,
      retried(5),
    ],
    ['the delivery is retried in 30 s after the second failure', failed(), 2, 5, retried(30)],
    [
      'the delivery is retried in 12 h if the second-to-last attempt fails',
      failed(),
      last - 1,
      2 * DAY,
      retried(43_200),
    ],
    ['the delivery fails if the last attempt fails', failed(), last, 2 * DAY, done('failed')],
    ['the delivery is retried after the time in Retry-After', failed({ retryAfter: 60 }), 1, null, retried(60)],
    [
      'the delivery is retried after the regular interval if Retry-After is shorter',
      failed({ retryAfter: 1 }),
      3,
      9,
      retried(120),
    ],
    [
      'the delivery is retried in 12 h if Retry-After is several years',
      failed({ retryAfter: 1e9 }),
      1,
      1,
      retried(MAX_RETRY_AFTER_SECONDS),
    ],
    [
      'the webhook stays active just before three days of failures',
      failed(),
      5,
      FAILING_LIMIT_SECONDS - 1,
      retried(1800),
    ],
    ['the webhook pauses after three days of failures', failed(), 5, 3 * DAY, retried(1800, 'failing')],
    [
      'the delivery fails and the webhook pauses if the last attempt fails after three days of failures',
      failed(),
      last,
      3 * DAY,
      done('failed', 'failing'),
    ],
    [
      'the delivery waits and the webhook pauses after a 410 response',
      failed({ statusCode: 410 }),
      1,
      null,
      retried(5, 'gone'),
    ],
    [
      'the delivery waits and the webhook pauses even after a 410 response to the last attempt',
      failed({ statusCode: 410 }),
      last,
      4 * DAY,
      retried(43_200, 'gone'),
    ],
  ];
  for (const [name, attempt, tries, failingSeconds, expected] of cases) {
    it(name, () => {
      assert.deepEqual(judgeAttempt(attempt, { tries, failingSeconds }, 0), expected);
    });
  }

  it('the retry interval grows by a random part of up to a fifth', () => {
    const gap = (random: number): number => {
      const { delivery } = judgeAttempt(failed(), { tries: 4, failingSeconds: 1 }, random);
      return delivery.kind === 'retried' ? delivery.inSeconds : 0;
    };
    assert.equal(gap(0.5), 660);
    assert.ok(gap(0.999) < 600 * (1 + RETRY_JITTER));
  });

  it('retry intervals never shrink, and add up to between three and four days', () => {
    assert.ok(RETRY_GAPS.every((gap, index) => index === 0 || gap >= (RETRY_GAPS[index - 1] as number)));
    const sum = RETRY_GAPS.reduce((total, gap) => total + gap, 0);
    assert.ok(sum >= FAILING_LIMIT_SECONDS);
    assert.ok(sum * (1 + RETRY_JITTER) < 4 * DAY);
  });
});

describe('a webhook response', () => {
  it('counts as success only if its status is 2xx', () => {
    for (const status of [200, 204, 299]) assert.equal(isSuccess(status), true);
    for (const status of [199, 300, 301, 404, 500]) assert.equal(isSuccess(status), false);
  });

  const now = Date.parse('2026-01-02T03:04:05Z');
  const cases: readonly (readonly [string, number, string | undefined, number | null])[] = [
    ['with seconds in a 429 response', 429, '120', 120],
    ['with seconds in a 503 response', 503, '0', 0],
    ['with a future date', 429, 'Fri, 02 Jan 2026 03:05:05 GMT', 60],
    ['with a past date', 429, 'Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['with nonsense', 429, 'soon', null],
    ['with an invalid number', 429, '-1.5x', null],
    ['that is missing', 429, undefined, null],
    ['in a response other than 429 and 503', 500, '120', null],
  ];
  for (const [name, status, header, expected] of cases) {
    it(`retryAfterOf: Retry-After ${name} requests ${expected === null ? 'no delay' : `a delay of ${expected} s`}`, () => {
      assert.equal(retryAfterOf(status, header, now), expected);
    });
  }
});

describe('stuckGapSeconds: outbox rows that failed', () => {
  it('are retried indefinitely, at intervals that grow to an hour', () => {
    assert.deepEqual([0, 1, 2, 3, 4, 1_000].map(stuckGapSeconds), [60, 300, 900, 3_600, 3_600, 3_600]);
  });
});
