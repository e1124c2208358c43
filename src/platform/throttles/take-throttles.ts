import type { Attempts } from './throttle.ts';
import type { Queryable } from '../postgres/database.ts';
import { takeThrottle } from './throttles.ts';

/** The result if an attempt is refused because of too many recent attempts. */
export type Throttled = { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/**
 * Counts an attempt in each bucket, in the given order, until a bucket refuses it. Returns that refusal, or undefined
 * if no bucket refuses the attempt. An attempt that a later bucket refuses stays counted in the earlier buckets.
 */
export async function takeThrottles(
  connection: Queryable,
  ...each: readonly Attempts[]
): Promise<Throttled | undefined> {
  for (const attempts of each) {
    const taking = await takeThrottle(connection, attempts);
    if (taking.kind === 'refused') return { kind: 'throttled', retryAfterSeconds: taking.retryAfterSeconds };
  }
  return undefined;
}
