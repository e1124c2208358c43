import { isIPv4, isIPv6 } from 'node:net';
import type { Auth } from '#core/auth.ts';

/** Requests per second: for each secret key, and for each publishable key in each network. 0 means no limit. */
export type Limits = Readonly<Record<'secret' | 'publishable', number>>;

/**
 * A caller to count, by kind and name. All visitors have one name, because their requests are counted for each network.
 */
export type Counted = { readonly kind: Auth['kind'] | 'visitor' | 'page' | 'sender'; readonly caller: string };

/**
 * Requests per second. A person or collaborator has one limit for all of their sessions. The other limits apply to each
 * network: `visitor` to calls of operations that need no key and no session, `page` to pages and files that query the
 * database, and `sender` to signed messages. A page of a portal causes a dozen concurrent requests, but calls without a
 * key and session are rare. A billing system sends the events of a busy hour from a few addresses.
 */
export const SESSION_LIMITS = { person: 100, collaborator: 50, visitor: 20, page: 50, sender: 2_000 } as const;

export type Verdict = { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> };

/**
 * Counts a request as `weight` requests (1 by default) and returns whether it is allowed. Returns undefined if its
 * caller has no limit.
 */
export type CountRequest = (counted: Counted, address: string, weight?: number) => Verdict | undefined;

/** The time unit of a limit, in milliseconds. All requests within the limit can arrive at the same moment. */
const WINDOW_MS = 1_000;
/**
 * The maximum number of buckets, which bounds memory during a flood of addresses. Beyond this number, all buckets are
 * deleted.
 */
const MAX_BUCKETS = 100_000;
/** The tolerance for rounding errors, in milliseconds. For example, a limit of 3 adds up three thirds of a second. */
const ROUNDING_MS = 0.001;

/** The kinds of callers that have a separate limit in each network. */
const OF_NETWORK: ReadonlySet<Counted['kind']> = new Set(['publishable', 'visitor', 'page', 'sender']);

/**
 * Returns a function that counts requests in token buckets in the memory of this process (docs/decisions/0020). `now`
 * is a monotonic clock in milliseconds.
 *
 * The only state of a bucket is the time when all of its tokens are available again. Each allowed request delays this
 * time by weight / limit seconds. A request is allowed if the new time is at most one second ahead.
 */
export function rateLimits(limits: Limits, now: () => number = () => performance.now()): CountRequest {
  const limitOf = { ...limits, ...SESSION_LIMITS };
  let buckets = new Map<string, number>();
  /** The buckets of the previous second. A bucket that isn't used for a second is full, so it can be deleted. */
  let earlier = new Map<string, number>();
  let beganAt = -Infinity;

  return ({ kind, caller }, address, weight = 1) => {
    const limit = limitOf[kind];
    if (limit === 0) return undefined;
    const name = OF_NETWORK.has(kind) ? `${caller} ${networkOf(address)}` : caller;
    const at = now();
    const costMs = WINDOW_MS / limit;
    const fullAt = Math.max(findBucket(name, at), at);
    const next = fullAt + weight * costMs;
    const allowed = next - at <= WINDOW_MS + ROUNDING_MS;
    if (allowed) buckets.set(name, next);
    return createVerdict(kind, limit, (allowed ? next : fullAt) - at, allowed);
  };

  function findBucket(name: string, at: number): number {
    if (at - beganAt >= WINDOW_MS) {
      earlier = buckets;
      buckets = new Map();
      beganAt = at;
    }
    const found = buckets.get(name);
    if (found !== undefined) return found;
    if (buckets.size >= MAX_BUCKETS) {
      buckets.clear();
      earlier.clear();
    }
    return earlier.get(name) ?? 0;
  }
}

/**
 * Returns the verdict with the headers of draft-ietf-httpapi-ratelimit-headers. Their parameter `t` is the number of
 * seconds until the whole limit is available again. If the request is refused, Retry-After has the same value.
 */
function createVerdict(kind: Counted['kind'], limit: number, fullInMs: number, allowed: boolean): Verdict {
  const left = Math.max(0, Math.floor(((WINDOW_MS - fullInMs + ROUNDING_MS) * limit) / WINDOW_MS));
  const fullIn = Math.ceil((fullInMs - ROUNDING_MS) / 1_000);
  const headers = { 'ratelimit-policy': `"${kind}";q=${limit};w=1`, ratelimit: `"${kind}";r=${left};t=${fullIn}` };
  return { allowed, headers: allowed ? headers : { ...headers, 'retry-after': String(fullIn) } };
}

/**
 * Returns the client that an address represents: an IPv4 address itself, or the first 64 bits of an IPv6 address. One
 * subscriber has all addresses with the same 64 bits. Ignores a port, which a proxy may have added. All invalid
 * addresses share one result.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const [, ipv6 = address, ipv4 = ''] = DRESSED.exec(address) ?? [];
  if (isIPv4(ipv4)) return ipv4;
  return isIPv6(ipv6) ? firstGroups(ipv6) : 'unknown';
}

/** Matches `[2001:db8::1]:443`, `203.0.113.7:443` and `::ffff:203.0.113.7`. The last is IPv4 on a dual-stack socket. */
const DRESSED = /^(?:\[([^\]]+)\](?::\d+)?|(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?)$/i;

/**
 * Returns the first four groups of an IPv6 address, in 1.5 µs. ipaddr.js takes 3.5 µs, a tenth of the cost of a visit.
 */
function firstGroups(ipv6: string): string {
  const [head = [], tail] = ipv6.split('::', 2).map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
