import type { DeliveryId } from './ids.ts';
import { formatInstant, type Instant } from './instant.ts';
import type { MessageType, PauseReason } from './webhook.ts';

/**
 * What is sent: the same bytes at every attempt. `data` is the resource's JSON and goes in as it is, so that its numbers
 * stay what they were.
 */
export function payloadText({ id, type, occurredAt, data }: Told): string {
  return `{"type":"${type}","timestamp":"${formatInstant(occurredAt)}","data":${data},"deliveryId":${id}}`;
}

export type Told = {
  /** The delivery's. */
  readonly id: DeliveryId;
  readonly type: MessageType;
  readonly occurredAt: Instant;
  readonly data: string;
};

/** What came of sending once. */
export type Attempt = {
  /** Null where no answer came. */
  readonly statusCode: number | null;
  /** Why it failed, in words; null where it didn't. */
  readonly error: string | null;
  /** Seconds that the receiver asks for. */
  readonly retryAfter: number | null;
};

/** What becomes of the delivery, and of the webhook that it belongs to. */
export type Aftermath = {
  readonly delivery:
    | { readonly kind: 'delivered' }
    | { readonly kind: 'retried'; readonly inSeconds: number }
    | { readonly kind: 'failed' };
  readonly pause: Exclude<PauseReason, 'by-hand'> | null;
};

/** Seconds between an attempt and the next, before jitter: 15 attempts over three days. */
export const RETRY_GAPS: readonly number[] = [
  5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 36_000, 43_200, 43_200, 43_200, 43_200,
];
/** A gap becomes longer by up to so much of itself, so that what failed together doesn't come back together. */
export const RETRY_JITTER = 0.2;
/** How long a receiver's `Retry-After` can put an attempt off: the longest gap of our own. */
export const MAX_RETRY_AFTER_SECONDS = 43_200;
/** A webhook that has had no success for so long is paused. */
export const FAILING_LIMIT_SECONDS = 3 * 86_400;

/** Seconds until news that could not be told are tried again, by how often that was; then always the last. */
const STUCK_GAPS: readonly number[] = [60, 300, 900];
const LAST_STUCK_GAP = 3_600;

/** `tries` is how often they could not be told before. There is no end to it: what has happened is told one day. */
export function stuckGapSeconds(tries: number): number {
  return STUCK_GAPS[tries] ?? LAST_STUCK_GAP;
}

const GONE = 410;

/**
 * Judges an attempt. `tries` counts from 1 and begins anew with a redelivery; `failingSeconds` is how long ago the
 * webhook's first failure since its last success was, null where there is none; `random` is from [0, 1).
 */
export function judgeAttempt(
  attempt: Attempt,
  { tries, failingSeconds }: { readonly tries: number; readonly failingSeconds: number | null },
  random: number,
): Aftermath {
  if (attempt.error === null) return { delivery: { kind: 'delivered' }, pause: null };
  const pause = pauseAfter(attempt, failingSeconds);
  const gap = RETRY_GAPS[tries - 1];
  // Whoever says “gone” by mistake gets everything when they have mended it: the webhook waits, and nothing is given up.
  if (gap === undefined && pause !== 'gone') return { delivery: { kind: 'failed' }, pause };
  const ownGap = (gap ?? MAX_RETRY_AFTER_SECONDS) * (1 + RETRY_JITTER * random);
  const inSeconds = Math.max(ownGap, Math.min(attempt.retryAfter ?? 0, MAX_RETRY_AFTER_SECONDS));
  return { delivery: { kind: 'retried', inSeconds }, pause };
}

function pauseAfter({ statusCode }: Attempt, failingSeconds: number | null): Aftermath['pause'] {
  if (statusCode === GONE) return 'gone';
  return failingSeconds !== null && failingSeconds >= FAILING_LIMIT_SECONDS ? 'failing' : null;
}

/** Whether an answer means that the news has arrived. Redirects don't: they are not followed. */
export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Only these say when to come again; `Retry-After` of others is not for us. */
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503]);

/** Seconds that an answer asks us to wait; null where it doesn't. `header` is seconds, or a date as HTTP writes it. */
export function retryAfterOf(statusCode: number, header: string | undefined, now: number): number | null {
  if (header === undefined || !ASKS_TO_WAIT.has(statusCode)) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
