import type { DeliveryId } from '#core/ids.ts';
import { formatInstant, type Instant } from '#core/instant.ts';
import type { MessageType, PauseReason } from './webhook.ts';

/**
 * Returns the body of a delivery, with the same bytes at every attempt. `data` is the resource's JSON and is inserted
 * unchanged, so that its numbers keep their format.
 */
export function payloadText({ id, type, occurredAt, data }: DeliveryContent): string {
  return `{"type":"${type}","timestamp":"${formatInstant(occurredAt)}","data":${data},"deliveryId":"${id}"}`;
}

export type DeliveryContent = {
  readonly id: DeliveryId;
  readonly type: MessageType;
  readonly occurredAt: Instant;
  readonly data: string;
};

/** The result of one attempt. */
export type Attempt = {
  /** The status of the response, or null if no response arrived. */
  readonly statusCode: number | null;
  /** The reason for the failure, as text. Null on success. */
  readonly error: string | null;
  /** The number of seconds to wait according to the receiver's `Retry-After`. Null if it doesn't apply. */
  readonly retryAfter: number | null;
};

/** The effect of an attempt on the delivery and on its webhook. */
export type Aftermath = {
  readonly delivery:
    | { readonly kind: 'delivered' }
    | { readonly kind: 'retried'; readonly inSeconds: number }
    | { readonly kind: 'failed' };
  readonly pause: Exclude<PauseReason, 'by-hand'> | null;
};

/** Seconds between an attempt and the next attempt, before jitter. They result in 15 attempts over about three days. */
export const RETRY_GAPS: readonly number[] = [
  5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 36_000, 43_200, 43_200, 43_200, 43_200,
];
/**
 * The maximum random extension of each gap, as a fraction of the gap. It prevents deliveries that failed together from
 * being retried together.
 */
export const RETRY_JITTER = 0.2;
/** The maximum delay that a receiver's `Retry-After` can cause, in seconds. It equals the longest gap. */
export const MAX_RETRY_AFTER_SECONDS = 43_200;
/** The time without a success after which a webhook is paused, in seconds. */
export const FAILING_LIMIT_SECONDS = 3 * 86_400;

/**
 * Seconds until a failed outbox row is retried, by the number of its earlier failures. After these retries, the gap is
 * always LAST_STUCK_GAP.
 */
const STUCK_GAPS: readonly number[] = [60, 300, 900];
const LAST_STUCK_GAP = 3_600;

/**
 * Returns the seconds until an outbox row that has failed again is retried. `tries` is the number of its earlier
 * failures. Retries never end, so that no message is lost.
 */
export function stuckGapSeconds(tries: number): number {
  return STUCK_GAPS[tries] ?? LAST_STUCK_GAP;
}

const GONE = 410;

/**
 * Returns the effect of an attempt on its delivery and on its webhook. `tries` is the number of the attempt, from 1,
 * since the last redelivery, reactivation or change of the URL. `failingSeconds` is the time since the webhook's first
 * failure after its last success, or null if there is none. `random` is in [0, 1).
 */
export function judgeAttempt(
  attempt: Attempt,
  { tries, failingSeconds }: { readonly tries: number; readonly failingSeconds: number | null },
  random: number,
): Aftermath {
  if (attempt.error === null) return { delivery: { kind: 'delivered' }, pause: null };
  const pause = pauseAfter(attempt, failingSeconds);
  const gap = RETRY_GAPS[tries - 1];
  // A receiver may return 410 by mistake. The webhook is paused without failing the delivery, so that all messages are
  // sent once the receiver is fixed.
  if (gap === undefined && pause !== 'gone') return { delivery: { kind: 'failed' }, pause };
  const ownGap = (gap ?? MAX_RETRY_AFTER_SECONDS) * (1 + RETRY_JITTER * random);
  const inSeconds = Math.max(ownGap, Math.min(attempt.retryAfter ?? 0, MAX_RETRY_AFTER_SECONDS));
  return { delivery: { kind: 'retried', inSeconds }, pause };
}

function pauseAfter({ statusCode }: Attempt, failingSeconds: number | null): Aftermath['pause'] {
  if (statusCode === GONE) return 'gone';
  return failingSeconds !== null && failingSeconds >= FAILING_LIMIT_SECONDS ? 'failing' : null;
}

/**
 * Returns whether a status means that the message has arrived. Redirects don't count, because they are not followed.
 */
export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The only statuses whose `Retry-After` is used. */
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503]);

/**
 * Returns the number of seconds to wait according to the response. Returns null if the status is not 429 or 503, or if
 * `header` is missing or invalid. `header` is a number of seconds or an HTTP date. `now` is in milliseconds.
 */
export function retryAfterOf(statusCode: number, header: string | undefined, now: number): number | null {
  if (header === undefined || !ASKS_TO_WAIT.has(statusCode)) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
