import type { Landing } from './landings.ts';
import type { Settings } from './options.ts';

const TIMEOUT_MS = 10_000;
/** The statuses after which the same request may succeed later: timeouts, conflicts, rate limits and server errors. */
const PASSING = /^(408|409|429|5..)$/;

/**
 * Reports a visit through a partner link. Reports with the same idempotency key count once. Returns the tracking id, or
 * undefined if the report should be retried. Returns null if the service permanently refuses the visit or returns no
 * tracking id.
 */
export async function reportVisit(
  { url, key, headerPrefix }: Settings,
  [ref, idempotencyKey = '']: Landing,
  number: string | undefined,
): Promise<string | null | undefined> {
  const numberHeader = `${headerPrefix}-OID`;
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), TIMEOUT_MS);
  try {
    const answer = await fetch(`${url.replace(/\/$/, '')}/v1/event/site-visited`, {
      method: 'POST',
      // The request completes even if the visitor has left the page.
      keepalive: true,
      signal: timer.signal,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
        ...(number && { [numberHeader]: number }),
      },
      body: JSON.stringify({ collaboratorId: `tracking:${ref}`, referrer: document.referrer.slice(0, 2048) }),
    });
    if (answer.ok) return answer.headers.get(numberHeader);
    return PASSING.test(`${answer.status}`) ? undefined : null;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timeout);
  }
}
