import { ConnectionError, type WhenceError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** A service that asks for more is not waited for: the error is thrown, with its `Retry-After` in `headers`. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

export interface RetryFacts {
  readonly error: WhenceError;
  /** How often the call has been sent again already. */
  readonly retries: number;
  /** Whether sending it twice does no more than sending it once. */
  readonly repeatable: boolean;
  /** From 0 to below 1. */
  readonly random: number;
  readonly nowMs: number;
}

/**
 * How long to wait before the call is sent again; undefined: not at all. Doubles from half a second to eight, each
 * shortened by up to half, so that many clients don't come back together; at least what `Retry-After` asks for.
 */
export function retryDelayMs({ error, retries, repeatable, random, nowMs }: RetryFacts): number | undefined {
  if (!isPassing(error) || (!repeatable && !isUndone(error))) return undefined;
  const asked = retryAfterMs(error.headers?.get('retry-after') ?? null, nowMs);
  if (asked !== undefined) return asked > LONGEST_RETRY_AFTER_MS ? undefined : asked;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (1 - random / 2);
}

/** The same call may succeed in a moment. */
function isPassing(error: WhenceError): boolean {
  if (error instanceof ConnectionError) return true;
  const { status, code } = error;
  if (status === undefined) return false;
  return status >= 500 || status === 429 || status === 408 || code === 'idempotency-in-flight';
}

/** It has certainly done nothing. */
function isUndone({ status }: WhenceError): boolean {
  return status === 429;
}

/** Seconds, or a date. */
function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  // A date begins with its weekday; `-1` is one to Date.parse alone.
  const date = /^\s*[A-Z]/i.test(header) ? Date.parse(header) : Number.NaN;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : date - nowMs;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
