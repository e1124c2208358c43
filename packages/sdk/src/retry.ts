import { ConnectionError, type WhenceError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/**
 * The longest `Retry-After` that is honored, in milliseconds. If the header asks for a longer delay, the call throws
 * its error, with `Retry-After` in `headers`.
 */
export const LONGEST_RETRY_AFTER_MS = 60_000;

export interface RetryFacts {
  readonly error: WhenceError;
  /** The number of times that the call has already been retried. */
  readonly retries: number;
  /** Whether the call may be sent again even if an earlier attempt may have been carried out. */
  readonly repeatable: boolean;
  /** A random number from 0 to below 1. */
  readonly random: number;
  readonly nowMs: number;
}

/**
 * Returns how long to wait before the next retry in milliseconds, or undefined to stop retrying.
 *
 * Delays double from half a second up to eight seconds. Each delay is shortened by up to half, so that many clients
 * don't retry together. A `Retry-After` header replaces the delay, or stops the retries if it exceeds
 * LONGEST_RETRY_AFTER_MS.
 */
export function retryDelayMs({ error, retries, repeatable, random, nowMs }: RetryFacts): number | undefined {
  if (!isTransient(error) || (!repeatable && !isUndone(error))) return undefined;
  const asked = retryAfterMs(error.headers?.get('retry-after') ?? null, nowMs);
  if (asked !== undefined) return asked > LONGEST_RETRY_AFTER_MS ? undefined : asked;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (1 - random / 2);
}

/** Returns whether the error is temporary, so that the same call may succeed later. */
function isTransient(error: WhenceError): boolean {
  if (error instanceof ConnectionError) return true;
  const { status, code } = error;
  if (status === undefined) return false;
  return status >= 500 || status === 429 || status === 408 || code === 'idempotency-in-flight';
}

/** Returns whether the failed call has certainly changed nothing. */
function isUndone({ status }: WhenceError): boolean {
  return status === 429;
}

/**
 * Parses a `Retry-After` header, which contains seconds or a date. Returns the delay in milliseconds, or undefined if
 * the header is missing or invalid.
 */
function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  // A valid date begins with its weekday. Without this check, `Date.parse` would also accept `-1`.
  const date = /^\s*[A-Z]/i.test(header) ? Date.parse(header) : Number.NaN;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : date - nowMs;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** Resolves after `delayMs`. Rejects with the signal's reason once the signal aborts. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // The signal may have aborted after the response arrived. Its `abort` event doesn't fire again, so check the signal
    // here.
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
