import type { Landing } from './landings.ts';
import type { Settings } from './options.ts';

const TIMEOUT_MS = 10_000;
/** Too slow, at this moment, too many, or the service’s own fault: the same again may succeed. */
const PASSING = /^(408|409|429|5..)$/;

/**
 * Reports a visit by the collaborator’s link. Sent again with its key it still counts once. Answers the opportunity’s
 * number, null where the service refuses the visit for good, and undefined where it should be sent again.
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
      // It arrives also where the visitor has left by then.
      keepalive: true,
      signal: timer.signal,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
        ...(number && { [numberHeader]: number }),
      },
      body: JSON.stringify({ collaboratorId: `tracking:${ref}` }),
    });
    if (answer.ok) return answer.headers.get(numberHeader);
    return PASSING.test(`${answer.status}`) ? undefined : null;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timeout);
  }
}
