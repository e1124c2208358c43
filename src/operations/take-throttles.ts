import type { Throttle } from '#domain/throttle.ts';
import type { Queryable } from '#store/database.ts';
import { takeThrottle } from '#store/throttles.ts';

/** It was tried too often of late. */
export type Throttled = { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/** Counts a try in each of these, in this order, up to the first that refuses it. Undefined: it may be made. */
export async function takeThrottles(
  connection: Queryable,
  ...each: readonly (readonly [bucket: Uint8Array, throttle: Throttle])[]
): Promise<Throttled | undefined> {
  for (const [bucket, throttle] of each) {
    const taking = await takeThrottle(connection, bucket, throttle);
    if (taking.kind === 'refused') return { kind: 'throttled', retryAfterSeconds: taking.retryAfterSeconds };
  }
  return undefined;
}
